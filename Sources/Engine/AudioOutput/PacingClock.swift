import System
import Units

/// Simulates a sound card's clock: consumes frames in real time with a limited buffer. Render thread.
struct PacingClock: BitwiseCopyable {
  private let clock: Clock
  private var start: Int64 = 0
  private var written: Int64 = 0
  private var isRunning = false

  @_noLocks @_noAllocation
  init(by clock: Clock) { self.clock = clock }

  /// Adds `count` frames, and waits until at most `capacity` frames are unplayed. Returns true after an underrun.
  @_noLocks @_noAllocation
  mutating func consume(_ count: Int, capacity: Int, rate: SampleRate) -> Bool {
    let now = clock.now().nanoseconds
    let ranDry = isRunning && delay(now, rate) < 0
    if !isRunning || ranDry {
      start = now
      written = 0
      isRunning = true
    }
    written = written &+ Int64(count)
    let surplus = written &- Int64(capacity)
    if surplus > 0 { sleep(for: surplus, rate) }
    return ranDry
  }

  /// Removes the last `count` unplayed frames.
  @_noLocks @_noAllocation
  mutating func rewind(_ count: Int, _ rate: SampleRate) {
    written = written &- Int64(count)
    // An empty sink stands, and is not late for its next frame.
    if delay(at: rate) == 0 { isRunning = false }
  }

  /// Returns the unplayed frames.
  @_noLocks @_noAllocation
  func delay(at rate: SampleRate) -> Int64 { isRunning ? max(0, delay(clock.now().nanoseconds, rate)) : 0 }

  @_noLocks @_noAllocation
  mutating func drain(_ rate: SampleRate) {
    if isRunning { sleep(for: written, rate) }
    isRunning = false
  }

  /// Sleeps until `frames` frames have played since the start.
  @_noLocks @_noAllocation
  private func sleep(for frames: Int64, _ rate: SampleRate) {
    clock.sleep(until: MonotonicTime(nanoseconds: start &+ Self.nanoseconds(frames, rate)))
  }

  @_noLocks @_noAllocation
  private func delay(_ now: Int64, _ rate: SampleRate) -> Int64 {
    let elapsed = now &- start
    let whole = elapsed / 1_000_000_000 &* Int64(rate.hertz)
    return written &- whole &- elapsed % 1_000_000_000 &* Int64(rate.hertz) / 1_000_000_000
  }

  @_noLocks @_noAllocation
  private static func nanoseconds(_ frames: Int64, _ rate: SampleRate) -> Int64 {
    frames / Int64(rate.hertz) &* 1_000_000_000 &+ frames % Int64(rate.hertz) &* 1_000_000_000 / Int64(rate.hertz)
  }
}
