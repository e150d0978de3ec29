import Units

/// The level of a channel.
public struct Level: Equatable, Sendable {
  /// The average (RMS).
  public var average = Decibels.silence
  /// The recent peak: it rises at once and falls slowly.
  public var peak = Decibels.silence

  /// Creates the level of silence.
  public init() {}
}

/// Measures the level of two channels (R7.1).
///
/// The average covers the given frames. A peak falls by 20 dB per second, like a programme meter (IEC 60268-10).
public struct LevelMeter: Sendable {
  /// The left channel.
  public private(set) var left = Level()
  /// The right channel.
  public private(set) var right = Level()
  private var last: MonotonicTime?

  private static let fallPerSecond = 20.0

  /// Creates a meter at silence.
  public init() {}

  /// Measures the latest frames: two samples of 16 bits, left in the low half. An empty buffer is silence.
  public mutating func measure(_ frames: UnsafeBufferPointer<UInt32>, at now: MonotonicTime) {
    let fall = last.map { Self.fallPerSecond * max(0, (now - $0).seconds) } ?? .infinity
    last = now
    left = Self.level(frames, shift: 0, after: left, fall)
    right = Self.level(frames, shift: 16, after: right, fall)
  }

  private static func level(
    _ frames: UnsafeBufferPointer<UInt32>, shift: UInt32, after before: Level, _ fall: Double
  ) -> Level {
    var (sum, greatest) = (0.0, 0.0)
    for frame in frames {
      let sample = Double(Int16(truncatingIfNeeded: frame >> shift)) / 32_768
      sum += sample * sample
      greatest = max(greatest, abs(sample))
    }
    var level = Level()
    level.average = Decibels(power: frames.isEmpty ? 0 : sum / Double(frames.count))
    level.peak = max(Decibels(power: greatest * greatest), Decibels(before.peak.value - fall))
    return level
  }
}
