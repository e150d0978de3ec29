import Blocks
import Testing
import Units

@testable import Framing
@testable import Network

/// Times of packets that contain their position, and byte positions of times.
struct FramedTimelineTests {
  /// FLAC whose first frame is at byte 100.
  private static func facts(_ points: [FlacFacts.Point] = [], samples: Int? = nil) -> FramedFacts {
    FramedFacts(FlacFacts(firstByte: 100, sampleCount: samples, rate: .cd, points: points))
  }

  private static func packet(
    _ frame: Int?, at rate: SampleRate = .cd, frames: Int = 4_096, byte: Int = 100
  ) -> PacketInfo {
    let format = PacketFormat(codec: .flac, sampleRate: rate, channels: 2)
    var info = PacketInfo(
      format: format, byteCount: 100, duration: StreamTime(frames: FrameCount(frames), at: rate), byteOffset: byte,
      followsGap: false)
    info.firstFrame = frame
    return info
  }

  @Test(
    "A frame count beyond countable time is refused", arguments: [Int.max, 1 << 60, 576_460_752_303_423, -1])
  func numbersBeyondReach(frame: Int) {
    var timeline = FramedTimeline(Self.facts(), byteCount: 10_000)
    #expect(timeline.time(of: Self.packet(44_100)).lowerBound == StreamTime(seconds: 1))
    let next = timeline.time(of: Self.packet(frame)).lowerBound
    #expect(next == StreamTime(seconds: 1) + Self.packet(0).duration)
  }

  @Test("Links with late numbers add up to a countable total")
  func linksAddUp() {
    var timeline = FramedTimeline(Self.facts(), byteCount: 10_000)
    var last = StreamTime.zero
    // 200 years, twice in each round.
    for _ in 0..<5 {
      for frame in [0, 44_100 * 6_500_000_000] {
        var info = Self.packet(frame)
        info.beginsFile = frame == 0
        let time = timeline.time(of: info)
        #expect(time.lowerBound >= last)
        last = time.lowerBound
      }
    }
  }

  @Test("A link's frames count at its own rate")
  func anotherRate() {
    var timeline = FramedTimeline(Self.facts(), byteCount: 10_000)
    #expect(timeline.time(of: Self.packet(0, frames: 44_100)).upperBound == StreamTime(seconds: 1))
    let rate = SampleRate(22_050)
    var info = Self.packet(0, at: rate, frames: 22_050)
    info.beginsFile = true
    #expect(timeline.time(of: info).upperBound == StreamTime(seconds: 2))
    #expect(timeline.time(of: Self.packet(44_100, at: rate)).lowerBound == StreamTime(seconds: 3))
  }

  @Test("No position is past the file's end, for any table and goal")
  func placesWithin() {
    let points = [(0, 0), (44_100, 5_000), (88_200, 1 << 40)].map { FlacFacts.Point(firstFrame: $0.0, byte: $0.1) }
    for facts in [Self.facts(points), Self.facts(points, samples: 132_300), Self.facts(), Self.facts(samples: 132_300)]
    {
      let timeline = FramedTimeline(facts, byteCount: 20_000)
      for seconds in [0, 1, 1.9, 2.5, 3, 1e6] {
        let place = timeline.byte(for: StreamTime(seconds: seconds))
        #expect((100...20_000).contains(place), "\(seconds) s")
      }
    }
  }

  @Test("Uncountable lengths and table positions are unknown")
  func factsBeyondReach() {
    let rate = SampleRate(1)
    let most = 1 << 36 - 1
    let flac = FramedFacts(
      FlacFacts(firstByte: 100, sampleCount: most, rate: rate, points: [FlacFacts.Point(firstFrame: most, byte: 1)]))
    #expect(flac.length == nil && flac.seekPoints.isEmpty)
    let wav = FramedFacts(PcmFacts(firstByte: 44, byteCount: 1 << 60, frameByteCount: 1, rate: rate))
    #expect(wav.length == nil)
  }

  // MARK: Chains

  /// Ogg whose first link has number 1.
  private static let chain = FramedFacts(ogg: 1, preSkip: 0, at: .cd, firstByte: 100, firstFrame: 0)

  private static func second(_ number: Int, of link: UInt32, byte: Int, begins: Bool = false) -> PacketInfo {
    var info = packet(number * 44_100, frames: 44_100, byte: byte)
    (info.link, info.beginsFile) = (link, begins)
    return info
  }

  /// A timeline after three links of ten seconds; each second has 1,000 bytes.
  private static func read(seconds: Int = 30, byteCount: Int = 60_100) -> FramedTimeline {
    var timeline = FramedTimeline(chain, byteCount: byteCount)
    for number in 0..<seconds {
      let info = second(
        number % 10, of: UInt32(number / 10 + 1), byte: 100 + number * 1_000, begins: number % 10 == 0 && number > 0)
      let time = timeline.time(of: info).lowerBound
      #expect(time == StreamTime(seconds: Double(number)))
    }
    return timeline
  }

  @Test("Frames in an earlier link count from its start")
  func earlierLink() {
    var timeline = Self.read()
    for number in [17, 3, 25, 9] {
      timeline.seek()
      timeline.beginPart()
      let link = UInt32(number / 10 + 1)
      let info = Self.second(number % 10, of: link, byte: 100 + number * 1_000)
      let time = timeline.time(of: info).lowerBound
      #expect(time == StreamTime(seconds: Double(number)))
      let misses = timeline.misses(StreamTime(seconds: Double(number) + 1), at: time)
      #expect(!misses)
    }
    // From here on, the next link has a position, too.
    timeline.beginPart()
    for number in [9, 10, 11] {
      let link = UInt32(number / 10 + 1)
      let info = Self.second(number % 10, of: link, byte: 100 + number * 1_000, begins: number == 10)
      let time = timeline.time(of: info).lowerBound
      #expect(time == StreamTime(seconds: Double(number)))
    }
  }

  @Test("Links that reuse a number are distinguished by position")
  func numbersAgain() {
    var timeline = FramedTimeline(Self.chain, byteCount: 60_100)
    for number in 0..<20 {
      _ = timeline.time(
        of: Self.second(number % 10, of: 1, byte: 100 + number * 1_000, begins: number == 10))
    }
    for number in [5, 15] {
      timeline.beginPart()
      let info = Self.second(number % 10, of: 1, byte: 100 + number * 1_000)
      let time = timeline.time(of: info).lowerBound
      #expect(time == StreamTime(seconds: Double(number)))
    }
  }

  @Test("An unread link gives no position: reading starts at a known one")
  func unknownLink() {
    var timeline = Self.read()
    let goal = StreamTime(seconds: 50)
    timeline.seek()
    timeline.beginPart()
    #expect((45_000...60_100).contains(timeline.byte(for: goal)), "it goes on as it did")
    let info = Self.second(0, of: 9, byte: 52_000)
    let isMissed = timeline.misses(goal, at: timeline.time(of: info).lowerBound)
    #expect(isMissed)
    #expect(timeline.byte(for: goal) == 29_100, "the last place that is known")
    timeline.beginPart()
    var time = StreamTime.zero
    for number in 29...50 {
      let (link, frame) = number < 30 ? (UInt32(3), number % 10) : (UInt32(9), number - 30)
      time =
        timeline.time(of: Self.second(frame, of: link, byte: 100 + number * 1_000, begins: number == 30)).lowerBound
      let misses = number == 29 && timeline.misses(goal, at: time)
      #expect(!misses)
    }
    #expect(time == goal)
  }

  @Test("No attempt is before the first packet, whatever its position")
  func nothingBefore() {
    for (facts, frame) in [(Self.chain, nil), (Self.facts(), nil), (Self.facts(), 500_000)] as [(FramedFacts, Int?)] {
      var timeline = FramedTimeline(facts, byteCount: 60_100)
      var info = Self.packet(frame)
      info.link = facts.link
      let time = timeline.time(of: info).lowerBound
      #expect(frame != nil || time == .zero)
      for seconds in [0.01, 0.05, 1] {
        let misses = timeline.misses(StreamTime(seconds: seconds), at: time)
        #expect(!misses)
      }
    }
  }

  @Test("Attempts end, whatever is found")
  func triesEnd() {
    var timeline = Self.read()
    let goal = StreamTime(seconds: 40)
    timeline.seek()
    var bytes: [Int] = []
    repeat {
      bytes.append(timeline.byte(for: goal))
      timeline.beginPart()
    } while timeline.handleStrayPart() && bytes.count < 20
    #expect(bytes.count == 3 && bytes.last == 100)
  }

  @Test("A frame before the first is invalid: the packet follows the previous one or its position")
  func beforeTheFirst() {
    let kept = FramedFacts(ogg: 1, preSkip: 0, at: .cd, firstByte: 100, firstFrame: 44_100 * 1_000)
    var timeline = FramedTimeline(kept, byteCount: 60_100)
    let first = timeline.time(of: Self.second(1_000, of: 1, byte: 100)).lowerBound
    let wrong = timeline.time(of: Self.second(7, of: 1, byte: 1_100)).lowerBound
    let right = timeline.time(of: Self.second(1_002, of: 1, byte: 2_100)).lowerBound
    #expect([first, wrong, right] == [.zero, StreamTime(seconds: 1), StreamTime(seconds: 2)])
    timeline.beginPart()
    _ = timeline.time(of: Self.second(7, of: 1, byte: 30_100))
    let misses = timeline.misses(StreamTime(seconds: 40), at: StreamTime(seconds: 30))
    #expect(misses)
  }

  @Test("If the last page belongs to another link, the length is measured, better with more data")
  func measured() {
    var timeline = Self.read(seconds: 2)
    #expect(timeline.restsOnItsEnd && timeline.map.length == nil)
    let none: [UInt8] = []
    timeline.evaluateTail(tail: none.span)
    #expect(!timeline.restsOnItsEnd && timeline.map.length == StreamTime(seconds: 60))
  }
}
