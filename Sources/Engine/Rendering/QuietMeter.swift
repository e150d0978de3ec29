import Blocks
import Units

/// Measures the duration for which a programme has been quiet (F3), before volume and fades: the mean square over
/// 400 ms of the louder channel, compared with the limit on the `StatusBoard`. Render thread.
struct QuietMeter: BitwiseCopyable {
  private var left = 0.0
  private var right = 0.0
  private var count = 0
  private var quietMicroseconds: Int64 = 0

  /// Forgets the audio so far: another programme begins.
  @_noLocks @_noAllocation
  mutating func restart(_ board: UnsafePointer<StatusBoard>) {
    (left, right) = (0, 0)
    (count, quietMicroseconds) = (0, 0)
    board.pointee.quietMilliseconds.store(0, ordering: .releasing)
  }

  /// Measures frames of two samples each. Without a limit, does nothing.
  @_noLocks @_noAllocation
  mutating func measure(
    _ frames: UnsafePointer<Int32>, _ count: Int, at rate: SampleRate, _ board: UnsafePointer<StatusBoard>
  ) {
    let limit = board.pointee.quietLimit.load(ordering: .relaxed)
    if limit == 0 {
      if quietMicroseconds > 0 { restart(board) }
      return
    }
    for frame in 0..<count {
      let (one, other) = (Double(frames[2 &* frame]), Double(frames[2 &* frame &+ 1]))
      left += one * one
      right += other * other
    }
    self.count = self.count &+ count
    if self.count < Int(rate.hertz) &* 2 / 5 { return }
    let mean = max(left, right) / Double(self.count)
    let length = Int64(self.count) &* 1_000_000 / Int64(rate.hertz)
    quietMicroseconds = mean < Double(limit) ? quietMicroseconds &+ length : 0
    board.pointee.meanSquare.store(Int64(mean), ordering: .relaxed)
    board.pointee.quietMilliseconds.store(quietMicroseconds / 1_000, ordering: .releasing)
    (left, right, self.count) = (0, 0, 0)
  }
}
