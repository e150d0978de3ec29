import System
import Units

/// When the last frame is heard that was written to a pipe, by the clock of the program that reads it, as snapserver
/// does: it takes frames in real time, and plays each a fixed time after it took it.
///
/// The reader takes frames in chunks; what the pipe holds moves the estimate a little each time, so that the place that
/// is heard does not jump by a chunk. Belongs to the render thread.
struct FeedClock: BitwiseCopyable {
  private let clock: Clock
  /// When the last frame is heard, in nanoseconds.
  private var end: Int64 = 0
  /// Frames that the pipe held when that changed last, -1 once it took more, and when it was.
  private var fill = -1
  private var change: Int64 = 0

  /// An estimate that is off by more, in nanoseconds, is a fault of the reader's: what was measured counts.
  @_noLocks @_noAllocation
  private static func jump() -> Int64 { 60_000_000 }

  /// Nanoseconds in which a reader that works takes something.
  @_noLocks @_noAllocation
  private static func patience() -> Int64 { 100_000_000 }

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  /// Frames are written to a pipe that the reader may have emptied; it plays `delay` frames after it takes them.
  @_noLocks @_noAllocation
  mutating func give(_ frames: Int, delay: Int, _ rate: SampleRate) {
    let first = clock.now().nanoseconds &+ Self.nanoseconds(delay, rate)
    end = max(end, first) &+ Self.nanoseconds(frames, rate)
  }

  /// The pipe took some: its reader had made room, or had all there was.
  @_noLocks @_noAllocation
  mutating func move() { (fill, change) = (-1, clock.now().nanoseconds) }

  /// Whether the reader takes nothing of what the pipe holds, by all looks since it was given something.
  @_noLocks @_noAllocation
  mutating func isStanding(fill: Int) -> Bool { standing(fill) > Self.patience() }

  /// Nanoseconds for which the reader has taken nothing of what the pipe holds.
  @_noLocks @_noAllocation
  private mutating func standing(_ fill: Int) -> Int64 {
    let now = clock.now().nanoseconds
    if fill != self.fill, self.fill >= 0 || fill == 0 { change = now }
    self.fill = fill
    return fill > 0 ? now &- change : 0
  }

  /// Frames that nobody heard or will hear of what was written to a pipe whose reader is gone, and of those that it had
  /// not taken. The rooms play what the reader gave them before; one that stood gave them nothing meanwhile.
  @_noLocks @_noAllocation
  mutating func lost(unsent: Int, fill: Int, delay: Int, _ rate: SampleRate) -> Int {
    if fill == 0 { return max(unsent, frames(fill: 0, delay: delay, rate)) }
    let played = Int(standing(fill) / 1_000 &* Int64(rate.hertz) / 1_000_000)
    return unsent &+ fill &+ max(0, delay &- played)
  }

  /// Frames until all is heard that was written, of which the pipe holds `fill`.
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

  /// Frames of silence that the rooms hear before a frame that is written now, since the reader had nothing to take.
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
