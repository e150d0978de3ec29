import Units

/// A linear fade of 5 ms, after a pause, tuning, seek or fault. Render thread.
struct Fade: BitwiseCopyable {
  /// Factor in the units of `Gain`.
  private(set) var level = Gain.unity
  private var step: Int32 = 0

  @_noLocks @_noAllocation
  mutating func rise(at rate: SampleRate) {
    level = 0
    step = Self.step(at: rate)
  }

  @_noLocks @_noAllocation
  mutating func fall(at rate: SampleRate) { step = -Self.step(at: rate) }

  @_noLocks @_noAllocation
  mutating func reopen(at rate: SampleRate) { step = Self.step(at: rate) }

  @_noLocks @_noAllocation
  func isFalling() -> Bool { step < 0 }

  @_noLocks @_noAllocation
  mutating func clear() {
    level = Gain.unity
    step = 0
  }

  @_noLocks @_noAllocation
  func isOpen() -> Bool { level == Gain.unity && step >= 0 }

  @_noLocks @_noAllocation
  func isClosed() -> Bool { level == 0 && step <= 0 }

  /// Returns the frames until silence during a fade-out, otherwise `Int.max`.
  @_noLocks @_noAllocation
  func framesToSilence() -> Int { step < 0 ? Int((level &- step &- 1) / -step) : Int.max }

  @_noLocks @_noAllocation
  mutating func next() -> Int32 {
    level = max(0, min(Gain.unity, level &+ step))
    return level
  }

  /// Returns the change of the level per frame.
  @_noLocks @_noAllocation
  static func step(at rate: SampleRate) -> Int32 { Gain.unity / frames(at: rate) }

  @_noLocks @_noAllocation
  static func frames(at rate: SampleRate) -> Int32 { max(1, rate.hertz / 200) }
}
