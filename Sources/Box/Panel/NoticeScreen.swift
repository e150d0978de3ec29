/// Words for a moment.
enum NoticeScreen {
  static func draw(_ words: String, on screen: inout Screen) {
    let row = screen.isTall ? 1 : 0
    if screen.typesetter.cells(words).count > screen.columns {
      screen.scroll(words, row: row, width: screen.columns)
    } else {
      screen.text(words, row: row, side: screen.isTall ? .middle : .left)
    }
  }
}
