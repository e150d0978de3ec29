import Blocks
@testable import Listings
import Testing
import Units

@testable import Network

/// Times of an HLS station's segments in the programme.
@Suite struct SegmentTimelineTests {
  private static func list(_ first: UInt64, _ seconds: [Int]) throws -> SegmentList {
    let segments = seconds.map { "#EXTINF:\($0),\na\n" }.joined()
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(segments)"
    var reader = HlsPlaylistReader()
    reader.append(Array(text.utf8).span)
    guard case .media(let list) = try reader.finish() else { throw HlsPlaylistError.notPlaylist }
    return list
  }

  private static func seconds(_ time: StreamTime?) -> Double? { time?.seconds }

  @Test("The first list's first segment starts at zero, and the others follow by length")
  func begins() throws {
    let list = try Self.list(10, [4, 6, 2])
    let timeline = SegmentTimeline(list)
    #expect([10, 11, 12, 13].map { Self.seconds(timeline.time(of: $0, in: list)) } == [0, 4, 10, 12])
    #expect(timeline.segmentStart(at: StreamTime(seconds: 9.9), in: list)?.sequence == 11)
    #expect(timeline.segmentStart(at: StreamTime(seconds: 10), in: list)?.sequence == 12)
    #expect(timeline.segmentStart(at: StreamTime(seconds: -3), in: list)?.sequence == 10)
    #expect(timeline.segmentStart(at: StreamTime(seconds: 99), in: list)?.sequence == 12)
    let window = timeline.window(of: list, live: 12)
    #expect(
      window == ProgrammeWindow(oldest: .zero, live: StreamTime(seconds: 10), end: StreamTime(seconds: 12)))
  }

  @Test("A list's dates give the broadcast time (H4)")
  func dates() throws {
    var list = try Self.list(10, [4, 6, 2])
    var timeline = SegmentTimeline(list)
    #expect(timeline.window(of: list, live: 12)?.date(of: .zero) == nil)
    let noon: Int64 = 1_800_000_000
    for (place, seconds) in [Int64(0), 4, 10].enumerated() {
      list.segments[place].date = (noon + seconds) * 1_000_000_000
    }
    let window = try #require(timeline.window(of: list, live: 12))
    #expect([0, 4.5, 12].map { window.date(of: StreamTime(seconds: $0)) } == [noon, noon + 4, noon + 12])
    // Segment durations differ from the list; the newest value is correct.
    timeline.record(12, at: StreamTime(seconds: 9))
    #expect(timeline.window(of: list, live: 12)?.date(of: StreamTime(seconds: 9)) == noon + 10)
    list.segments[2].date = .max
    #expect(timeline.window(of: list, live: 12)?.date(of: StreamTime(ticks: .max)) == nil)
  }

  @Test("A later list is placed by a common segment, or by the missing ones")
  func moves() throws {
    let (first, second, third) = (
      try Self.list(10, [4, 6, 2]), try Self.list(12, [2, 5]), try Self.list(20, [3])
    )
    var timeline = SegmentTimeline(first)
    timeline.follow(from: first, to: second)
    #expect(Self.seconds(timeline.time(of: 13, in: second)) == 12)
    timeline.follow(from: second, to: third)
    // Six unlisted segments, each of one target duration.
    #expect(Self.seconds(timeline.time(of: 20, in: third)) == 54.0)
  }

  @Test("Buffered packets override the list; a restarted count has no time")
  func notes() throws {
    let list = try Self.list(10, [4, 6, 2])
    var timeline = SegmentTimeline(list)
    timeline.record(11, at: StreamTime(seconds: 4.5))
    #expect([10, 12].map { Self.seconds(timeline.time(of: $0, in: list)) } == [0.5, 10.5])
    // A list with an older start does not reach before zero.
    let longer = try Self.list(8, [4, 4, 4, 6])
    #expect(timeline.window(of: longer, live: 11)?.oldest == .zero)
    timeline.forget()
    let (time, window) = (timeline.time(of: 11, in: list), timeline.window(of: list, live: 11))
    #expect(time == nil && window == nil)
  }

  @Test("On the way to a goal, unneeded packets are skipped and the others muted")
  func goal() {
    var goal = SegmentGoal(place: StreamTime(seconds: 1), clock: .zero)
    let format = PacketFormat(codec: .mpegLayer3, sampleRate: SampleRate(48_000), channels: 2)
    var fates: [SegmentGoal.Fate] = []
    var muted: [Int] = []
    for _ in 0..<12 {
      var info = PacketInfo(
        format: format, byteCount: 100, duration: StreamTime(seconds: 0.1), byteOffset: 0, followsGap: false)
      fates.append(goal.process(&info))
      muted.append(info.mutedHead)
    }
    #expect(fates[..<5].allSatisfy { $0 == .passed })
    #expect(fates[5] == .first(StreamTime(seconds: 0.5)) && fates[6...].allSatisfy { $0 == .later })
    #expect(muted[5..<10].allSatisfy { $0 == 4_800 } && muted[10...].allSatisfy { $0 == 0 } && goal.isReached)
  }
}
