import PanelWords

/// Expected pictures of every screen, in 20×4 and 16×2.
enum Golden {
  static func screens(_ language: Language) -> [String: String] {
    switch language {
    case .english:
      english.merging(englishFind) { old, _ in old }.merging(englishRooms) { old, _ in old }
        .merging(englishShelf) { old, _ in old }.merging(englishWeb) { old, _ in old }
        .merging(englishSources) { old, _ in old }
    case .german:
      german.merging(germanFind) { old, _ in old }.merging(germanRooms) { old, _ in old }
        .merging(germanShelf) { old, _ in old }.merging(germanWeb) { old, _ in old }
        .merging(germanSources) { old, _ in old }
    }
  }

  private static let english: [String: String] = [
    "boot": """
    ┌────────────────────┐ ┌────────────────┐
    │    Bakelite 0.5    │ │Bakelite 0.5    │
    │                    │ │Sound card ███▎·│
    │     Sound card     │ └────────────────┘
    │█████████████▎······│
    └────────────────────┘
    """,
    "connecting": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │⧗ Deutschlandfun│
    │Connecting          │ │Connecting      │
    │MP3 128 kbit/s      │ └────────────────┘
    │··········     14:07│
    └────────────────────┘
    """,
    "buffering": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │⧗ Deutschlandf ▃│
    │Buffering 4/10 s    │ │Buffering 4/10 s│
    │Nina Simone         │ └────────────────┘
    │████▎·····     14:07│
    └────────────────────┘
    """,
    "playing": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlandf █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "playing, no title": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlandf ▆│
    │MP3 128 kbit/s      │ │MP3 128 kbit/s  │
    │                    │ └────────────────┘
    │███████▎··     14:07│
    └────────────────────┘
    """,
    "playing, long title": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ tschlandfunk █│
    │Nina Simone         │ │imone - I Wish I│
    │ I Knew How It Would│ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "playing, muted, to sleep": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutsch MUTE █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████    ◷ MUTE│
    └────────────────────┘
    """,
    "playing, no volume": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutsc VOL 0 █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████     VOL 0│
    └────────────────────┘
    """,
    "playing, behind": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutsc -2:30 █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████     -2:30│
    └────────────────────┘
    """,
    "paused": """
    ┌────────────────────┐ ┌────────────────┐
    │⏸ Deutschlandfunk   │ │⏸ Deutsc -0:31 █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████     -0:31│
    └────────────────────┘
    """,
    "a guest plays": """
    ┌────────────────────┐ ┌────────────────┐
    │⏸ Deutschlandfunk   │ │⏸ Deutsc -0:31 █│
    │AirPlay plays       │ │AirPlay plays   │
    │                    │ └────────────────┘
    │██████████     -0:31│
    └────────────────────┘
    """,
    "a guest plays, stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │■ Deutschlandfun│
    │Guest plays         │ │Guest plays     │
    │                    │ └────────────────┘
    │               14:07│
    └────────────────────┘
    """,
    "menu, a guest plays": """
    ┌────────────────────┐ ┌────────────────┐
    │→Take sound back    │ │→Take sound back│
    │ Find stations      │ │ Find stations  │
    │ Sleep in        off│ └────────────────┘
    │ Record          off│
    └────────────────────┘
    """,
    "a file": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Logbuch Netzpoliti│ │▶ Logbuc 12:34 ▂│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██▎·······     12:34│
    └────────────────────┘
    """,
    "spectrum": """
    ┌────────────────────┐ ┌────────────────┐
    │Feeling Good        │ │█▇▆▆▅▄▃▃▂▁      │
    │█▇▆▅▃▂▁             │ │████████████▇▆▅▅│
    │████████▇▆▅▃▂▁      │ └────────────────┘
    │███████████████▇▆▅▃▂│
    └────────────────────┘
    """,
    "level": """
    ┌────────────────────┐ ┌────────────────┐
    │Deutschlandfunk     │ │L ██████████▌···│
    │L █████████████▌····│ │R ███████·······│
    │R █████████·········│ └────────────────┘
    │Peak      -3  -10 dB│
    └────────────────────┘
    """,
    "recording": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlandf ●│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████   ● 14:07│
    └────────────────────┘
    """,
    "record": """
    ┌────────────────────┐ ┌────────────────┐
    │● Recording     0:01│ │● 0:01          │
    │Deutschlandfunk     │ │Deutschlandfunk │
    │                    │ └────────────────┘
    │Room for 11:06:40   │
    └────────────────────┘
    """,
    "tuning": """
    ┌────────────────────┐ ┌────────────────┐
    │  4 BBC World Servic│ │→ 5 SomaFM Groov│
    │→ 5 SomaFM Groove Sa│ │  6 Radio Swiss │
    │  6 Radio Swiss Jazz│ └────────────────┘
    │  7 KEXP Seattle    │
    └────────────────────┘
    """,
    "volume": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Volume            │ │Volume   █≡≡ █≡≡│
    │      █≡≡ █≡≡       │ │████▎··· ▄▄█ █▄█│
    │      ▄▄█ █▄█       │ └────────────────┘
    │███████████▏········│
    └────────────────────┘
    """,
    "muted": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Muted             │ │Muted    █≡≡ █≡█│
    │      █≡≡ █≡█       │ │████▌··· ▄▄█ █▄█│
    │      ▄▄█ █▄█       │ └────────────────┘
    │███████████▌········│
    └────────────────────┘
    """,
    "full volume": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Volume            │ │Vol  ▀█  █▀█ █▀█│
    │    ▀█  █▀█ █▀█     │ │████ ▄█▄ █▄█ █▄█│
    │    ▄█▄ █▄█ █▄█     │ └────────────────┘
    │████████████████████│
    └────────────────────┘
    """,
    "time shift": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Time shift        │ │-12:30  of 35:00│
    │       -12:30       │ │███████···· LIVE│
    │████████████▊·······│ └────────────────┘
    │35:00 held      LIVE│
    └────────────────────┘
    """,
    "time shift, live": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Time shift        │ │LIVE  15:00 held│
    │        LIVE        │ │███████████ LIVE│
    │████████████████████│ └────────────────┘
    │15:00 held      LIVE│
    └────────────────────┘
    """,
    "menu": """
    ┌────────────────────┐ ┌────────────────┐
    │→Find stations      │ │→Find stations  │
    │ Sleep in        off│ │ Sleep in    off│
    │ Record          off│ └────────────────┘
    │ Keep this song     │
    └────────────────────┘
    """,
    "menu, choosing": """
    ┌────────────────────┐ ┌────────────────┐
    │ Find stations      │ │→Sleep  [30 min]│
    │→Sleep in   [30 min]│ │ Record      off│
    │ Record          off│ └────────────────┘
    │ Keep this song     │
    └────────────────────┘
    """,
    "info": """
    ┌────────────────────┐ ┌────────────────┐
    │Deutschlandfunk     │ │Deutschlandfunk │
    │MP3 128 kbit/s      │ │MP3 128 kbit/s  │
    │Buffer 10 s         │ └────────────────┘
    │Rewind 15:00 / 45:00│
    └────────────────────┘
    """,
    "menu, further": """
    ┌────────────────────┐ ┌────────────────┐
    │ Scroll speed normal│ │→Idle clock   on│
    │→Idle clock       on│ │ Language     EN│
    │ Language    English│ └────────────────┘
    │ Move this preset   │
    └────────────────────┘
    """,
    "knob mode": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │Knob: volume    │
    │    Knob: volume    │ │                │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │■ Deutschlandfun│
    │Stopped             │ │Stopped         │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "idle clock": """
    ┌────────────────────┐ ┌────────────────┐
    │ Friday 21 November │ │▀█  █▄█·█▀█ ▀▀█ │
    │                    │ │▄█▄   █·█▄█   █ │
    │ ▀█  █▄█ · █▀█ ▀▀█  │ └────────────────┘
    │ ▄█▄   █ · █▄█   █  │
    └────────────────────┘
    """,
    "server gone": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ Server gone   │
    │Server gone         │ │Retry 3 in 12 s │
    │Retry 3 in 12 s     │ └────────────────┘
    │41 s left in buffer │
    └────────────────────┘
    """,
    "server gone, three seconds later": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ Server gone   │
    │Server gone         │ │38 s in buffer  │
    │Retry 3 in 9 s      │ └────────────────┘
    │38 s left in buffer │
    └────────────────────┘
    """,
    "no network": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ No network    │
    │No network          │ │Waiting for it  │
    │Waiting for network │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "station not found": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │! Not found     │
    │Station not found   │ │Retry in 60 s   │
    │Retry in 60 s       │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "refused": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │! Refused (403) │
    │Server refuses (403)│ │Retry in 60 s   │
    │Retry in 60 s       │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "not playable": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │HLS not playable│
    │HLS not playable    │ │Try another     │
    │Try another station │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "no sound card": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │! No sound card │
    │No sound card       │ │Looking for it  │
    │Looking for it      │ └────────────────┘
    │10 s in buffer      │
    └────────────────────┘
    """,
    "waiting for the time": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │Clock is not set│
    │The clock is not set│ │Waiting for time│
    │Waiting for the time│ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "moved?": """
    ┌────────────────────┐ ┌────────────────┐
    │Kitchen FM moved?   │ │Kitchen FM moved│
    │Kitchen FM Berlin   │ │→♪play ✓yes ✕no │
    │stream.kitchen.examp│ └────────────────┘
    │♪→listen  ✓ yes ✕ no│
    └────────────────────┘
    """,
    "moved?, answered": """
    ┌────────────────────┐ ┌────────────────┐
    │Kitchen FM moved?   │ │Kitchen FM moved│
    │Kitchen FM Berlin   │ │ ♪play→✓yes ✕no │
    │stream.kitchen.examp│ └────────────────┘
    │♪ listen  ✓→yes ✕ no│
    └────────────────────┘
    """,
    "menu, moved?": """
    ┌────────────────────┐ ┌────────────────┐
    │→Station moved?     │ │→Station moved? │
    │ Find stations      │ │ Find stations  │
    │ Sleep in        off│ └────────────────┘
    │ Recordings         │
    └────────────────────┘
    """,
  ]
}
