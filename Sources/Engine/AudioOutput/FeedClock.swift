import System
import Units

/// Estimates when the last frame written to a pipe becomes audible. The reader, such as snapserver, consumes chunks in
/// real time and plays each frame after a constant delay. Each measurement moves the estimate only slightly, so the
/// audible position does not jump by a chunk. Render thread.
struct FeedClock: BitwiseCopyable {
  private let clock: Clock
  /// The time at which the last frame is audible, in nanoseconds.
  private var end: Int64 = 0
  /// The last fill level in frames, or -1 after the pipe accepted bytes; and the nanoseconds of its last change.
  private var fill = -1
  private var change: Int64 = 0

  /// Returns the maximum error in nanoseconds. After a larger error, the measurement replaces the estimate.
  @_noLocks @_noAllocation
  private static func jump() -> Int64 { 60_000_000 }

  /// Returns the maximum nanoseconds in which a working reader consumes something.
  @_noLocks @_noAllocation
  private static func patience() -> Int64 { 100_000_000 }

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  /// Records frames about to be written to a pipe, which may be empty. `delay`: the reader's, in frames.
  @_noLocks @_noAllocation
  mutating func recordWrite(_ frames: Int, delay: Int, _ rate: SampleRate) {
    let first = clock.now().nanoseconds &+ Self.nanoseconds(delay, rate)
    end = max(end, first) &+ Self.nanoseconds(frames, rate)
  }

  /// Records that the pipe accepted bytes, so its reader is working or had consumed everything.
  @_noLocks @_noAllocation
  mutating func recordProgress() { (fill, change) = (-1, clock.now().nanoseconds) }

  @_noLocks @_noAllocation
  mutating func isStanding(fill: Int) -> Bool { standing(fill) > Self.patience() }

  /// Returns the nanoseconds since the pipe last accepted bytes or its reader last consumed; 0 for an empty pipe.
  @_noLocks @_noAllocation
  private mutating func standing(_ fill: Int) -> Int64 {
    let now = clock.now().nanoseconds
    if fill != self.fill, self.fill >= 0 || fill == 0 { change = now }
    self.fill = fill
    return fill > 0 ? now &- change : 0
  }

  /// Returns the frames that stay unheard after the reader is gone: the unsent frames, the pipe's `fill`, and the
  /// reader's `delay` minus the time since it stalled. For an empty pipe, returns the estimate.
  @_noLocks @_noAllocation
  mutating func lost(unsent: Int, fill: Int, delay: Int, _ rate: SampleRate) -> Int {
    if fill == 0 { return max(unsent, frames(fill: 0, delay: delay, rate)) }
    let played = Int(standing(fill) / 1_000 &* Int64(rate.hertz) / 1_000_000)
    return unsent &+ fill &+ max(0, delay &- played)
  }

  /// Corrects the estimate by the pipe's `fill`. Returns the time until the last written frame is audible, in frames.
  @_noLocks @_noAllocation
  mutating func frames(fill: Int, delay: Int, _ rate: SampleRate) -> Int {
    _ = standing(fill)
    let now = clock.now().nanoseconds
    let seen = now &+ Self.nanoseconds(fill &+ delay, rate)
    if fill > 0 || end > seen {
      let off = seen &- end
      end = abs(off) > Self.jump() ? seen : end &+ off / 16
    }
    return Int(max(0, end &- now) / 1_000 &* Int64(rate.hertz) / 1_000_000)
  }

  /// Returns the frames of silence before the next written frame if the reader ran dry, otherwise 0.
  @_noLocks @_noAllocation
  func hole(delay: Int, _ rate: SampleRate) -> Int {
    let late = clock.now().nanoseconds &+ Self.nanoseconds(delay, rate) &- max(end, clock.now().nanoseconds)
    return late > Self.jump() ? Int(late / 1_000 &* Int64(rate.hertz) / 1_000_000) : 0
  }

  @_noLocks @_noAllocation
  private static func nanoseconds(_ frames: Int, _ rate: SampleRate) -> Int64 {
    Int64(frames) &* 1_000_000_000 / Int64(rate.hertz)
  }
}
