import Blocks
import Units

/// A tone of 440 Hz and half a second, every ten seconds, at -30 dBFS (F4). Arithmetic makes it: no decoder, memory or
/// library takes part. Render thread.
public struct Tone: BitwiseCopyable {
  /// Frames since the start of the last tone.
  private var frame: Int64 = 0

  /// Creates a tone that starts with the next frame.
  @_noLocks @_noAllocation
  public init() {}

  /// Returns true if the control thread wants the tone. Otherwise the next tone starts with its first frame.
  @_noLocks @_noAllocation
  public mutating func isWanted(_ board: UnsafePointer<StatusBoard>) -> Bool {
    if board.pointee.hasTone.load(ordering: .acquiring) { return true }
    restart()
    return false
  }

  /// Starts the tone with the next frame.
  @_noLocks @_noAllocation
  public mutating func restart() { frame = 0 }

  /// Writes `count` frames of two samples each: tone or silence, at the volume of the board.
  @_noLocks @_noAllocation
  public mutating func render(
    into out: UnsafeMutablePointer<Int32>, count: Int, at rate: SampleRate, _ board: UnsafePointer<StatusBoard>
  ) {
    let factor = Self.peak * Double(board.pointee.gain.load(ordering: .relaxed)) / Double(Gain.unity)
    let (length, ramp) = (Int64(rate.hertz) / 2, max(1, Int64(rate.hertz) / 200))
    for index in 0..<count {
      var sample: Int32 = 0
      if frame < length {
        let edge = min(ramp, min(frame, length &- 1 &- frame))
        let turns = Double(frame &* Self.hertz % Int64(rate.hertz)) / Double(rate.hertz)
        sample = Int32(Self.sine(turns) * factor * Double(edge) / Double(ramp))
      }
      out[2 &* index] = sample
      out[2 &* index &+ 1] = sample
      frame = frame &+ 1
      if frame >= Self.interval &* Int64(rate.hertz) { frame = 0 }
    }
  }

  /// 440 Hz.
  private static var hertz: Int64 { 440 }
  /// Seconds between two starts.
  private static var interval: Int64 { 10 }
  /// -30 dBFS as a 24-bit sample.
  private static var peak: Double { 265_271 }

  /// Returns the sine of an angle in turns, 0 to 1, by its series; the error is below 4e-6.
  @_noLocks @_noAllocation
  private static func sine(_ turns: Double) -> Double {
    let folded = turns > 0.75 ? turns - 1 : turns > 0.25 ? 0.5 - turns : turns
    let angle = folded * 6.283185307179586
    let square = angle * angle
    let tail = 1.0 / 362_880
    return angle * (1 + square * (-1.0 / 6 + square * (1.0 / 120 + square * (-1.0 / 5_040 + square * tail))))
  }
}
