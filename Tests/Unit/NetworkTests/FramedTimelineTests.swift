import Blocks
import Testing
import Units

@testable import Framing
@testable import Network

/// When packets sound that tell their place in a file, and from which byte a place of it is read.
struct FramedTimelineTests {
  /// FLAC of one sound, whose first frame begins at byte 100.
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
    "A number of frames whose time cannot be counted is none", arguments: [Int.max, 1 << 60, 576_460_752_303_423, -1])
  func numbersBeyondReach(frame: Int) {
    var timeline = FramedTimeline(Self.facts(), byteCount: 10_000)
    #expect(timeline.time(of: Self.packet(44_100)).lowerBound == StreamTime(seconds: 1))
    let next = timeline.time(of: Self.packet(frame)).lowerBound
    #expect(next == StreamTime(seconds: 1) + Self.packet(0).duration)
  }

  @Test("Links whose numbers begin late add up to no more than can be counted")
  func linksAddUp() {
    var timeline = FramedTimeline(Self.facts(), byteCount: 10_000)
    var last = StreamTime.zero
    // 200 years, and again.
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

  @Test("No place lies behind the file's end, whatever its table tells, and however late the goal is")
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

  @Test("Lengths and table places whose time cannot be counted are not known")
  func factsBeyondReach() {
    let rate = SampleRate(1)
    let most = 1 << 36 - 1
    let flac = FramedFacts(
      FlacFacts(firstByte: 100, sampleCount: most, rate: rate, points: [FlacFacts.Point(firstFrame: most, byte: 1)]))
    #expect(flac.length == nil && flac.places.isEmpty)
    let wav = FramedFacts(WavFacts(firstByte: 44, byteCount: 1 << 60, frameByteCount: 1, rate: rate))
    #expect(wav.length == nil)
  }
}
