import Blocks
import Units

/// The tone of a fallback chain (F4) or of an alarm. Arithmetic makes it: no decoder, memory or library takes part.
/// Render thread.
///
/// A fallback's tone has 440 Hz and half a second, every ten seconds, at -30 dBFS and the volume of the board. An
/// alarm's tone has 880 Hz and half a second in each second, and rises from -30 dBFS to -10 dBFS within a minute,
/// whatever the volume.
public struct Tone: BitwiseCopyable {
  /// True for the tone of an alarm.
  private var isAlarm = false
  /// Frames since the start of the last tone.
  private var frame: Int64 = 0
  /// The peak of an alarm's current tone, as a 24-bit sample.
  private var alarmPeak = 0.0

  /// Creates a tone that starts with the next frame.
  @_noLocks @_noAllocation
  public init() {}

  /// Returns true if the control thread wants a tone. Otherwise the next tone starts with its first frame.
  @_noLocks @_noAllocation
  public mutating func isWanted(_ board: UnsafePointer<StatusBoard>) -> Bool {
    let hasAlarm = board.pointee.hasAlarmTone.load(ordering: .acquiring)
    let isOn = hasAlarm || board.pointee.hasTone.load(ordering: .acquiring)
    if !isOn || hasAlarm != isAlarm { restart() }
    isAlarm = hasAlarm
    return isOn
  }

  /// Starts the tone with the next frame.
  @_noLocks @_noAllocation
  public mutating func restart() {
    frame = 0
    alarmPeak = Self.peak
  }

  /// Writes `count` frames of two samples each: tone or silence.
  @_noLocks @_noAllocation
  public mutating func render(
    into out: UnsafeMutablePointer<Int32>, count: Int, at rate: SampleRate, _ board: UnsafePointer<StatusBoard>
  ) {
    let volume = Double(board.pointee.gain.load(ordering: .relaxed)) / Double(Gain.unity)
    let (length, ramp) = (Int64(rate.hertz) / 2, max(1, Int64(rate.hertz) / 200))
    let interval = (isAlarm ? 1 : Self.interval) &* Int64(rate.hertz)
    for index in 0..<count {
      var sample: Int32 = 0
      if frame < length {
        let edge = min(ramp, min(frame, length &- 1 &- frame))
        let turns = Double(frame &* hertz() % Int64(rate.hertz)) / Double(rate.hertz)
        let factor = isAlarm ? alarmPeak : Self.peak * volume
        sample = Int32(Self.sine(turns) * factor * Double(edge) / Double(ramp))
      }
      out[2 &* index] = sample
      out[2 &* index &+ 1] = sample
      frame = frame &+ 1
      if frame >= interval {
        frame = 0
        alarmPeak = min(Self.maxAlarmPeak, alarmPeak * Self.alarmGrowth)
      }
    }
  }

  @_noLocks @_noAllocation
  private func hertz() -> Int64 { isAlarm ? 880 : 440 }

  /// Seconds between two starts of a fallback's tone.
  private static var interval: Int64 { 10 }
  /// -30 dBFS as a 24-bit sample.
  private static var peak: Double { 265_271 }
  /// -10 dBFS as a 24-bit sample.
  private static var maxAlarmPeak: Double { 2_652_710 }
  /// A third of a dB: 20 dB in 60 tones.
  private static var alarmGrowth: Double { 1.039122 }

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
