import Units

/// A straight ramp of loudness, 5 ms long, for what a listener cuts and what a fault tears.
///
/// The level is a factor as `Gain` says. Belongs to the render thread.
struct Fade: BitwiseCopyable {
  private(set) var level = Gain.unity
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
    level = Gain.unity
    step = 0
  }

  /// Whether samples pass untouched.
  @_noLocks @_noAllocation
  func isOpen() -> Bool { level == Gain.unity && step >= 0 }

  /// Whether nothing is heard any more.
  @_noLocks @_noAllocation
  func isClosed() -> Bool { level == 0 && step <= 0 }

  /// Frames until nothing is heard any more, while it falls.
  @_noLocks @_noAllocation
  func framesToSilence() -> Int { step < 0 ? Int((level &- step &- 1) / -step) : Int.max }

  /// The level for the next frame.
  @_noLocks @_noAllocation
  mutating func next() -> Int32 {
    level = max(0, min(Gain.unity, level &+ step))
    return level
  }

  /// What a level changes by with each frame.
  @_noLocks @_noAllocation
  static func step(at rate: SampleRate) -> Int32 { Gain.unity / frames(at: rate) }

  /// Frames of the 5 ms from silence to all, or back.
  @_noLocks @_noAllocation
  static func frames(at rate: SampleRate) -> Int32 { max(1, rate.hertz / 200) }
}
