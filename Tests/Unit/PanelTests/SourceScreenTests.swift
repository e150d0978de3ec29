import Panel
import PanelWords
import Testing

/// The display while another source plays instead of the station (F7).
struct SourceScreenTests {
  /// The text that scrolls through a row, from its start to its end.
  private static func scrolled(_ row: Int, _ hand: inout Hand) -> String {
    func cells(_ hand: inout Hand) -> [Character] {
      let (picture, shown) = (hand.picture(), hand.picture().rows[row])
      let columns = picture.characters.count / picture.rows.count
      return Array(shown) + Array(repeating: " ", count: columns - shown.count)
    }
    var before = cells(&hand)
    var text = before
    hand.wait(2_000)
    while true {
      let shown = cells(&hand)
      guard shown.dropLast() == before.dropFirst() else { break }
      text += shown.suffix(1)
      before = shown
      hand.wait(350)
    }
    return String(text).split(separator: " ").joined(separator: " ")
  }

  @Test(
    "One sentence scrolls through a row of 20 or 16 columns: the station, since when, why, and the next attempt (F7)",
    arguments: [
      (
        Language.english, PanelSource.Reason.noAudio,
        "Instead of Deutschlandfunk since 14:05: No audio. Next try 14:08"
      ),
      (.german, .noAudio, "Statt Deutschlandfunk seit 14:05: Kein Ton. Nächster Versuch 14:08"),
      (.english, .quiet, "Instead of Deutschlandfunk since 14:05: Only silence. Next try 14:08"),
      (.german, .loop, "Statt Deutschlandfunk seit 14:05: Ton wiederholt sich. Nächster Versuch 14:08"),
      (
        .english, .fault(.serverGone(attempt: 3, nextTry: 9)),
        "Instead of Deutschlandfunk since 14:05: Server gone. Next try 14:08"
      ),
      (.english, .unplayable, "Instead of Deutschlandfunk since 14:05: Not playable. Next try 14:08"),
      (.german, .choice, "Statt Deutschlandfunk seit 14:05: Deine Wahl. Nächster Versuch 14:08"),
    ])
  func sentence(_ language: Language, _ reason: PanelSource.Reason, _ sentence: String) {
    let view = PanelView.replaced { $0.source?.reason = reason }
    for (columns, rows, row) in [(20, 4, 2), (16, 2, 1)] {
      var hand = Hand(columns, rows, view, rom: .a02, language)
      #expect(Self.scrolled(row, &hand) == sentence + (rows == 2 ? " - Nina Simone - Feeling Good" : ""))
    }
  }

  @Test("The tone hides neither the fault nor the attempts, and the clock does not replace it (F7)")
  func tone() {
    for (next, words) in [
      (PanelSource.Next.now, ". Trying it now"), (.never, ""), (.later(nil), ". Next try soon"),
    ] {
      let view = PanelView.replaced {
        ($0.state, $0.isAudible) = (.stopped, false)
        ($0.artist, $0.title) = ("", "")
        $0.fault = .stationNotFound(nextTry: 4)
        $0.source?.kind = .tone
        $0.source?.reason = .fault(.stationNotFound(nextTry: nil))
        $0.source?.next = next
      }
      for (columns, rows) in [(20, 4), (16, 2)] {
        var hand = Hand(columns, rows, view, rom: .a02)
        hand.wait(60_000)
        #expect(hand.picture().rows[0] == "⧗ Tone")
        let sentence = "Instead of Deutschlandfunk since 14:05: Station not found" + words
        #expect(Self.scrolled(1, &hand) == sentence)
      }
    }
  }

  @Test("Another address of the station is named after the title (F7)")
  func address() {
    let gone = PanelSource.Reason.fault(.serverGone(attempt: 1, nextTry: nil))
    for (language, reason, sentence) in [
      (Language.english, gone, "Other address since 14:05. Before: Server gone"),
      (.german, gone, "Andere Adresse seit 14:05. Vorher: Verbindung getrennt"),
      (.english, .slowLine, "Other address since 14:05: Line too slow"),
      (.german, .slowLine, "Andere Adresse seit 14:05: Leitung zu langsam"),
    ] {
      let view = PanelView.replaced {
        $0.source?.kind = .address
        $0.source?.reason = reason
        $0.source?.next = .never
      }
      var (large, small) = (Hand(20, 4, view, rom: .a02, language), Hand(16, 2, view, rom: .a02, language))
      #expect(Self.scrolled(2, &large) == sentence)
      #expect(Self.scrolled(1, &small) == "Nina Simone - Feeling Good - " + sentence)
    }
  }

  @Test("A name that cannot be written, and a guest, leave no gap in the words")
  func unwritable() {
    for (language, words) in [(Language.english, "Instead of the st"), (.german, "Statt des Senders")] {
      var hand = Hand(20, 4, .replaced { $0.source?.station = "東京" }, rom: .a02, language)
      #expect(hand.picture().rows[2].hasPrefix(words))
      hand.view.guest = "AirPlay"
      #expect(!hand.picture().rows.joined().contains("Instead") && !hand.picture().rows.joined().contains("Statt"))
    }
  }
}

/// Expected screens of a source that replaces the station, in 20×4 and 16×2.
extension Golden {
  static let englishSources: [String: String] = [
    "fallback": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ FIP               │ │▶ FIP          █│
    │Nina Simone - Feelin│ │Instead of Deuts│
    │Instead of Deutschla│ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "fallback, no clock": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ FIP               │ │▶ FIP          █│
    │MP3 128 kbit/s      │ │Instead of FIP: │
    │Instead of FIP: Only│ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "fallback, connecting": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ FIP               │ │⧗ FIP           │
    │Connecting          │ │Instead of Deuts│
    │Instead of Deutschla│ └────────────────┘
    │··········     14:07│
    └────────────────────┘
    """,
    "alternative": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlandf █│
    │Nina Simone - Feelin│ │Nina Simone - Fe│
    │Other address since │ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "tone": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Tone              │ │⧗ Tone          │
    │Instead of Deutschla│ │Instead of Deuts│
    │                    │ └────────────────┘
    │               14:07│
    └────────────────────┘
    """,
  ]

  static let germanSources: [String: String] = [
    "fallback": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ FIP               │ │▶ FIP          █│
    │Nina Simone - Feelin│ │Statt Deutschlan│
    │Statt Deutschlandfun│ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "fallback, no clock": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ FIP               │ │▶ FIP          █│
    │MP3 128 kbit/s      │ │Statt FIP: Nur S│
    │Statt FIP: Nur Still│ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "fallback, connecting": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ FIP               │ │⧗ FIP           │
    │Verbinde...         │ │Statt Deutschlan│
    │Statt Deutschlandfun│ └────────────────┘
    │··········     14:07│
    └────────────────────┘
    """,
    "alternative": """
    ┌────────────────────┐ ┌────────────────┐
    │▶ Deutschlandfunk   │ │▶ Deutschlandf █│
    │Nina Simone - Feelin│ │Nina Simone - Fe│
    │Andere Adresse seit │ └────────────────┘
    │██████████     14:07│
    └────────────────────┘
    """,
    "tone": """
    ┌────────────────────┐ ┌────────────────┐
    │⧗ Signalton         │ │⧗ Signalton     │
    │Statt Deutschlandfun│ │Statt Deutschlan│
    │                    │ └────────────────┘
    │               14:07│
    └────────────────────┘
    """,
  ]
}
