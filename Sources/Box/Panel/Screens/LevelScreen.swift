enum LevelScreen {
  static func draw(_ view: PanelView, _ bars: LevelBars, on screen: inout Screen) {
    let top = screen.isTall ? 1 : 0
    if screen.isTall { screen.text(view.station, row: 0) }
    for (channel, name) in ["L", "R"].enumerated() {
      screen.text(name, row: top + channel)
      let width = screen.columns - 2
      screen.bar(Double(bars.lengths[channel]) / Double(width * 5), row: top + channel, column: 2, width: width)
    }
    if screen.isTall {
      let peaks = bars.peaks.map(decibels).joined(separator: "  ") + " dB"
      screen.text(screen.form(screen.texts.peak, width: screen.columns - peaks.count - 1), row: 3)
      screen.text(peaks, row: 3, side: .right)
    }
  }

  /// Such as "-12"; "--" for silence.
  private static func decibels(_ value: Double) -> String { value <= -100 ? "--" : "\(Int(value.rounded()))" }
}
