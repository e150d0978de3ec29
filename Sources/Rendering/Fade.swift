import Units

/// A straight ramp of loudness, 5 ms long, for what a listener cuts and what a fault tears.
///
/// The level is a fixed-point factor, 1.0 being 1 << 24. Belongs to the render thread.
struct Fade: BitwiseCopyable {
  private(set) var level: Int32 = 1 << 24
  private var step: Int32 = 0

  /// Begins in silence and rises.
  @_noLocks @_noAllocation
  mutating func rise(at rate: SampleRate) {
    level = 0
    step = Self.step(at: rate)
  }

  /// Falls from where it is.
  @_noLocks @_noAllocation
  mutating func fall(at rate: SampleRate) { step = -Self.step(at: rate) }

  /// Rises from where it is.
  @_noLocks @_noAllocation
  mutating func reopen(at rate: SampleRate) { step = Self.step(at: rate) }

  /// Whether it is on its way to silence.
  @_noLocks @_noAllocation
  func isFalling() -> Bool { step < 0 }

  /// Nothing is touched any more.
  @_noLocks @_noAllocation
  mutating func clear() {
    level = 1 << 24
    step = 0
  }

  /// Whether samples pass untouched.
  @_noLocks @_noAllocation
  func isOpen() -> Bool { level == 1 << 24 && step >= 0 }

  /// Whether nothing is heard any more.
  @_noLocks @_noAllocation
  func isClosed() -> Bool { level == 0 && step <= 0 }

  /// Frames until nothing is heard any more, while it falls.
  @_noLocks @_noAllocation
  func framesToSilence() -> Int { step < 0 ? Int((level &- step &- 1) / -step) : Int.max }

  /// The level for the next frame.
  @_noLocks @_noAllocation
  mutating func next() -> Int32 {
    level = max(0, min(1 << 24, level &+ step))
    return level
  }

  @_noLocks @_noAllocation
  private static func step(at rate: SampleRate) -> Int32 { (1 << 24) / max(1, rate.hertz / 200) }
}
