import Units

/// How long the render thread waits, and for what.
enum RenderTiming {
  /// Frames of silence that a card is given after the sound, so that it need not begin anew.
  @_noLocks @_noAllocation
  static func silence(at rate: SampleRate) -> Int { 5 &* Int(rate.hertz) }

  /// Frames that a sink without a clock is waited with before the thread rests.
  @_noLocks @_noAllocation
  static func idle(at rate: SampleRate) -> Int { Int(rate.hertz) / 10 }

  /// Nanoseconds until what a card is to be given is looked for again, at most.
  @_noLocks @_noAllocation
  static func longestWait() -> Int64 { 10_000_000 }

  /// Nanoseconds until that is done for a sink without a clock.
  @_noLocks @_noAllocation
  static func shortWait() -> Int64 { 1_000_000 }

  /// Milliseconds that the thread rests where nobody calls it: it tells that it works (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  static func longestRest() -> Int32 { 1_000 }
}
