enum NoticeScreen {
  static func draw(_ notice: PanelNotice, on screen: inout Screen) {
    let text = screen.texts.notice(named(notice, screen))
    let (row, words) = (screen.isTall ? 1 : 0, screen.form(text))
    if screen.typesetter.cells(words).count > screen.columns {
      screen.scroll(words, row: row, width: screen.columns)
    } else {
      screen.text(words, row: row, side: screen.isTall ? .middle : .left)
    }
  }

  /// A preset without a writable name is named by its place.
  private static func named(_ notice: PanelNotice, _ screen: Screen) -> PanelNotice {
    guard case .preset(let number, let name) = notice, screen.typesetter.cells(name).isEmpty else { return notice }
    return .preset(number: number, name: screen.form(screen.texts.unwritable(number)))
  }
}
