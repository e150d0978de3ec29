import Blocks
import Testing
import Units

@testable import RadioEngine

@Suite struct UndecodedRunTests {
  /// Seconds and bytes of a packet, and the number of the packet that reaches the limit.
  static let cases: [(duration: Double, byteCount: Int, last: Int)] = [
    (0.025, 400, 400), (0.025, 1_000, 256), (0.1, 100, 100), (10, 1, 1), (0, 256_000, 1), (0, 100, 2_560),
  ]

  @Test("Ten seconds or 256 KB of undecoded packets are reported once", arguments: cases)
  func isSpent(duration: Double, byteCount: Int, last: Int) {
    var run = UndecodedRun()
    let format = PacketFormat(codec: .aac, sampleRate: SampleRate(44_100), channels: 2)
    let info = PacketInfo(
      format: format, byteCount: byteCount, duration: StreamTime(seconds: duration), byteOffset: 0, followsGap: false)
    let told = (1...last + 1_000).filter { _ in run.isSpent(by: info) }
    #expect(told == [last])
  }

  /// Decoded frames of each packet, and the expected result at the end.
  static let programmes: [(frameCounts: [Int], isSilent: Bool)] = [
    ([], false), ([0], true), ([0, 0, 0], true), ([1_152], false), ([0, 1], false), ([1_024, 0], false),
  ]

  @Test("A programme is silent if it has packets, and none contains a frame", arguments: programmes)
  func isSilent(frameCounts: [Int], isSilent: Bool) {
    var run = UndecodedRun()
    for count in frameCounts { run.record(frameCount: count) }
    #expect(run.isSilentProgramme == isSilent)
  }
}
