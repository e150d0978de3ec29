/// What is heard, as bars; and what is recorded of it.
extension Screen {
  /// Bars over the whole display; in four rows, station or title above them.
  mutating func spectrum(_ view: PanelView, _ bars: SpectrumBars) {
    let top = isTall ? 1 : 0
    if isTall { text(view.title.isEmpty ? view.station : view.title, row: 0) }
    for (column, height) in bars.heights.enumerated() {
      for row in 0..<(rows - top) {
        let fill = SpectrumBars.fill(height, row)
        guard fill > 0 else { continue }
        put(fill == 8 ? .full : Glyph.levels[fill - 1], row: rows - 1 - row, column: column)
      }
    }
  }

  /// A bar for each channel; in four rows, the station above and the peaks below them.
  mutating func level(_ view: PanelView, _ bars: LevelBars) {
    let top = isTall ? 1 : 0
    if isTall { text(view.station, row: 0) }
    for (channel, name) in ["L", "R"].enumerated() {
      text(name, row: top + channel)
      let width = columns - 2
      bar(Double(bars.lengths[channel]) / Double(width * 5), row: top + channel, column: 2, width: width)
    }
    if isTall {
      text("Peak", row: 3)
      text(bars.peaks.map(Self.decibels).joined(separator: "  ") + " dB", row: 3, side: .right)
    }
  }

  /// Such as "-12"; "--" for silence.
  private static func decibels(_ value: Double) -> String { value <= -100 ? "--" : "\(Int(value.rounded()))" }

  /// What is being recorded, and how much room is left.
  mutating func recording(_ recording: PanelRecording) {
    put(.record, row: 0, column: 0)
    let time = Duration.clock(recording.seconds)
    let room = recording.roomSeconds.map { "\(Duration.brief($0)) left" } ?? ""
    if isTall {
      text("Recording", row: 0, column: 2)
      text(time, row: 0, side: .right)
      scroll(recording.name, row: 1, width: columns)
      text(room.isEmpty ? "" : "Room: \(room)", row: 3)
    } else {
      text(time, row: 0, column: 2)
      if time.count + room.count + 3 <= columns { text(room, row: 0, side: .right) }
      scroll(recording.name, row: 1, width: columns)
    }
  }
}
