import Blocks
import Glibc

/// Drops frames that a sink has queued and not played: a programme that the listener left, or silence before audio.
/// Render thread.
struct SinkRewinder: ~Copyable {
  private var recent: RecentFrames
  /// Frames of complete silence at the end of the sink's queue.
  private(set) var silence = 0

  init(in arena: Arena) { recent = RecentFrames(in: arena) }

  /// Forgets all frames, because the sink is new or empty.
  @_noLocks @_noAllocation
  mutating func clear() {
    recent.clear()
    silence = 0
  }

  /// Records frames that are written to a sink.
  @_noLocks @_noAllocation
  mutating func record(_ frames: UnsafePointer<Int32>, _ count: Int, to sink: Sink) {
    silence = 0
    if sink.canRewind { recent.append(frames, count) }
  }

  /// Records that the last frames, after `earlier` frames of silence, are silent.
  @_noLocks @_noAllocation
  mutating func record(silence count: Int, after earlier: Int) { silence = earlier &+ count }

  /// Drops up to `count` of the `queued` frames of a sink, at least `minimum`, and copies the first `minimum` to `out`.
  /// Returns the number of dropped frames.
  @_noLocks @_noAllocation
  mutating func drop(
    _ count: Int, of queued: Int, atLeast minimum: Int, from sink: inout Sink, _ delay: inout SinkDelay,
    into out: UnsafeMutablePointer<Int32>
  ) -> Int {
    let possible = min(count, min(queued &- sink.fetchedFrames, recent.count()))
    guard sink.canRewind, possible > 0, possible >= minimum else { return 0 }
    var dropped = possible
    if let pcm = sink.pcm { dropped = alsaRewind(pcm, possible) }
    guard dropped > 0 else {
      // After an underrun the card has nothing to drop. A refusal is permanent.
      if dropped < 0 && dropped != -Int(EPIPE) && dropped != -Int(ESTRPIPE) { sink.canRewind = false }
      return 0
    }
    delay.recordRewind(dropped, sink)
    recent.remove(dropped, first: minimum, into: out)
    silence = max(0, silence &- dropped)
    return dropped
  }
}
