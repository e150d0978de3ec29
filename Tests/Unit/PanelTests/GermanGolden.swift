extension Golden {
  static let german: [String: String] = [
    "boot": """
    ┌────────────────────┐ ┌────────────────┐
    │    Bakelite 0.5    │ │Bakelite 0.5    │
    │                    │ │Soundkarte ███▎·│
    │     Soundkarte     │ └────────────────┘
    │█████████████▎······│
    └────────────────────┘
    """,
    "connecting": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │⧗ Deutschlandfun│
    │Verbinde...         │ │Verbinde...     │
    │MP3 128 kbit/s      │ └────────────────┘
    │··········     14:07│
    └────────────────────┘
    """,
    "buffering": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │⧗ Deutschlandf ▃│
    │Puffern 4/10 s      │ │Puffern 4/10 s  │
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
    │▶ Deutschlandfunk   │ │▶ Deutsc STUMM █│
    │Nina Simone         │ │Nina Simone - Fe│
    │Feeling Good        │ └────────────────┘
    │██████████   ◷ STUMM│
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
    │AirPlay spielt      │ │AirPlay spielt  │
    │                    │ └────────────────┘
    │██████████     -0:31│
    └────────────────────┘
    """,
    "a guest plays, stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │■ Deutschlandfun│
    │Gast spielt         │ │Gast spielt     │
    │                    │ └────────────────┘
    │               14:07│
    └────────────────────┘
    """,
    "menu, a guest plays": """
    ┌────────────────────┐ ┌────────────────┐
    │→Ton zurückholen    │ │→Ton zurückholen│
    │ Sender suchen      │ │ Sender suchen  │
    │ Timer           aus│ └────────────────┘
    │ Aufnahme        aus│
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
    │Spitze    -3  -10 dB│
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
    │● Aufnahme      0:01│ │● 0:01          │
    │Deutschlandfunk     │ │Deutschlandfunk │
    │                    │ └────────────────┘
    │Platz für 11:06:40  │
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
    │◄ Lautstärke        │ │Lautst.  █≡≡ █≡≡│
    │      █≡≡ █≡≡       │ │████▎··· ▄▄█ █▄█│
    │      ▄▄█ █▄█       │ └────────────────┘
    │███████████▏········│
    └────────────────────┘
    """,
    "muted": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Stumm             │ │Stumm    █≡≡ █≡█│
    │      █≡≡ █≡█       │ │████▌··· ▄▄█ █▄█│
    │      ▄▄█ █▄█       │ └────────────────┘
    │███████████▌········│
    └────────────────────┘
    """,
    "full volume": """
    ┌────────────────────┐ ┌────────────────┐
    │◄ Lautstärke        │ │Vol  ▀█  █▀█ █▀█│
    │    ▀█  █▀█ █▀█     │ │████ ▄█▄ █▄█ █▄█│
    │    ▄█▄ █▄█ █▄█     │ └────────────────┘
    │████████████████████│
    └────────────────────┘
    """,
    "time shift": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Zeitversetzt      │ │-12:30 von 35:00│
    │       -12:30       │ │███████···· LIVE│
    │████████████▊·······│ └────────────────┘
    │35:00 im Puffer LIVE│
    └────────────────────┘
    """,
    "time shift, live": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Zeitversetzt      │ │LIVE  max. 15:00│
    │        LIVE        │ │███████████ LIVE│
    │████████████████████│ └────────────────┘
    │15:00 im Puffer LIVE│
    └────────────────────┘
    """,
    "menu": """
    ┌────────────────────┐ ┌────────────────┐
    │→Sender suchen      │ │→Sender suchen  │
    │ Timer           aus│ │ Timer       aus│
    │ Aufnahme        aus│ └────────────────┘
    │ Titel sichern      │
    └────────────────────┘
    """,
    "menu, choosing": """
    ┌────────────────────┐ ┌────────────────┐
    │ Sender suchen      │ │→Timer  [30 min]│
    │→Timer      [30 min]│ │ Aufnahme    aus│
    │ Aufnahme        aus│ └────────────────┘
    │ Titel sichern      │
    └────────────────────┘
    """,
    "info": """
    ┌────────────────────┐ ┌────────────────┐
    │Deutschlandfunk     │ │Deutschlandfunk │
    │MP3 128 kbit/s      │ │MP3 128 kbit/s  │
    │Puffer 10 s         │ └────────────────┘
    │Zurück 15:00 / 45:00│
    └────────────────────┘
    """,
    "menu, further": """
    ┌────────────────────┐ ┌────────────────┐
    │ Lauftext     normal│ │→Uhr          an│
    │→Uhr bei Stopp    an│ │ Sprache Deutsch│
    │ Sprache     Deutsch│ └────────────────┘
    │ Favorit verschieben│
    └────────────────────┘
    """,
    "knob mode": """
    ┌────────────────────┐ ┌────────────────┐
    │                    │ │Knopf: Lautst.  │
    │ Knopf: Lautstärke  │ │                │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "stopped": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │■ Deutschlandfun│
    │Gestoppt            │ │Gestoppt        │
    │                    │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "idle clock": """
    ┌────────────────────┐ ┌────────────────┐
    │  Fr, 21. November  │ │▀█  █▄█·█▀█ ▀▀█ │
    │                    │ │▄█▄   █·█▄█   █ │
    │ ▀█  █▄█ · █▀█ ▀▀█  │ └────────────────┘
    │ ▄█▄   █ · █▄█   █  │
    └────────────────────┘
    """,
    "server gone": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ Verbindung weg│
    │Verbindung getrennt │ │Erneut in 12 s  │
    │Versuch 3 in 12 s   │ └────────────────┘
    │Noch 41 s im Puffer │
    └────────────────────┘
    """,
    "server gone, three seconds later": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ Verbindung weg│
    │Verbindung getrennt │ │Puffer: 38 s    │
    │Versuch 3 in 9 s    │ └────────────────┘
    │Noch 38 s im Puffer │
    └────────────────────┘
    """,
    "no network": """
    ┌────────────────────┐ ┌────────────────┐
    │⊘ Deutschlandfunk   │ │⊘ Kein Netzwerk │
    │Kein Netzwerk       │ │Warte auf Netz  │
    │Warte auf Netzwerk  │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "station not found": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │! Nicht gefunden│
    │Nicht gefunden      │ │Erneut in 60 s  │
    │Erneut in 60 s      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "refused": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │Verweigert (403)│
    │Verweigert (403)    │ │Erneut in 60 s  │
    │Erneut in 60 s      │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "not playable": """
    ┌────────────────────┐ ┌────────────────┐
    │■ Deutschlandfunk   │ │! HLS geht nicht│
    │HLS geht nicht      │ │Sender wechseln │
    │Sender wechseln     │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "no sound card": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │Keine Soundkarte│
    │Keine Soundkarte    │ │Wird gesucht    │
    │Wird gesucht        │ └────────────────┘
    │10 s im Puffer      │
    └────────────────────┘
    """,
    "waiting for the time": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Deutschlandfunk   │ │! Uhrzeit fehlt │
    │Uhr nicht gestellt  │ │Warte auf Zeit  │
    │Warte auf Uhrzeit   │ └────────────────┘
    │                    │
    └────────────────────┘
    """,
    "moved?": """
    ┌────────────────────┐ ┌────────────────┐
    │Kitchen FM verlegt? │ │Kitchen FM umgez│
    │Kitchen FM Berlin   │ │→♪test ✓ja ✕nein│
    │stream.kitchen.examp│ └────────────────┘
    │♪→hören  ✓ ja ✕ nein│
    └────────────────────┘
    """,
    "moved?, answered": """
    ┌────────────────────┐ ┌────────────────┐
    │Kitchen FM verlegt? │ │Kitchen FM umgez│
    │Kitchen FM Berlin   │ │ ♪test→✓ja ✕nein│
    │stream.kitchen.examp│ └────────────────┘
    │♪ hören  ✓→ja ✕ nein│
    └────────────────────┘
    """,
    "menu, moved?": """
    ┌────────────────────┐ ┌────────────────┐
    │→Sender umgezogen?  │ │→Umgezogen?     │
    │ Sender suchen      │ │ Sender suchen  │
    │ Timer           aus│ └────────────────┘
    │ Aufnahmen          │
    └────────────────────┘
    """,
  ]
}
