enum SpectrumScreen {
  static func draw(_ view: PanelView, _ bars: SpectrumBars, on screen: inout Screen) {
    let top = screen.isTall ? 1 : 0
    if screen.isTall { screen.text(view.title.isEmpty ? view.station : view.title, row: 0) }
    for (column, height) in bars.heights.enumerated() {
      for row in 0..<(screen.rows - top) {
        let fill = SpectrumBars.fill(height, row)
        guard fill > 0 else { continue }
        screen.put(fill == 8 ? .full : Glyph.levels[fill - 1], row: screen.rows - 1 - row, column: column)
      }
    }
  }
}
