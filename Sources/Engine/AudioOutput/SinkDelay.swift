import System
import Units

/// Tracks the frames that a sink has yet to play, by a card's, pipe reader's or pacing clock. Render thread.
struct SinkDelay: BitwiseCopyable {
  private let clock: Clock
  private var pacing: PacingClock
  private var reported: ToldDelay
  private var feed: FeedClock

  @_noLocks @_noAllocation
  init(by clock: Clock) {
    self.clock = clock
    (pacing, reported, feed) = (PacingClock(by: clock), ToldDelay(by: clock), FeedClock(by: clock))
  }

  mutating func attach() { (reported, feed) = (ToldDelay(by: clock), FeedClock(by: clock)) }

  @_noLocks @_noAllocation
  mutating func reset() { (pacing, feed) = (PacingClock(by: clock), FeedClock(by: clock)) }

  // MARK: Writing

  /// Records frames before they are written.
  @_noLocks @_noAllocation
  mutating func recordWrite(_ frames: Int, to sink: Sink) {
    reported.recordWrite()
    if sink.isFed() { feed.recordWrite(frames, delay: sink.readerDelay, sink.rate) }
  }

  @_noLocks @_noAllocation
  mutating func recordAccepted(_ frames: Int) { reported.recordAccepted(frames) }

  /// Records written frames, and waits if the pacing clock limits the sink, unless `waits` is false. Returns true after
  /// an underrun.
  @_noLocks @_noAllocation
  mutating func pace(_ frames: Int, _ sink: Sink, waits: Bool) -> Bool {
    sink.isPaced && pacing.consume(frames, capacity: waits ? sink.bufferFrames : Int.max, rate: sink.rate)
  }

  /// Waits until a paced sink has played everything; does not wait for a pipe's reader.
  @_noLocks @_noAllocation
  mutating func drain(_ sink: Sink) { if sink.isPaced { pacing.drain(sink.rate) } }

  /// Removes the last `count` frames, which the sink dropped before it played them.
  @_noLocks @_noAllocation
  mutating func recordRewind(_ count: Int, _ sink: Sink) {
    reported.recordAccepted(-count)
    if sink.isPaced { pacing.rewind(count, sink.rate) }
  }

  // MARK: Delay

  /// Returns the frames that the sink has yet to play; for a card that no longer reports, the minimum (`ToldDelay`).
  @_noLocks @_noAllocation
  mutating func frames(in sink: Sink) -> Int {
    if sink.isFed() { return feed.frames(fill: fill(of: sink), delay: sink.readerDelay, sink.rate) }
    guard let pcm = sink.pcm else { return sink.isPaced ? Int(pacing.delay(at: sink.rate)) : 0 }
    guard let delay = alsaDelay(pcm) else { return reported.guess(at: sink.rate) }
    reported.report(delay)
    return delay
  }

  /// Returns the frames that the sink has queued, without those that a card has fetched already; 0 if a card does not
  /// report them.
  @_noLocks @_noAllocation
  mutating func queued(in sink: Sink) -> Int {
    guard sink.canRewind, let pcm = sink.pcm else { return frames(in: sink) }
    return max(0, alsaQueued(pcm))
  }

  /// Returns the frames until the sink needs more. A card below its start threshold does not play yet. Its delay then
  /// counts as two periods at least, minus the time since the last write.
  @_noLocks @_noAllocation
  mutating func framesUntilDry(_ sink: Sink) -> Int {
    if sink.isFed() { return fill(of: sink) }
    let delay = frames(in: sink)
    guard let pcm = sink.pcm, alsaIsPrepared(pcm) else { return delay }
    return max(0, max(delay, 2 &* sink.framesAtOnce()) &- reported.framesSinceGiven(at: sink.rate))
  }

  @_noLocks @_noAllocation
  mutating func isStanding(_ sink: Sink) -> Bool { feed.isStanding(fill: fill(of: sink)) }

  @_noLocks @_noAllocation
  mutating func recordProgress() { feed.recordProgress() }

  @_noLocks @_noAllocation
  mutating func lost(in sink: Sink, unsent: Int) -> Int {
    if !sink.isFed() { return unsent &+ frames(in: sink) }
    return feed.lost(unsent: unsent, fill: fill(of: sink), delay: sink.readerDelay, sink.rate)
  }

  @_noLocks @_noAllocation
  func hole(in sink: Sink) -> Int { sink.isFed() ? feed.hole(delay: sink.readerDelay, sink.rate) : 0 }

  @_noLocks @_noAllocation
  func framesSinceGiven(at rate: SampleRate) -> Int { reported.framesSinceGiven(at: rate) }

  @_noLocks @_noAllocation
  private func fill(of sink: Sink) -> Int { pipeFill(sink.descriptor) / max(1, sink.bytesPerFrame()) }
}
