enum WebCodeScreen {
  static func draw(_ code: PanelWebCode, on screen: inout Screen) {
    let row = screen.isTall ? 1 : 0
    if screen.typesetter.cells(code.address).count > screen.columns {
      screen.scroll(code.address, row: row, width: screen.columns)
    } else {
      screen.text(code.address, row: row, side: .middle)
    }
    screen.text(fitting: screen.texts.code(code.code), row: row + 1, side: .middle)
  }
}
