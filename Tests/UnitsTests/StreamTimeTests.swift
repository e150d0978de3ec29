import Testing
import Units

struct StreamTimeTests {
  static let usualRates: [Int32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
  ]

  @Test("Frames and ticks are the same length at every usual rate", arguments: usualRates)
  func framesAreExact(_ hertz: Int32) {
    let rate = SampleRate(hertz)
    #expect(StreamTime.ticksPerSecond % Int64(hertz) == 0)
    for frames in [0, 1, 576, 1_024, 1_152, 2_048, Int(hertz), Int(hertz) * 86_400 * 365 + 1] {
      let time = StreamTime(frames: FrameCount(frames), at: rate)
      #expect(time.frames(at: rate) == FrameCount(frames))
      #expect(StreamTime(ticks: time.ticks - 1).frames(at: rate) == FrameCount(max(0, frames - 1)))
    }
  }

  @Test("A day of packets adds up to a day", arguments: usualRates)
  func sumsAreExact(_ hertz: Int32) {
    let rate = SampleRate(hertz)
    let packet = StreamTime(frames: FrameCount(1_152), at: rate)
    var sum = StreamTime.zero
    for _ in 0..<Int(hertz) { sum += packet }
    #expect(sum.seconds == 1_152)
  }

  @Test func timeSurvivesAChangeOfRate() {
    let half = StreamTime(frames: FrameCount(22_050), at: .cd)
    let whole = half + StreamTime(frames: FrameCount(24_000), at: SampleRate(48_000))
    #expect(whole == StreamTime(seconds: 1))
    #expect(whole.frames(at: SampleRate(8_000)) == FrameCount(8_000))
  }

  @Test(
    "Seconds are rounded to the tick and clamped to the time line",
    arguments: [
      (0.0, 0), (1.0, 705_600_000), (-2.5, -1_764_000_000), (1e-9, 1), (.nan, 0),
      (.infinity, 1 << 62), (-.infinity, -(1 << 62)), (1e300, 1 << 62),
    ] as [(Double, Int64)])
  func secondsAreClamped(_ seconds: Double, _ ticks: Int64) {
    #expect(StreamTime(seconds: seconds).ticks == ticks)
  }

  @Test func negativeTimeHoldsNoFrames() {
    #expect(StreamTime(ticks: -1).frames(at: .cd) == .zero)
    #expect(StreamTime(ticks: .min).frames(at: .cd) == .zero)
  }

  @Test func sumsFromTheNetworkWrapInsteadOfTrapping() {
    #expect(StreamTime(ticks: .max) + StreamTime(ticks: 1) == StreamTime(ticks: .min))
    #expect(StreamTime(ticks: .min) - StreamTime(ticks: 1) == StreamTime(ticks: .max))
  }
}
