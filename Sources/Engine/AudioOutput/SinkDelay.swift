import System
import Units

/// What a sink has still to play, by whichever clock it goes: a card's, the reader's of a pipe, or our own. The render
/// thread's.
struct SinkDelay: BitwiseCopyable {
  private let clock: Clock
  private var pacing: PacingClock
  private var told: ToldDelay
  private var feed: FeedClock

  @_noLocks @_noAllocation
  init(by clock: Clock) {
    self.clock = clock
    (pacing, told, feed) = (PacingClock(by: clock), ToldDelay(by: clock), FeedClock(by: clock))
  }

  /// Another sink, in which there is nothing.
  mutating func attach() { (told, feed) = (ToldDelay(by: clock), FeedClock(by: clock)) }

  /// Nothing is left of what a pipe was given.
  @_noLocks @_noAllocation
  mutating func forget() { (pacing, feed) = (PacingClock(by: clock), FeedClock(by: clock)) }

  // MARK: Giving

  /// So many frames are about to be given to the sink.
  @_noLocks @_noAllocation
  mutating func give(_ frames: Int, to sink: Sink) {
    told.give()
    if sink.isFed() { feed.give(frames, delay: sink.readerDelay, sink.rate) }
  }

  /// A card took so many.
  @_noLocks @_noAllocation
  mutating func take(_ frames: Int) { told.take(frames) }

  /// The sink was given so many, and where our own clock paces it, they are waited for. True where it had run dry.
  @_noLocks @_noAllocation
  mutating func pace(_ frames: Int, _ sink: Sink) -> Bool {
    sink.isPaced && pacing.take(frames, capacity: sink.bufferFrames, rate: sink.rate)
  }

  /// Waits until a sink without a card's clock has played all; a pipe's reader is not waited for.
  @_noLocks @_noAllocation
  mutating func drain(_ sink: Sink) { if sink.isPaced { pacing.drain(sink.rate) } }

  // MARK: What there is

  /// Frames that the sink has still to play. A card that does not tell, since it is gone, has come as far as it can
  /// have since it last told.
  @_noLocks @_noAllocation
  mutating func frames(in sink: Sink) -> Int {
    if sink.isFed() { return feed.frames(fill: fill(of: sink), delay: sink.readerDelay, sink.rate) }
    guard let pcm = sink.pcm else { return sink.isPaced ? Int(pacing.delay(at: sink.rate)) : 0 }
    guard let delay = alsaDelay(pcm) else { return told.guess(at: sink.rate) }
    told.tell(delay)
    return delay
  }

  /// Frames until the sink needs more. A card that was given less than it starts with does not play yet: nothing is
  /// late there, so that more is waited for as long as two periods take, or what it was given, and no longer.
  @_noLocks @_noAllocation
  mutating func framesUntilDry(_ sink: Sink) -> Int {
    if sink.isFed() { return fill(of: sink) }
    let delay = frames(in: sink)
    guard let pcm = sink.pcm, alsaIsPrepared(pcm) else { return delay }
    return max(0, max(delay, 2 &* sink.framesAtOnce()) &- told.framesSinceGiven(at: sink.rate))
  }

  /// Whether a pipe's reader takes nothing of what it was given.
  @_noLocks @_noAllocation
  mutating func isStanding(_ sink: Sink) -> Bool { feed.isStanding(fill: fill(of: sink)) }

  /// A pipe took some of what waited.
  @_noLocks @_noAllocation
  mutating func move() { feed.move() }

  /// Frames that are unheard of what a named pipe was given, whose reader is gone; so many it had not taken.
  @_noLocks @_noAllocation
  mutating func lost(in sink: Sink, unsent: Int) -> Int {
    if !sink.isFed() { return unsent &+ frames(in: sink) }
    return feed.lost(unsent: unsent, fill: fill(of: sink), delay: sink.readerDelay, sink.rate)
  }

  /// Frames of silence that come before the next frame in a pipe whose reader had nothing to take.
  @_noLocks @_noAllocation
  func hole(in sink: Sink) -> Int { sink.isFed() ? feed.hole(delay: sink.readerDelay, sink.rate) : 0 }

  /// Frames that would have been played since the sink was last given some.
  @_noLocks @_noAllocation
  func framesSinceGiven(at rate: SampleRate) -> Int { told.framesSinceGiven(at: rate) }

  @_noLocks @_noAllocation
  private func fill(of sink: Sink) -> Int { pipeFill(sink.descriptor) / max(1, sink.bytesPerFrame()) }
}
