import Units

/// The bars of the level screen over time, and its figures, which change once a second.
struct LevelBars: Sendable {
  /// The visible length of each bar, in fifths of a cell.
  private(set) var lengths = [0, 0]
  /// The peaks in dBFS.
  private(set) var peaks = [-120.0, -120.0]
  private let cells: Int
  private var last: MonotonicTime?
  private var lastPeaks: MonotonicTime?

  /// The range of a full bar in dB.
  private static let range = 48.0
  /// Maximum cells that a bar moves per frame, so that two bars need no more bus time than the spectrum.
  private static let stride = 6

  init(cells: Int) { self.cells = cells }

  func nextFrame(after now: MonotonicTime) -> MonotonicTime {
    last.map { max(now, $0 + SpectrumBars.interval) } ?? now
  }

  /// Moves the bars towards the current level if a frame is due.
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
