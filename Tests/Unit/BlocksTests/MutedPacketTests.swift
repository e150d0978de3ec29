import Testing
import Units

@testable import Blocks

/// Audible frames of a packet after a start inside a file.
struct MutedPacketTests {
  private static let rate = SampleRate(48_000)

  /// A packet of 960 frames, one second into the file, with `head` and `tail` frames trimmed.
  private static func packet(head: Int = 0, tail: Int = 0) -> PacketInfo {
    var info = PacketInfo(
      format: PacketFormat(codec: .opus, sampleRate: rate, channels: 2), byteCount: 100,
      duration: StreamTime(frames: FrameCount(960 - head - tail), at: rate), byteOffset: 0, followsGap: false)
    (info.mutedHead, info.mutedTail, info.isTrimmed) = (head, tail, head + tail > 0)
    return info
  }

  private static func heard(_ info: PacketInfo, from frame: Int) -> Range<Int> {
    var info = info
    let second = StreamTime(seconds: 1)
    info.mute(outside: second + StreamTime(frames: FrameCount(frame), at: rate)..<StreamTime(ticks: .max), at: second)
    return info.audible(of: 960)
  }

  @Test("The frames of a whole packet before the position are muted", arguments: [0, 1, 400, 960, 2_000])
  func whole(frame: Int) {
    #expect(Self.heard(Self.packet(), from: frame) == min(960, frame)..<960)
  }

  @Test("A trimmed packet is inaudible before the position, and otherwise unchanged")
  func trimmed() {
    for (head, tail) in [(312, 0), (0, 500), (312, 500), (0, 1), (959, 0), (0, 960)] {
      let packet = Self.packet(head: head, tail: tail)
      #expect(Self.heard(packet, from: 0) == head..<960 - tail || head + tail == 960)
      for frame in [960 - head - tail, 960, 48_000] { #expect(Self.heard(packet, from: frame).isEmpty) }
    }
  }

  @Test("A trimmed packet around the position is audible from there to within a frame")
  func trimmedInItsMidst() {
    for (head, tail) in [(312, 0), (0, 500), (312, 100), (100, 312)] {
      for frame in [1, 7, 100, 300] {
        let heard = Self.heard(Self.packet(head: head, tail: tail), from: frame)
        #expect(abs(heard.lowerBound - head - frame) <= 2 && abs(heard.upperBound - 960 + tail) <= 2, "\(heard)")
      }
    }
  }

  @Test("Muted frames of a trimmed packet retain their duration")
  func takesTime() {
    var info = Self.packet(head: 312)
    let before = info.duration
    info.mute(outside: StreamTime(seconds: 9)..<StreamTime(ticks: .max), at: .zero)
    #expect(info.duration == before && !info.isTrimmed)
  }
}
