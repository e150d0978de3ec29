import Units

/// The bars of the level screen, from frame to frame, and its figures, which change once a second.
struct LevelBars: Sendable {
  /// How long each bar is shown, in dots that are a fifth of a cell wide.
  private(set) var lengths = [0, 0]
  /// The peaks, in dBFS.
  private(set) var peaks = [-120.0, -120.0]
  private let cells: Int
  private var last: MonotonicTime?
  private var lastPeaks: MonotonicTime?

  /// What a whole bar is worth, in dB.
  private static let range = 48.0
  /// Cells that a bar may move in a frame, so that two of them cost a bus no more than the spectrum does.
  private static let stride = 6

  /// Bars of so many cells.
  init(cells: Int) { self.cells = cells }

  /// When the next frame is due.
  func nextFrame(after now: MonotonicTime) -> MonotonicTime {
    last.map { max(now, $0 + SpectrumBars.interval) } ?? now
  }

  /// Moves the bars towards what is heard, where a frame is due.
  mutating func advance(_ sound: PanelSound, at now: MonotonicTime) {
    guard nextFrame(after: now) <= now else { return }
    last = now
    for channel in lengths.indices {
      let share = max(0, min(1, 1 + sound.averages[channel] / Self.range))
      let wanted = Int((share * Double(cells * 5)).rounded())
      let step = max(-Self.stride * 5, min(Self.stride * 5, wanted - lengths[channel]))
      lengths[channel] += step
    }
    if lastPeaks.map({ now - $0 >= Duration(milliseconds: 1_000) }) ?? true {
      lastPeaks = now
      peaks = sound.peaks
    }
  }
}
