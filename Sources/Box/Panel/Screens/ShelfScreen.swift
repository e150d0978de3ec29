/// The recordings, the reason for their absence, or the question before a deletion.
enum ShelfScreen {
  static func draw(_ shelf: PanelShelf?, cursor: Int, on screen: inout Screen) {
    let entries = shelf?.entries ?? []
    guard !entries.isEmpty else { return FindScreen.draw(screen.texts.shelf(shelf), on: &screen) }
    let cursor = max(0, min(cursor, entries.count))
    for (row, place) in screen.window(over: entries.count + 1, cursor: cursor) {
      if place == cursor { screen.text("→", row: row) }
      guard place < entries.count else {
        screen.text(fitting: screen.texts.label(.back), row: row, column: 1)
        continue
      }
      let title = name(of: entries[place], screen) ?? "\(place + 1)"
      screen.entry(title, scrolls: place == cursor, row: row, column: 1, width: screen.columns - 1)
    }
  }

  static func draw(_ entry: PanelShelf.Entry, isSure: Bool, on screen: inout Screen) {
    let row = screen.rows - 1
    screen.scroll(name(of: entry, screen) ?? "?", row: 0, width: screen.columns)
    screen.text("→", row: row)
    screen.text(fitting: screen.texts.deletes, row: row, column: 1)
    screen.text("[\(screen.form(isSure ? screen.texts.yes : screen.texts.no))]", row: row, side: .right)
  }

  /// Nil if no character of the title can be written.
  private static func name(of entry: PanelShelf.Entry, _ screen: Screen) -> String? {
    screen.typesetter.cells(entry.title).isEmpty ? nil : entry.title
  }
}
