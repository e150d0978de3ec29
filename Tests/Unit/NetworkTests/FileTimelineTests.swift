import Blocks
import StationSupport
import Testing
import Units

@testable import Network

/// Times of a file's packets, and byte positions of times.
struct FileTimelineTests {
  private static let clip = Clip.mp3(20)
  private static let count = clip.bytes.count

  private func timeline(of packets: some Sequence<Clip.Packet>, isLocal: Bool = false) -> FileTimeline {
    var timeline = FileTimeline(byteCount: Self.count, isLocal: isLocal)
    for packet in packets { _ = packet.bytes.withUnsafeBytes { timeline.accept(packet.info, $0) } }
    return timeline
  }

  @Test("A constant bit rate is known from the first packets")
  func map() throws {
    var timeline = timeline(of: Self.clip.packets.prefix(40))
    let length = try #require(timeline.map?.length)
    #expect(timeline.isSettled && abs(length.seconds - Self.clip.duration) < 0.03)
    #expect(timeline.byte(for: .zero) == nil, "nothing is fixed yet")
    _ = timeline.fix()
    let first = try #require(timeline.byte(for: .zero))
    let later = try #require(timeline.byte(for: StreamTime(seconds: 10)))
    #expect(first == Self.clip.packets[0].info.byteOffset)
    let place = Self.clip.packets.last { $0.info.byteOffset <= later }
    #expect(place != nil && later > Self.count / 3 && later < Self.count / 2)
    let end = try #require(timeline.byte(for: StreamTime(seconds: 1_000)))
    #expect(end <= Self.count)
  }

  @Test("Packets follow each other, and after a jump their position decides")
  func times() {
    var timeline = timeline(of: Self.clip.packets.prefix(40))
    _ = timeline.fix()
    timeline.beginPart()
    let packets = Self.clip.packets
    let first = packets.prefix(3).map { timeline.time(of: $0.info).lowerBound.seconds }
    #expect(first[0] == 0 && abs(first[2] - 2 * packets[0].info.duration.seconds) < 1e-6)
    timeline.beginPart()
    #expect(timeline.time == nil)
    let later = timeline.time(of: packets[300].info).lowerBound.seconds
    #expect(abs(later - 300 * packets[0].info.duration.seconds) < 0.03)
    #expect(timeline.isTimed && timeline.stretchToCount == nil)
  }

  @Test("Tags after the audio are not part of its length")
  func tail() throws {
    var timeline = timeline(of: Self.clip.packets.prefix(40))
    let before = try #require(timeline.fix()?.length)
    timeline.record(tail: 16_000)
    let after = try #require(timeline.map?.length)
    #expect(abs((before - after).seconds - 1) < 0.03, "16 kB are a second at 128 kbit/s")
  }
}
