import Units

/// The waiting times of the render thread.
enum RenderTiming {
  /// Returns the frames of silence after the programme: one chunk for a pipe's reader, to push the last frames out;
  /// otherwise five seconds, so that a card need not restart.
  @_noLocks @_noAllocation
  static func silence(for sink: Sink) -> Int { sink.isFed() ? sink.periodFrames : 5 &* Int(sink.rate.hertz) }

  /// Returns the frames of silence to write at once: at most 20 ms to a paced pipe or file, because the next programme
  /// follows after this silence.
  @_noLocks @_noAllocation
  static func silentFramesAtOnce(for sink: Sink) -> Int {
    sink.isPaced && !sink.canRewind ? min(sink.framesAtOnce(), Int(sink.rate.hertz) / 50) : sink.framesAtOnce()
  }

  /// Returns the frames, 100 ms, after which the thread rests if a sink without a clock received no more.
  @_noLocks @_noAllocation
  static func idle(at rate: SampleRate) -> Int { Int(rate.hertz) / 10 }

  /// Returns the maximum nanoseconds between two checks for new periods.
  @_noLocks @_noAllocation
  static func maxWait() -> Int64 { 10_000_000 }

  /// Returns the nanoseconds between checks for a sink without a clock.
  @_noLocks @_noAllocation
  static func shortWait() -> Int64 { 1_000_000 }

  /// Returns the nanoseconds to wait for a sink that needs frames after `nanoseconds`.
  @_noLocks @_noAllocation
  static func wait(of nanoseconds: Int64, for sink: Sink) -> Int64 {
    min(sink.isFed() ? max(nanoseconds, shortWait()) : nanoseconds, maxWait())
  }

  /// Returns the milliseconds between heartbeats of a resting thread (`StatusBoard.renderBeat`).
  @_noLocks @_noAllocation
  static func maxRest() -> Int32 { 1_000 }

  /// Returns the milliseconds to rest while the sink has `frames` to play. At most 100 for a pipe's reader, because its
  /// progress is published after each rest.
  @_noLocks @_noAllocation
  static func rest(while frames: Int64, in sink: Sink) -> Int32 {
    if !sink.isFed() || frames <= 0 { return maxRest() }
    return Int32(truncatingIfNeeded: min(100, frames &* 1_000 / Int64(sink.rate.hertz) &+ 1))
  }
}
