import Units

/// How long the render thread waits, and for what.
enum RenderTiming {
  /// Frames of silence that a sink is given after the sound: a card five seconds, so that it need not begin anew; a
  /// pipe's reader a chunk, so that the sound before it goes out, and then it finds that nothing is played.
  @_noLocks @_noAllocation
  static func silence(for sink: Sink) -> Int { sink.isFed() ? sink.periodFrames : 5 &* Int(sink.rate.hertz) }

  /// Frames that a sink without a clock is waited with before the thread rests.
  @_noLocks @_noAllocation
  static func idle(at rate: SampleRate) -> Int { Int(rate.hertz) / 10 }

  /// Nanoseconds until what a card is to be given is looked for again, at most.
  @_noLocks @_noAllocation
  static func longestWait() -> Int64 { 10_000_000 }

  /// Nanoseconds until that is done for a sink without a clock.
  @_noLocks @_noAllocation
  static func shortWait() -> Int64 { 1_000_000 }

  /// Nanoseconds of a wait until a sink needs more, which it does after so many.
  @_noLocks @_noAllocation
  static func wait(of nanoseconds: Int64, for sink: Sink) -> Int64 {
    min(sink.isFed() ? max(nanoseconds, shortWait()) : nanoseconds, longestWait())
  }

  /// Milliseconds that the thread rests where nobody calls it: it tells that it works (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  static func longestRest() -> Int32 { 1_000 }

  /// Milliseconds of a rest while the sink has still so many frames to play: what a pipe's reader plays is followed.
  @_noLocks @_noAllocation
  static func rest(while frames: Int64, in sink: Sink) -> Int32 {
    if !sink.isFed() || frames <= 0 { return longestRest() }
    return Int32(truncatingIfNeeded: min(100, frames &* 1_000 / Int64(sink.rate.hertz) &+ 1))
  }
}
