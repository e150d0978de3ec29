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
  /// Frames that the pipe held when that changed last, -1 once it was given more, and when it was.
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
    fill = -1
  }

  /// Whether the reader takes nothing of what the pipe holds, by all looks since it was given something.
  @_noLocks @_noAllocation
  mutating func isStanding(fill: Int) -> Bool {
    let now = clock.now().nanoseconds
    if fill != self.fill { (self.fill, change) = (fill, now) }
    return fill > 0 && now &- change > Self.patience()
  }

  /// Frames until all is heard that was written, of which the pipe holds `fill`.
  @_noLocks @_noAllocation
  mutating func frames(fill: Int, delay: Int, _ rate: SampleRate) -> Int {
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
