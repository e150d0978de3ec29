import Testing
import Units

struct UnitTests {
  @Test(
    "A bit rate is bytes over time",
    arguments: [
      (16_000, 1.0, 128_000), (417, 0.026_122_448_979_591_835, 127_706), (0, 1.0, 0), (1, 8.0, 1),
    ])
  func bitRate(_ bytes: Int, _ seconds: Double, _ expected: Int) throws {
    let rate = try #require(BitRate(ByteCount(bytes), over: StreamTime(seconds: seconds)))
    #expect(rate.bitsPerSecond == expected)
  }

  @Test func bitRateNeedsTimeAndBytes() {
    #expect(BitRate(ByteCount(1), over: .zero) == nil)
    #expect(BitRate(ByteCount(1), over: StreamTime(ticks: -1)) == nil)
    #expect(BitRate(ByteCount(-1), over: StreamTime(ticks: 1)) == nil)
  }

  @Test func bitRateBeyondAllReasonIsClamped() {
    #expect(BitRate(ByteCount(.max), over: StreamTime(ticks: 1))?.bitsPerSecond == .max)
  }

  @Test(
    "A bit rate reads as people say it", arguments: [(128_000, "128 kbit/s"), (64_499, "64 kbit/s"), (500, "1 kbit/s")])
  func bitRateText(_ bits: Int, _ text: String) {
    #expect(BitRate(bitsPerSecond: bits).description == text)
  }

  @Test(
    "poll(2) never wakes too early",
    arguments: [
      (0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2), (-1, 0), (.min, 0), (.max, .max),
    ] as [(Int64, Int32)])
  func millisecondsAreRoundedUp(_ nanoseconds: Int64, _ milliseconds: Int32) {
    #expect(MonotonicTime(nanoseconds: nanoseconds).milliseconds == milliseconds)
  }

  @Test func neverStaysNever() {
    #expect(MonotonicTime.never + MonotonicTime(nanoseconds: 1) == .never)
    #expect(MonotonicTime(milliseconds: 2) + MonotonicTime(milliseconds: 3) == MonotonicTime(milliseconds: 5))
    #expect(MonotonicTime(milliseconds: 2) - MonotonicTime(milliseconds: 3) == MonotonicTime(milliseconds: -1))
  }

  @Test(
    "Seconds of the clock are rounded and clamped",
    arguments: [
      (0.0, 0), (1.5, 1_500_000_000), (.nan, 0), (.infinity, 1 << 62), (-1e300, -(1 << 62)),
    ] as [(Double, Int64)])
  func clockSeconds(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(MonotonicTime(seconds: seconds).nanoseconds == nanoseconds)
  }

  @Test(
    "A rate that the world names is checked",
    arguments: [(0, false), (-1, false), (1, true), (768_000, true), (768_001, false), (.max, false)])
  func rates(_ hertz: Int, _ isRate: Bool) {
    #expect((SampleRate(checking: hertz) != nil) == isRate)
  }

  @Test func countsAreCompared() {
    #expect(ByteCount.kibi(2) == ByteCount(2_048))
    #expect(ByteCount(1) < ByteCount(2))
    #expect(FrameCount(3) - FrameCount(1) == FrameCount(1) + FrameCount(1))
  }
}
