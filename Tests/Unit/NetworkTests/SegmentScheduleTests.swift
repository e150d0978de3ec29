import Framing
import Listings
import Testing
import Units

@testable import Network

/// The next segment of an HLS station, and the next request for its list.
@Suite struct SegmentScheduleTests {
  /// A list of `count` segments of 4 s, from number `first` on.
  private static func list(_ first: Int, count: Int, target: Int = 4, header: String = "", tail: String = "") throws
    -> SegmentList
  {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(first)\n\(header)"
    for number in first..<first + count { text += "#EXTINF:4,\n\(number).aac\n" }
    var reader = HlsPlaylistReader()
    reader.append(Array((text + tail).utf8).span)
    guard case .media(let list) = try reader.finish() else { throw HlsPlaylistError.notPlaylist }
    return list
  }

  private static func at(_ seconds: Double) -> MonotonicTime { .zero + Duration(seconds: 1_000 + seconds) }

  @Test(
    "Playback starts three target durations back, or as the list says",
    arguments: [
      ("", "", 17), ("#EXT-X-START:TIME-OFFSET=-6\n", "", 18), ("#EXT-X-START:TIME-OFFSET=5\n", "", 11),
      ("#EXT-X-START:TIME-OFFSET=1000\n", "", 19), ("#EXT-X-START:TIME-OFFSET=-1000\n", "", 10),
      ("#EXT-X-SERVER-CONTROL:HOLD-BACK=20\n", "", 15), ("", "#EXT-X-ENDLIST\n", 10),
    ])
  func start(_ header: String, _ tail: String, _ first: UInt64) throws {
    #expect(SegmentSchedule.start(of: try Self.list(10, count: 10, header: header, tail: tail)) == first)
  }

  @Test("A short list starts at its first segment, and an empty one at the next")
  func shortLists() throws {
    #expect(SegmentSchedule.start(of: try Self.list(7, count: 2)) == 7)
    let empty = SegmentSchedule(try Self.list(7, count: 0), at: Self.at(0))
    #expect(empty.next == 7 && empty.segment == nil && !empty.isOver)
  }

  @Test("Segments follow in order; the list is polled each target duration, sooner if unchanged")
  func goesOn() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 3), at: Self.at(0))
    for number in 0..<3 {
      #expect(schedule.segment?.address == "\(number).aac" && schedule.wantsSegment(at: Self.at(0)))
      schedule.advance()
    }
    #expect(schedule.segment == nil && !schedule.wantsList(at: Self.at(3.9)) && schedule.wantsList(at: Self.at(4)))
    #expect(schedule.due(hasSegment: false, hasList: false, hasDoubted: false) == Self.at(4))
    #expect(schedule.refresh(try Self.list(0, count: 3), asked: Self.at(4), at: Self.at(4.1)) == .continued)
    #expect(!schedule.wantsList(at: Self.at(5.9)) && schedule.wantsList(at: Self.at(6)))
    // At 1.5 target durations the list may be an old copy.
    #expect(!schedule.isDoubtful(at: Self.at(5.9)) && schedule.isDoubtful(at: Self.at(6)))
    #expect(schedule.due(hasSegment: false, hasList: true, hasDoubted: false) == Self.at(6))
    #expect(schedule.due(hasSegment: false, hasList: true, hasDoubted: true) == .never, "it was asked for once")
    #expect(schedule.refresh(try Self.list(1, count: 3), asked: Self.at(6), at: Self.at(6.1)) == .continued)
    #expect(schedule.next == 3 && schedule.segment?.address == "3.aac" && !schedule.wantsList(at: Self.at(9.9)))
  }

  @Test("The requests for a list are at least a second apart", arguments: [0, 1])
  func bounded(_ target: Int) throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 1, target: target), at: Self.at(0))
    #expect(!schedule.wantsList(at: Self.at(0.9)))
    _ = schedule.refresh(try Self.list(0, count: 1, target: target), asked: Self.at(5), at: Self.at(5))
    #expect(!schedule.wantsList(at: Self.at(5.9)))
    schedule.recordListFailure(at: Self.at(8))
    #expect(!schedule.wantsList(at: Self.at(8.9)) && schedule.wantsList(at: Self.at(9)))
  }

  @Test("A list unchanged for three and a half target durations is stalled")
  func stuck() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 1), at: Self.at(0))
    #expect(!schedule.isStuck(at: Self.at(100)), "a segment is still to come")
    schedule.advance()
    #expect(!schedule.isStuck(at: Self.at(100)), "it was not asked for again")
    for time in [4.0, 6] { _ = schedule.refresh(try Self.list(0, count: 1), asked: Self.at(time), at: Self.at(time)) }
    #expect(!schedule.isStuck(at: Self.at(13.9)) && schedule.isStuck(at: Self.at(14)))
    schedule.recordReconnect(at: Self.at(14))
    #expect(!schedule.isStuck(at: Self.at(20)))
  }

  @Test("Segments past the list are lost and counted; a restarted count is joined")
  func jumps() throws {
    var schedule = SegmentSchedule(try Self.list(10, count: 5), at: Self.at(0))
    #expect(schedule.next == 12)
    #expect(
      schedule.refresh(try Self.list(20, count: 5), asked: Self.at(4), at: Self.at(4))
        == .dropped(StreamTime(seconds: 32)))
    #expect(schedule.next == 20)
    #expect(schedule.refresh(try Self.list(19, count: 5), asked: Self.at(8), at: Self.at(8)) == .continued)
    #expect(schedule.next == 20, "an older copy of the list changes nothing")
    #expect(schedule.refresh(try Self.list(0, count: 5), asked: Self.at(12), at: Self.at(12)) == .restarted)
    #expect(schedule.next == 2)
  }

  @Test("Numbers near the end of their range end nothing")
  func greatNumbers() throws {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:9223372036854775808\n#EXTINF:4,\na\n"
    var reader = HlsPlaylistReader()
    reader.append(Array(text.utf8).span)
    guard case .media(let list) = try reader.finish() else { return }
    var schedule = SegmentSchedule(list, at: Self.at(0))
    schedule.advance()
    #expect(schedule.refresh(try Self.list(0, count: 3), asked: Self.at(4), at: Self.at(4)) == .restarted)
    #expect(schedule.refresh(list, asked: Self.at(8), at: Self.at(8)) == .restarted)
  }

  /// True for each failure time at which the next segment is skipped.
  private static func fails(_ schedule: SegmentSchedule, at seconds: [Double], hasMore: Bool = false) -> [Bool] {
    var schedule = schedule
    return seconds.map { schedule.recordFailure(hasMore: hasMore, at: at($0)) }
  }

  @Test("A failed segment is requested again after a second, and skipped the third time")
  func failed() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 3), at: Self.at(0))
    #expect(Self.fails(schedule, at: [0, 1, 2]) == [false, false, true])
    #expect(Self.fails(schedule, at: [0, 1, 2, 3], hasMore: true) == [false, false, false, false])
    _ = schedule.recordFailure(at: Self.at(0))
    #expect(!schedule.wantsSegment(at: Self.at(0.9)) && schedule.wantsSegment(at: Self.at(1)))
    schedule.advance()
    #expect(schedule.wantsSegment(at: Self.at(0.5)))
    // One segment follows, then no more: the servers may not have the segment yet.
    #expect(Self.fails(schedule, at: [0, 1, 2, 11.9, 12]) == [false, false, false, false, true])
    schedule.advance()
    #expect(Self.fails(schedule, at: [0, 1, 2, 11.9, 12]) == [false, false, false, false, true])
    let finished = SegmentSchedule(try Self.list(0, count: 1, tail: "#EXT-X-ENDLIST\n"), at: Self.at(0))
    #expect(Self.fails(finished, at: [0, 1, 23.9, 24]) == [false, false, false, true])
  }

  @Test("A sequence faster than time has restarted (R4.2)")
  func leaps() throws {
    let before = SegmentSchedule(try Self.list(10, count: 6), at: Self.at(0))
    func refresh(_ first: Int, after seconds: Double) throws -> SegmentSchedule.Refresh {
      var schedule = before
      schedule.recordReconnect(at: Self.at(seconds))
      return schedule.refresh(try Self.list(first, count: 6), asked: Self.at(seconds), at: Self.at(seconds))
    }
    #expect(try refresh(1_700_000_000, after: 8) == .restarted && refresh(200, after: 8) == .restarted)
    #expect(try refresh(16, after: 4) == .dropped(StreamTime(seconds: 12)))
    // After eight hours without requests, the gap counts as one list at most.
    guard case .dropped = try refresh(7_213, after: 28_800) else {
      Issue.record("a long rest is taken for a restart")
      return
    }
  }

  @Test("A finished list ends after its last segment, without further polls")
  func finished() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 2, tail: "#EXT-X-ENDLIST\n"), at: Self.at(0))
    #expect(!schedule.isOver && !schedule.wantsList(at: Self.at(1_000)))
    schedule.advance()
    schedule.advance()
    #expect(schedule.isOver && !schedule.isStuck(at: Self.at(1_000)))
    #expect(schedule.due(hasSegment: false, hasList: false, hasDoubted: false) == .never)
  }

  @Test("An empty list changes nothing, and a hole in a list is skipped")
  func holes() throws {
    var schedule = SegmentSchedule(try Self.list(10, count: 5), at: Self.at(0))
    #expect(schedule.refresh(try Self.list(10, count: 0), asked: Self.at(4), at: Self.at(4)) == .continued)
    #expect(schedule.next == 12 && schedule.segment != nil)
    for _ in 12..<15 { schedule.advance() }
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:14\n#EXTINF:4,\na\n#EXTINF:4,\n"
    let long = String(repeating: "x", count: 9_000)
    var reader = HlsPlaylistReader()
    reader.append(Array((text + long + "\n#EXTINF:4,\nc\n").utf8).span)
    guard case .media(let list) = try reader.finish() else { return }
    #expect(schedule.refresh(list, asked: Self.at(8), at: Self.at(8)) == .dropped(StreamTime(seconds: 4)))
    #expect(schedule.segment?.address == "c")
  }

  @Test("A target duration far above all segments does not delay the polls")
  func absurdTarget() throws {
    let schedule = SegmentSchedule(try Self.list(0, count: 3, target: 3_600), at: Self.at(0))
    #expect(schedule.wantsList(at: Self.at(4)))
    var empty = SegmentSchedule(try Self.list(0, count: 0, target: 3_600), at: Self.at(0))
    #expect(empty.wantsList(at: Self.at(6)))
    let same = try Self.list(0, count: 0, target: 3_600)
    for time in [6.0, 9] { _ = empty.refresh(same, asked: Self.at(time), at: Self.at(time)) }
    #expect(!empty.isStuck(at: Self.at(20.9)) && empty.isStuck(at: Self.at(21)))
  }

  @Test(
    "A list that costs several requests waits for the next segment while little is buffered (H3)",
    arguments: [
      // Requests for the list, earlier requests, buffered seconds, and true if the list may be requested.
      (1, 0, 0.0, true), (7, 0, 0, true), (8, 0, 0, false), (4, 7, 0, false), (4, 7, 1.9, false), (4, 7, 2.5, true),
      (1, 7, 0, false), (1, 7, 1.5, true), (11, 20, 60, true),
    ])
  func soundFirst(_ cost: Int, _ past: Int, _ ahead: Double, _ isAllowed: Bool) throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 3), at: Self.at(0))
    schedule.count(past, at: Self.at(0))
    let buffered = StreamTime(seconds: ahead)
    #expect(schedule.leavesTime(for: cost, ahead: buffered, isReceiving: false, at: Self.at(0)) == isAllowed)
  }

  @Test("A key is the only one needed if no later segment has another")
  func onlyKey() throws {
    let lines = ["", "a", "b", "b", "NONE"].map { key in
      let tag = key == "NONE" ? "#EXT-X-KEY:METHOD=NONE\n" : "#EXT-X-KEY:METHOD=AES-128,URI=\"\(key)\"\n"
      return (key.isEmpty ? "" : tag) + "#EXTINF:4,\nx\n"
    }
    func found(_ count: Int) throws -> [Bool] {
      var reader = HlsPlaylistReader()
      let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + lines.prefix(count).joined() + "#EXT-X-ENDLIST\n"
      reader.append(Array(text.utf8).span)
      guard case .media(let list) = try reader.finish() else { throw HlsPlaylistError.notPlaylist }
      let schedule = SegmentSchedule(list, at: Self.at(0))
      return list.segments.map { schedule.needsOnlyKey(of: $0) }
    }
    #expect(try found(4) == [false, false, true, true])
    #expect(try found(5) == [false, false, false, false, true])
  }

  @Test(
    "Without a listed segment, a list waits until a segment can follow at once (H3)",
    arguments: [
      // Requests for the list, true during a segment's request, earlier requests, buffered seconds, and the delay.
      (1, false, 0, 0.0, 0.0), (4, false, 4, 0, 0.32), (4, true, 4, 0, 0.64), (4, false, 4, 1.3, 0.32),
      (4, false, 4, 1.4, 0), (4, false, 8, 0, 1.6), (7, true, 0, 0, 0), (20, false, 0, 0, 0), (20, false, 5, 0, 1.6),
    ])
  func saved(_ cost: Int, _ isReceiving: Bool, _ past: Int, _ ahead: Double, _ delay: Double) throws {
    var schedule = SegmentSchedule(try Self.list(0, count: isReceiving ? 1 : 0), at: Self.at(0))
    schedule.count(past, at: Self.at(0))
    func isAllowed(_ seconds: Double) -> Bool {
      let buffered = StreamTime(seconds: max(0, ahead - seconds))
      return schedule.leavesTime(for: cost, ahead: buffered, isReceiving: isReceiving, at: Self.at(seconds))
    }
    #expect(isAllowed(delay + 0.001))
    guard delay > 0 else { return }
    // A turn in the past would wake the thread again and again.
    let before = Self.at(delay - 0.01)
    #expect(!isAllowed(delay - 0.01) && schedule.turn(after: cost, isReceiving: isReceiving, at: before) > before)
  }

  @Test("A list is requested while a refused segment waits for its next try")
  func listDuringRetry() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 3), at: Self.at(0))
    schedule.count(30, at: Self.at(0))
    let isSkipped = schedule.recordFailure(at: Self.at(0))
    #expect(!isSkipped)
    #expect(schedule.leavesTime(for: 1, ahead: .zero, isReceiving: false, at: Self.at(0.5)))
    #expect(!schedule.leavesTime(for: 1, ahead: .zero, isReceiving: false, at: Self.at(1)))
  }

  @Test("After an expired redirect the list is requested at once")
  func hastened() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 3), at: Self.at(0))
    #expect(!schedule.wantsList(at: Self.at(1)))
    schedule.hastenList(at: Self.at(1))
    #expect(schedule.wantsList(at: Self.at(1)))
  }

  @Test("A list of megabytes is requested at most at 256 KiB/s, by any kind of request")
  func longList() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 1), at: Self.at(0))
    schedule.advance()
    schedule.recordListSize(10 << 20, asked: Self.at(0))
    for time in [4.0, 8, 39] {
      #expect(!schedule.wantsList(at: Self.at(time)) && !schedule.isDoubtful(at: Self.at(time)))
    }
    #expect(schedule.due(hasSegment: false, hasList: false, hasDoubted: false) == Self.at(40))
    #expect(schedule.wantsList(at: Self.at(40)) && !schedule.isDoubtful(at: Self.at(100)))
    schedule.recordListRequest(at: Self.at(40))
    #expect(!schedule.isDoubtful(at: Self.at(41.9)) && schedule.isDoubtful(at: Self.at(42)))
    schedule.hastenList(at: Self.at(1))
    #expect(!schedule.wantsList(at: Self.at(39)))
  }

  @Test("Two requests for a list of megabytes count together")
  func longLists() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 1), at: Self.at(0))
    schedule.advance()
    for _ in 0..<2 { schedule.recordListSize(10 << 20, asked: Self.at(0)) }
    #expect(!schedule.wantsList(at: Self.at(79)) && schedule.wantsList(at: Self.at(80)))
  }

  @Test("A list that the permitted requests delay is not doubted before its request")
  func delayedList() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 1), at: Self.at(0))
    schedule.advance()
    #expect(schedule.wantsList(at: Self.at(4)) && !schedule.isDoubtful(at: Self.at(7)))
    schedule.recordListRequest(at: Self.at(7))
    #expect(!schedule.isDoubtful(at: Self.at(8.9)) && schedule.isDoubtful(at: Self.at(9)))
    _ = schedule.refresh(try Self.list(0, count: 1), asked: Self.at(7), at: Self.at(7.1))
    #expect(schedule.isDoubtful(at: Self.at(9)))
  }

  @Test(
    "The interval follows the segments if the target duration is too small",
    arguments: [(1, 4.0), (2, 4), (3, 4), (4, 4), (10, 4)])
  func smallTarget(_ target: Int, _ interval: Double) throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 6, target: target), at: Self.at(0))
    #expect(!schedule.wantsList(at: Self.at(interval - 0.1)) && schedule.wantsList(at: Self.at(interval)))
    for _ in 0..<6 { schedule.advance() }
    for time in [4.0, 6, 8] { _ = schedule.refresh(schedule.list, asked: Self.at(time), at: Self.at(time)) }
    #expect(!schedule.isStuck(at: Self.at(13.9)) && schedule.isStuck(at: Self.at(14)))
  }

  @Test("A station with a small target duration starts three segments before its end")
  func smallTargetStart() throws {
    #expect(SegmentSchedule.start(of: try Self.list(0, count: 10, target: 1)) == 7)
  }

  @Test("The next segment's place is live, near or early")
  func place() throws {
    var schedule = SegmentSchedule(try Self.list(0, count: 30), at: Self.at(0))
    for (number, place) in [(28, .live), (27, .live), (26, .near), (19, .near), (18, .early), (0, .early)]
      as [(UInt64, SegmentSchedule.Place)]
    {
      schedule.move(to: number)
      #expect(schedule.place == place, "\(number)")
    }
  }

  @Test("A list without numbers that slides continues with its next segment")
  func unnumbered() throws {
    func list(_ first: Int) throws -> SegmentList {
      var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
      for number in first..<first + 4 { text += "#EXTINF:4,\n\(number).aac\n" }
      var reader = HlsPlaylistReader()
      reader.append(Array(text.utf8).span)
      guard case .media(let list) = try reader.finish() else { throw HlsPlaylistError.notPlaylist }
      return list
    }
    var schedule = SegmentSchedule(try list(0), at: Self.at(0))
    for first in 1..<6 {
      while schedule.segment != nil { schedule.advance() }
      let refresh = schedule.refresh(try list(first), asked: Self.at(4), at: Self.at(4))
      #expect(refresh == .continued)
      #expect(schedule.segment?.address == "\(first + 3).aac")
    }
    let skipped = schedule.refresh(try list(20), asked: Self.at(30), at: Self.at(30))
    #expect(skipped == .dropped(StreamTime(seconds: 4)))
    #expect(schedule.segment?.address == "20.aac")
  }
}
