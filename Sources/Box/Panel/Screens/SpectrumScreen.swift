enum SpectrumScreen {
  /// Cells with one to eight filled lines, prepared once for each ROM, because a frame has up to sixty.
  private static let a00 = levels(.a00)
  private static let a02 = levels(.a02)

  static func draw(_ view: PanelView, _ bars: SpectrumBars, on screen: inout Screen) {
    let top = screen.isTall ? 1 : 0
    if screen.isTall { screen.text(view.title.isEmpty ? view.station : view.title, row: 0) }
    let cells = screen.typesetter.rom == .a00 ? a00 : a02
    for (column, height) in bars.heights.enumerated() {
      for row in 0..<(screen.rows - top) {
        let fill = SpectrumBars.fill(height, row)
        if fill > 0 { screen.put(cells[fill - 1], row: screen.rows - 1 - row, column: column) }
      }
    }
  }

  private static func levels(_ rom: CharacterRom) -> [Cell] {
    (Glyph.levels + [.full]).map { Typesetter(rom: rom).cell($0) }
  }
}
