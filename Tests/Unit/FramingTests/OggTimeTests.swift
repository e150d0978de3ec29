import Blocks
import Framing
import Testing
import Units

/// The frame count of a stream, and its muted frames.
struct OggTimeTests {
  /// A Vorbis stream of pages with `count` long packets and the given granules.
  private static func vorbis(_ pages: [(count: Int, granule: Int)], ends: Bool = true, from: UInt32? = nil)
    -> OggOutcome
  {
    var writer = OggWriter()
    var bytes = OggSample.vorbisHeaders(&writer)
    if let from { writer.sequence = from }
    for (index, page) in pages.enumerated() {
      let packets = (0..<page.count).map { OggSample.vorbis(seed: UInt64($0)) }
      bytes += writer.page(packets, granule: page.granule, isLast: ends && index == pages.count - 1)
    }
    return OggOutcome(bytes)
  }

  @Test("The last page's granule cuts off as many packets as needed")
  func cutEnd() {
    let outcome = Self.vorbis([(3, 2_048), (3, 2_048 + 1_024 + 100)])
    #expect(outcome.frames == [0, 1_024, 1_024, 1_024, 100, 0])
    #expect(outcome.packets.map(\.info.mutedTail) == [0, 0, 0, 0, 924, 1_024])
    #expect(outcome.packets.allSatisfy { $0.info.isTrimmed == ($0.info.mutedTail > 0) })
    #expect(
      Self.vorbis([(3, 2_048), (3, 2_048 + 1_024 + 100)], ends: false).frames.suffix(3) == [1_024, 1_024, 1_024])
  }

  @Test("An impossible last granule cuts nothing", arguments: [0, 1, 5, -1, -5, 1 << 61, Int.min, Int.max])
  func wrongEnd(granule: Int) {
    let outcome = Self.vorbis([(3, 2_048), (100, 104_448), (2, granule)])
    #expect(outcome.frames.suffix(2) == [1_024, 1_024])
  }

  @Test("A granule beyond countable time is ignored", arguments: [1 << 59, 300_000_000_000_000_000])
  func granuleBeyondReach(granule: Int) {
    // Pages are missing, so a valid granule would set the position.
    let outcome = Self.vorbis([(3, granule), (2, 1_000_000)], ends: false, from: 9)
    #expect(outcome.firstFrames.prefix(3) == [nil, nil, nil])
    #expect(outcome.firstFrames.suffix(2) == [1_000_000 - 2_048, 1_000_000 - 1_024])
  }

  @Test("A first Vorbis page with a small granule starts inside a packet")
  func cutHead() {
    let outcome = Self.vorbis([(4, 1_500), (2, 3_548)])
    #expect(outcome.frames == [0, 0, 476, 1_024, 1_024, 1_024])
    #expect(outcome.packets.map(\.info.mutedHead) == [0, 1_024, 548, 0, 0, 0])
    #expect(outcome.firstFrames == [0, 0, 0, 476, 1_500, 2_524])
    // If this page is also the last, its end is cut.
    #expect(Self.vorbis([(4, 1_500)]).frames == [0, 1_024, 476, 0])
  }

  @Test("A first page with a silent packet does not count as the start")
  func cutHeadLater() {
    let outcome = Self.vorbis([(1, 0), (2, 1_500), (1, 2_524)])
    #expect(outcome.frames == [0, 476, 1_024, 1_024])
  }

  @Test("Opus and FLAC start with a whole packet, whatever the first granule")
  func noCutHead() {
    var writer = OggWriter()
    let bytes =
      OggSample.opusHeaders(&writer, preSkip: 0) + writer.page([OggSample.opus(), OggSample.opus()], granule: 1_000)
    #expect(OggOutcome(bytes).frames == [960, 960])
    #expect(OggOutcome(bytes).firstFrames == [0, 960])
  }

  @Test("A stream shorter than its pre-skip is inaudible")
  func shorterThanPreSkip() {
    var writer = OggWriter()
    let bytes = OggSample.opusHeaders(&writer) + writer.page([OggSample.opus()], granule: 100, isLast: true)
    let outcome = OggOutcome(bytes)
    #expect(outcome.frames == [0])
    #expect(outcome.packets.map(\.info.mutedHead) == [312])
    #expect(outcome.packets.map(\.info.mutedTail) == [648])
  }

  @Test("A stream may start later than at 0")
  func lateBeginning() {
    #expect(Self.vorbis([(3, 100_000), (2, 102_048)]).firstFrames == [97_952, 97_952, 98_976, 100_000, 101_024])
  }

  @Test("Packets are counted if a page has no or a slightly wrong granule")
  func counting() {
    let outcome = Self.vorbis([(3, 2_048), (2, -1), (2, 6_100), (2, 8_300)], ends: false)
    #expect(outcome.firstFrames == [0] + (0..<8).map { $0 * 1_024 })
    #expect(Self.vorbis([(3, -1), (2, -1)]).firstFrames == [0, 0, 1_024, 2_048, 3_072])
    // Some encoders always write granule 0.
    #expect(Self.vorbis([(3, 0), (2, 0), (2, 0)]).firstFrames == [0, 0, 1_024, 2_048, 3_072, 4_096, 5_120])
  }

  @Test("A distant granule is a jump")
  func jump() {
    let outcome = Self.vorbis(
      [(3, 2_048), (2, 500_000), (2, 502_048), (2, 10_000), (2, 500_000), (3, 1_500)], ends: false)
    #expect(
      outcome.firstFrames == [
        0, 0, 1_024, 497_952, 498_976, 500_000, 501_024, 7_952, 8_976, 497_952, 498_976, 0, 1_024, 2_048,
      ])
    #expect(outcome.packets.allSatisfy { !$0.info.isTrimmed })
    #expect(outcome.gaps.allSatisfy { !$0 })
  }

  @Test("At a join the first granule counts back, and a missing one is ignored")
  func joined() {
    let outcome = Self.vorbis([(3, -1), (3, 103_072), (2, 105_120)], ends: false, from: 800)
    #expect(outcome.frames == [0] + [Int](repeating: 1_024, count: 7))
    #expect(outcome.firstFrames == [nil, nil, nil, 100_000, 101_024, 102_048, 103_072, 104_096])
    #expect(outcome.gaps.allSatisfy { !$0 })
    // A stream cannot start before time zero.
    #expect(Self.vorbis([(3, 500), (2, 2_548)], ends: false, from: 800).firstFrames == [0, 0, 1_024, 2_048, 3_072])
  }

  @Test("A joined last page has an unknown cut, unless it is the only one")
  func joinedLast() {
    #expect(Self.vorbis([(3, 103_072)], from: 800).firstFrames == [nil, nil, nil])
    #expect(Self.vorbis([(3, 1_500)], from: 800).firstFrames == [0, 0, 1_024])
    #expect(Self.vorbis([(3, 103_072), (2, 104_500)], from: 800).frames.suffix(2) == [1_024, 404])
  }

  @Test("Opus joined inside the stream has no pre-skip")
  func joinedOpus() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer, preSkip: 500)
    writer.sequence = 70
    bytes += writer.page([OggSample.opus(), OggSample.opus()], granule: 48_500)
    let outcome = OggOutcome(bytes)
    #expect(outcome.frames == [960, 960])
    #expect(outcome.firstFrames == [46_080, 47_040])
    #expect(outcome.gaps == [false, false])
  }

  @Test("The last page contains a file's length if it belongs to the first link")
  func length() throws {
    let (vorbis, opus) = (OggSample.vorbisStream(), OggSample.opusStream(serial: 9))
    let facts = try #require((vorbis + opus).oggFacts)
    #expect(facts.link == 7 && facts.origin == .zero)
    #expect(vorbis.length(by: facts) == 11_264)
    #expect((vorbis + opus).length(by: facts) == nil)
    let alone = try #require(opus.oggFacts)
    #expect(alone.link == 9 && alone.origin == .zero)
    #expect(Array(opus.suffix(700)).length(by: alone) == 14_088)
    #expect(Array(opus.suffix(300)).length(by: alone) == nil)
    #expect([].length(by: alone) == nil)
  }

  @Test("A saved live stream starts with a later frame, which its length excludes")
  func origin() throws {
    var writer = OggWriter()
    let headers = OggSample.opusHeaders(&writer, preSkip: 500)
    #expect(headers.oggFacts == nil)
    writer.sequence = 70
    let first = writer.page([OggSample.opus(), OggSample.opus()], granule: 48_500)
    let last = writer.page([OggSample.opus()], granule: 49_460)
    let facts = try #require((headers + first).oggFacts)
    #expect(facts.origin == StreamTime(frames: FrameCount(46_080), at: SampleRate(48_000)))
    #expect(facts.firstByte == headers.count)
    #expect((first + last).length(by: facts) == 2_880)
    // A later link may have the same serial number.
    #expect((first + writer.page([OggSample.opus()], granule: 960)).length(by: facts) == nil)
  }

  @Test("A last page without a granule defers to the one before")
  func tailWithoutGranule() throws {
    var writer = OggWriter()
    let headers = OggSample.opusHeaders(&writer, preSkip: 500)
    let bytes = headers + writer.page([OggSample.opus()], granule: 960) + writer.page([], granule: -1, isLast: true)
    #expect(bytes.length(by: try #require(bytes.oggFacts)) == 460)
  }

  @Test("Pre-skip is muted whatever number the first frame has", arguments: [0, 312, 1_000, 10_000_000])
  func preSkip(origin: Int) {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer)
    for page in 1...2 {
      bytes += writer.page([OggSample.opus(), OggSample.opus()], granule: origin + 1_920 * page)
    }
    let outcome = OggOutcome(bytes)
    #expect(outcome.packets.map(\.info.mutedHead) == [312, 0, 0, 0])
    #expect(outcome.frames == [648, 960, 960, 960])
    #expect(outcome.firstFrames == [origin, origin + 648, origin + 1_608, origin + 2_568])
  }

  @Test("A stream joined after its first pages has no pre-skip")
  func joinedPreSkip() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer)
    writer.sequence = 700
    bytes += writer.page([OggSample.opus(), OggSample.opus()], granule: 960_000)
    #expect(OggOutcome(bytes).packets.map(\.info.mutedHead) == [0, 0])
  }
}
