import System
import Units

/// Estimates when the last frame written to a pipe becomes audible. The reader, such as snapserver, consumes in real
/// time and plays each frame after a constant delay.
///
/// The reader consumes chunks, so each measurement of the pipe moves the estimate only slightly; the audible position
/// does not jump. Used by the render thread.
struct FeedClock: BitwiseCopyable {
  private let clock: Clock
  /// The time at which the last frame is audible, in nanoseconds.
  private var end: Int64 = 0
  /// The last fill level in frames and the time of its change; -1 after the pipe accepted more.
  private var fill = -1
  private var change: Int64 = 0

  /// The maximum error in nanoseconds; beyond it the reader is at fault, and the measurement replaces the estimate.
  @_noLocks @_noAllocation
  private static func jump() -> Int64 { 60_000_000 }

  /// The maximum time in nanoseconds in which a working reader consumes something.
  @_noLocks @_noAllocation
  private static func patience() -> Int64 { 100_000_000 }

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  /// Records frames written to a pipe that may be empty; the reader plays them `delay` frames after it reads them.
  @_noLocks @_noAllocation
  mutating func give(_ frames: Int, delay: Int, _ rate: SampleRate) {
    let first = clock.now().nanoseconds &+ Self.nanoseconds(delay, rate)
    end = max(end, first) &+ Self.nanoseconds(frames, rate)
  }

  /// Records that the pipe accepted bytes, so its reader is working or had consumed everything.
  @_noLocks @_noAllocation
  mutating func move() { (fill, change) = (-1, clock.now().nanoseconds) }

  /// Returns true if the reader has stalled with a nonempty pipe.
  @_noLocks @_noAllocation
  mutating func isStanding(fill: Int) -> Bool { standing(fill) > Self.patience() }

  /// Returns the nanoseconds since the reader last consumed from a nonempty pipe.
  @_noLocks @_noAllocation
  private mutating func standing(_ fill: Int) -> Int64 {
    let now = clock.now().nanoseconds
    if fill != self.fill, self.fill >= 0 || fill == 0 { change = now }
    self.fill = fill
    return fill > 0 ? now &- change : 0
  }

  /// Returns the frames that stay unheard after the reader is gone: `unsent` ones, the pipe's `fill`, and the reader's
  /// `delay` less the time since it stalled.
  @_noLocks @_noAllocation
  mutating func lost(unsent: Int, fill: Int, delay: Int, _ rate: SampleRate) -> Int {
    if fill == 0 { return max(unsent, frames(fill: 0, delay: delay, rate)) }
    let played = Int(standing(fill) / 1_000 &* Int64(rate.hertz) / 1_000_000)
    return unsent &+ fill &+ max(0, delay &- played)
  }

  /// Returns the frames until everything written is heard, including the pipe's `fill`.
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

  /// Returns the frames of silence before the next written frame, if the reader ran dry.
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
