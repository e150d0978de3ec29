import Units

/// The waiting times of the render thread.
enum RenderTiming {
  /// Returns the frames of silence after the sound: five seconds for a card, so that it need not restart; one chunk for
  /// a pipe's reader, to push the last sound out.
  @_noLocks @_noAllocation
  static func silence(for sink: Sink) -> Int { sink.isFed() ? sink.periodFrames : 5 &* Int(sink.rate.hertz) }

  /// Returns the frames that a sink without a clock waits before the thread rests.
  @_noLocks @_noAllocation
  static func idle(at rate: SampleRate) -> Int { Int(rate.hertz) / 10 }

  /// Returns the maximum nanoseconds between two checks for new periods.
  @_noLocks @_noAllocation
  static func longestWait() -> Int64 { 10_000_000 }

  /// Returns the nanoseconds between checks for a sink without a clock.
  @_noLocks @_noAllocation
  static func shortWait() -> Int64 { 1_000_000 }

  /// Returns the wait for a sink that needs data after `nanoseconds`.
  @_noLocks @_noAllocation
  static func wait(of nanoseconds: Int64, for sink: Sink) -> Int64 {
    min(sink.isFed() ? max(nanoseconds, shortWait()) : nanoseconds, longestWait())
  }

  /// Returns the milliseconds between heartbeats of a resting thread (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  static func longestRest() -> Int32 { 1_000 }

  /// Returns the milliseconds to rest while the sink has `frames` to play; short for a pipe's reader, whose progress is
  /// followed.
  @_noLocks @_noAllocation
  static func rest(while frames: Int64, in sink: Sink) -> Int32 {
    if !sink.isFed() || frames <= 0 { return longestRest() }
    return Int32(truncatingIfNeeded: min(100, frames &* 1_000 / Int64(sink.rate.hertz) &+ 1))
  }
}
