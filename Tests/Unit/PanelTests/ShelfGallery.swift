import Panel

extension PanelView {
  static func shelf(_ shelf: PanelShelf?) -> PanelView { playing { $0.shelf = shelf } }

  static var recordings: PanelView {
    shelf(
      .recordings([
        PanelShelf.Entry("FIP 2026-11-28 20.00.mp3", title: "FIP 2026-11-28"),
        PanelShelf.Entry("Nina Simone - I Wish.mp3", title: "Nina Simone - I Wish I Knew How It Would Feel"),
        PanelShelf.Entry("Evening/01 Björk.aac", title: "01 Björk"), PanelShelf.Entry("雨.mp3", title: "雨"),
      ]))
  }
}

extension Hand {
  /// Opens the menu's entry for recordings.
  mutating func openRecordings() {
    press(.menu)
    let labels = ["→Recordings", "→Aufnahmen"]
    for _ in 0..<20 where !picture().rows.contains(where: { labels.contains($0) }) { turn(1) }
    press(.select)
    // End the fast turn before the next one.
    wait(300)
  }
}

extension Gallery {
  static let shelfScenes: [Scene] = [
    ("recordings", .recordings, { $0.openRecordings() }),
    (
      "recordings, the end", .recordings,
      {
        $0.openRecordings(); $0.step(-1)
      }
    ),
    (
      "recordings, deleting", .recordings,
      {
        $0.openRecordings(); $0.step(1); $0.press(.mode)
      }
    ),
    (
      "recordings, sure", .recordings,
      {
        $0.openRecordings(); $0.press(.mode); $0.turn(1)
      }
    ),
    ("recordings, reading", .shelf(nil), { $0.openRecordings() }),
    ("recordings, slow", .shelf(.slow), { $0.openRecordings() }),
    ("recordings, no folder", .shelf(.missing), { $0.openRecordings() }),
    ("recordings, unreadable", .shelf(.unreadable), { $0.openRecordings() }),
    ("recordings, empty", .shelf(.recordings([])), { $0.openRecordings() }),
  ]
}
