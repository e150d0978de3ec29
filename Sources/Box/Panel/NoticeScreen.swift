/// Words for a moment.
enum NoticeScreen {
  static func draw(_ text: FittedText, on screen: inout Screen) {
    let (row, words) = (screen.isTall ? 1 : 0, screen.form(text))
    if screen.typesetter.cells(words).count > screen.columns {
      screen.scroll(words, row: row, width: screen.columns)
    } else {
      screen.text(words, row: row, side: screen.isTall ? .middle : .left)
    }
  }
}
