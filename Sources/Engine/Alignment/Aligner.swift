import Units

/// Finds the place of a new stream's decoded audio in an old stream's, if both contain the same programme (F1).
///
/// The streams may differ in codec, bit rate, sample rate, channels, level and polarity. Feed the old stream's last
/// 30 s, then the new stream from its first frame, and call `step` until it returns false; `match` is then up to date.
/// Allocates only at creation.
public struct Aligner: ~Copyable {
  private var old = LowRateTrack()
  private var new = LowRateTrack()
  private var scan = WindowScan()
  private var probe = LagProbe()
  private var candidates = LagCandidates()
  private var energies = [Float](repeating: 0, count: LowRate.maxWindows)
  /// Number of windows of the new stream whose places are known.
  private var windowCount = 0
  private var isScanning = false

  /// The proven place; nil if the streams differ, or while the audio fits at several places.
  public private(set) var match: Match?

  /// Creates an aligner without audio.
  public init() {}

  /// Forgets both streams.
  public mutating func begin() {
    old.begin()
    new.begin()
    candidates.removeAll()
    (windowCount, isScanning, match) = (0, false, nil)
  }

  /// Maximum length of each stream. Later audio is ignored.
  public static var capacity: StreamTime { StreamTime(seconds: 30) }

  /// True if the new stream has its maximum length.
  public var isFull: Bool { new.isFull }

  /// Appends interleaved frames of the old stream, samples of 24 bits.
  public mutating func appendOld(_ frames: Span<Int32>, channels: Int, rate: SampleRate) {
    precondition(channels > 0, "a frame has a channel")
    old.append(frames, channels: channels, rate: Int(rate.hertz))
  }

  /// Appends interleaved frames of the new stream, samples of 24 bits.
  public mutating func appendNew(_ frames: Span<Int32>, channels: Int, rate: SampleRate) {
    precondition(channels > 0, "a frame has a channel")
    new.append(frames, channels: channels, rate: Int(rate.hertz))
  }

  /// Does a part of the work, about a million operations. Returns false if more audio is needed.
  public mutating func step() -> Bool {
    if isScanning {
      if !scan.step(old) { endScan() }
      return true
    }
    if let (candidate, window) = candidates.pending(upTo: windowCount) {
      measure(candidate, window)
      if candidates.pending(upTo: windowCount) == nil { decide() }
      return true
    }
    let start = windowCount * LowRate.window
    guard windowCount < LowRate.maxWindows, start + LowRate.window <= new.count else { return false }
    energies[windowCount] = new.energy(at: start)
    scan.begin(new, at: start)
    isScanning = true
    return true
  }

  private mutating func endScan() {
    let start = windowCount * LowRate.window
    for index in 0..<scan.peakCount { candidates.insert(scan.peaks[index].place - start) }
    isScanning = false
    windowCount += 1
    if candidates.pending(upTo: windowCount) == nil { decide() }
  }

  private mutating func measure(_ candidate: Int, _ window: Int) {
    let start = window * LowRate.window
    let place = start + candidates.lag(of: candidate)
    guard LagProbe.covers(place, in: old) else { return candidates.record(LagCandidates.missing, of: candidate) }
    candidates.record(probe.measure(new, at: start, energies[window], near: place, of: old), of: candidate)
  }

  private mutating func decide() {
    let rule = MatchRule(candidates: candidates, energies: energies, windowCount: windowCount)
    match = rule.decide().map { found in
      Match(
        delay: StreamTime(seconds: Double(found.lag) / Double(LowRate.hertz)), likeness: found.likeness,
        isInverted: found.isInverted)
    }
  }
}
