import Blocks
import Framing
import Testing
import Units

/// Chained links, multiplexed streams, joins in the middle of a stream, and restarts at another position.
struct OggLinkTests {
  @Test("Each link of a chain gives set-up and tags, and starts a file", arguments: [true, false])
  func chain(ends: Bool) {
    let stream =
      OggSample.vorbisStream(serial: 1, tags: ["TITLE=One"], ends: ends)
      + OggSample.vorbisStream(serial: 2, tags: ["TITLE=Two"], ends: ends)
      + OggSample.vorbisStream(serial: 3, rate: 22_050, tags: ["TITLE=Three"], ends: ends)
    let outcome = OggOutcome(stream)
    #expect(outcome.tags.map(\.title) == ["One", "Two", "Three"])
    #expect(outcome.setups.count == 3)
    #expect(outcome.packets.count == 36)
    #expect(outcome.packets.indices.filter { outcome.packets[$0].info.beginsFile } == [12, 24])
    #expect(outcome.gaps.allSatisfy { !$0 })
    #expect(
      outcome.packets.map(\.info.format.sampleRate.hertz).suffix(13) == [44_100] + [Int32](repeating: 22_050, count: 12)
    )
    #expect(outcome.firstFrames.suffix(12).first == 0)
    #expect(outcome.frames[12] == 0)
    #expect(outcome.items.firstIndex(of: .tags(StreamTags(title: "Two"))) == 15)
  }

  @Test("A chain may change its codec and reuse a serial number")
  func otherCodec() {
    var writer = OggWriter(serial: 1)
    let flac =
      writer.page([OggSample.flacHead(headers: 1)], isFirst: true) + writer.page([OggSample.flacComments(["TITLE=F"])])
      + writer.page([OggSample.flac(0)], granule: 4_096, isLast: true)
    let outcome = OggOutcome(OggSample.opusStream(serial: 1) + flac + OggSample.vorbisStream(serial: 1))
    #expect(outcome.setups.map(\.codec) == [.opus, .flac, .vorbis])
    #expect(
      outcome.packets.map(\.info.format.codec) == [Codec](repeating: .opus, count: 15) + [.flac]
        + [Codec](repeating: .vorbis, count: 12))
    #expect(outcome.packets.map(\.info.beginsFile).filter { $0 }.count == 2)
  }

  @Test("Repeated headers are not another file")
  func doubledHeaders() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer)
    writer.sequence = 0
    bytes += OggSample.opusHeaders(&writer) + writer.page([OggSample.opus()], granule: 960)
    let outcome = OggOutcome(bytes)
    #expect(outcome.packets.count == 1)
    #expect(outcome.packets.allSatisfy { !$0.info.beginsFile && !$0.info.followsGap })
  }

  @Test("A loss at a link's end is not missing in the next")
  func lossAtALinksEnd() {
    var writer = OggWriter(serial: 5)
    var bytes = OggSample.opusHeaders(&writer) + writer.page([OggSample.opus()], granule: 960)
    bytes += writer.page([OggSample.opus(byteCount: 255)], granule: -1, isOpen: true)
    let outcome = OggOutcome(bytes + OggSample.vorbisStream())
    #expect(outcome.gaps.allSatisfy { !$0 })
    #expect(outcome.packets.count == 13)
  }

  private static func pages(of writer: inout OggWriter, count: Int) -> [[UInt8]] {
    (0..<count).map { writer.page([Build.quiet(300, seed: UInt64($0))], granule: $0) }
  }

  @Test("A parallel stream with another codec is skipped", arguments: [true, false])
  func multiplexed(isFirst: Bool) {
    var (video, sound) = (OggWriter(serial: 40), OggWriter(serial: 41))
    let theora = video.page([[0x80] + Array("theora".utf8) + Build.quiet(40, seed: 1)], isFirst: true)
    let head = sound.page([OggSample.opusHead()], isFirst: true)
    var bytes = isFirst ? theora + head : head + theora
    let others = Self.pages(of: &video, count: 5)
    bytes += others[0] + sound.page([OggSample.opusTags(["TITLE=Film"])]) + others[1]
    let long = OggSample.opus(byteCount: 255)
    bytes += sound.page([OggSample.opus(), long], granule: 960, isOpen: true) + others[2]
    bytes += sound.page([[], OggSample.opus()], granule: 2_880, isContinued: true) + others[3] + others[4]
    let outcome = OggOutcome(bytes + OggSample.vorbisStream())
    #expect(outcome.bytes.prefix(3) == [OggSample.opus(), long, OggSample.opus()])
    #expect(outcome.gaps.allSatisfy { !$0 })
    #expect(outcome.packets.count == 15)
    #expect(outcome.skipped == 0)
    #expect(outcome.refusal == nil)
  }

  @Test("The first of two playable streams is used")
  func twoSounds() {
    var (one, other) = (OggWriter(serial: 1), OggWriter(serial: 2))
    var bytes = one.page([OggSample.opusHead()], isFirst: true) + other.page([OggSample.vorbisHead()], isFirst: true)
    bytes += one.page([OggSample.opusTags()]) + other.page([OggSample.vorbisComments(), OggSample.vorbisSetup()])
    bytes += other.page([OggSample.vorbis()]) + one.page([OggSample.opus()], granule: 960)
    #expect(OggOutcome(bytes).packets.map(\.info.format.codec) == [.opus])
  }

  @Test("A link without a playable codec is refused until another follows")
  func refused() {
    var speex = OggWriter(serial: 40)
    var bytes = speex.page([Array("Speex   1.2".utf8) + Build.quiet(60, seed: 2)], isFirst: true)
    #expect(OggOutcome(bytes).refusal == nil)
    bytes += Self.pages(of: &speex, count: 4).flatMap { $0 }
    #expect(OggOutcome(bytes).refusal == .other)
    #expect(OggOutcome(bytes).items.isEmpty)
    #expect(OggOutcome(bytes + OggSample.opusStream()).refusal == nil)
    #expect(OggOutcome(bytes + OggSample.opusStream()).packets.count == 15)
  }

  @Test("A reused serial number restores no headers")
  func usedAgain() {
    var speex = OggWriter(serial: 8)
    var bytes = OggSample.opusStream(serial: 8)
    bytes += speex.page([Array("Speex   1.2".utf8) + Build.quiet(60, seed: 2)], isFirst: true)
    bytes += Self.pages(of: &speex, count: 4).flatMap { $0 }
    #expect(OggOutcome(bytes).packets.count == 15)
    #expect(OggOutcome(bytes).refusal == .other)
  }

  @Test("A foreign stream inside a link interrupts the audio for a page at most")
  func stranger() {
    var (sound, other) = (OggWriter(serial: 1), OggWriter(serial: 2))
    var bytes = OggSample.opusHeaders(&sound) + sound.page([OggSample.opus()], granule: 960)
    bytes += other.page([Build.quiet(20, seed: 4)], isFirst: true)
    bytes += sound.page([OggSample.opus()], granule: 1_920) + sound.page([OggSample.opus()], granule: 2_880)
    let outcome = OggOutcome(bytes)
    #expect(outcome.packets.count == 3)
    #expect(outcome.firstFrames == [0, 648, 1_608])
    #expect(outcome.packets.allSatisfy { !$0.info.beginsFile })
  }

  // MARK: Joins

  @Test(
    "Headers followed by the middle of a stream: nothing is missing, and a packet's rest is dropped",
    arguments: [true, false])
  func joined(followsGap: Bool) {
    var writer = OggWriter()
    var bytes = OggSample.vorbisHeaders(&writer)
    writer.sequence = 5_000
    bytes += writer.page([OggSample.vorbis(byteCount: 255)], granule: -1, isContinued: true, isOpen: true)
    bytes += writer.page(
      [OggSample.vorbis(byteCount: 40), OggSample.vorbis(), OggSample.vorbis()], granule: 50_000, isContinued: true)
    bytes += writer.page([OggSample.vorbis()], granule: 51_024)
    var framer = OggFramer()
    framer.reset(followsGap: followsGap)
    let outcome = OggOutcome(bytes, with: &framer)
    #expect(outcome.gaps == [followsGap, false, false])
    #expect(outcome.frames == [0, 1_024, 1_024])
    #expect(outcome.firstFrames == [48_976, 48_976, 50_000])
    #expect(outcome.bytes == [OggSample.vorbis(), OggSample.vorbis(), OggSample.vorbis()])
  }

  @Test("Joins of Opus and FLAC work without headers")
  func joinedWithoutTags() {
    var writer = OggWriter()
    var bytes = writer.page([OggSample.opusHead()], isFirst: true)
    writer.sequence = 90
    bytes += writer.page([[9, 9, 9], OggSample.opus()], granule: 960_000, isContinued: true)
    #expect(OggOutcome(bytes).bytes == [OggSample.opus()])
    #expect(OggOutcome(bytes).gaps == [false])
    #expect(OggOutcome(bytes).tags == [StreamTags()])
    var other = OggWriter()
    bytes = other.page([OggSample.opusHead()], isFirst: true)
    other.sequence = 90
    bytes += other.page([OggSample.opus()], granule: -1)
    #expect(OggOutcome(bytes).firstFrames == [nil])
    var flac = OggWriter()
    bytes = flac.page([OggSample.flacHead(headers: 3)], isFirst: true)
    flac.sequence = 90
    bytes += flac.page([OggSample.flac(7)], granule: 960_000)
    #expect(OggOutcome(bytes).firstFrames == [955_904])
  }

  @Test("Vorbis waits for its set-up, and works without comments")
  func vorbisWithoutHeaders() {
    var writer = OggWriter()
    let head = writer.page([OggSample.vorbisHead()], isFirst: true)
    writer.sequence = 4
    let early = writer.page([OggSample.vorbis(), OggSample.vorbis()], granule: 4_096)
    let setup = writer.page([OggSample.vorbisSetup()])
    let sound = writer.page([OggSample.vorbis()], granule: 5_120)
    #expect(OggOutcome(head + early).items.isEmpty)
    #expect(OggOutcome(head + early).skipped == 180)
    #expect(OggOutcome(head + early + setup + sound).packets.count == 1)
    // A stream joined without its headers cannot be played.
    #expect(OggOutcome(setup + sound).items.isEmpty)
    #expect(OggOutcome(setup + sound).skipped == setup.count + sound.count)
  }

  @Test("A picture in the comments hides no later title")
  func picture() {
    let texts = ["METADATA_BLOCK_PICTURE=" + String(repeating: "/9j4", count: 50_000), "TITLE=Behind", "ARTIST=It"]
    var writer = OggWriter(serial: 1)
    var bytes = writer.page([OggSample.vorbisHead()], isFirst: true)
    bytes += writer.pages(of: OggSample.vorbisComments(texts)) + writer.page([OggSample.vorbisSetup()])
    bytes += writer.page([OggSample.vorbis()], granule: 1_024, isLast: true)
    writer = OggWriter(serial: 2)
    bytes += writer.page([OggSample.opusHead()], isFirst: true) + writer.pages(of: OggSample.opusTags(texts))
    bytes += writer.page([OggSample.opus()], granule: 960, isLast: true)
    let outcome = OggOutcome(bytes)
    #expect(outcome.tags == [StreamTags](repeating: StreamTags(title: "Behind", artist: "It"), count: 2))
    #expect(outcome.packets.count == 2 && outcome.mostHeld < 140_000)
  }

  // MARK: Reading on elsewhere

  @Test("A read from another position needs no headers again", arguments: [0, 1, 100, 500])
  func seek(extra: Int) {
    let first = OggSample.vorbisStream(serial: 1, tags: ["TITLE=One"])
    let stream = first + OggSample.opusStream(serial: 2, tags: ["TITLE=Two"])
    var framer = OggFramer()
    let whole = OggOutcome(stream, with: &framer)
    for (serial, start) in [(UInt32(1), whole.packets[4].info.byteOffset), (2, whole.packets[17].info.byteOffset)] {
      let place = start - extra
      framer.reset(followsGap: true, at: place)
      let outcome = OggOutcome(Array(stream[place...]), with: &framer)
      #expect(outcome.tags.first?.title == (serial == 1 ? "One" : "Two"))
      #expect(outcome.setups.first == (serial == 1 ? whole.setups.first : whole.setups.last))
      let known = whole.packets.filter { $0.info.byteOffset >= outcome.packets[0].info.byteOffset }
      #expect(outcome.bytes == known.map(\.bytes))
      #expect(outcome.packets.map(\.info.byteOffset) == known.map(\.info.byteOffset))
      #expect(outcome.gaps == [true] + [Bool](repeating: false, count: known.count - 1))
      #expect(outcome.packets[0].info.beginsFile == false)
      #expect(outcome.packets.dropFirst(2).map(\.info.firstFrame) == known.dropFirst(2).map(\.info.firstFrame))
    }
  }

  @Test("Headers inside a read are not audio, and nothing is missing afterwards", arguments: [1, 60])
  func seekIntoHeaders(place: Int) {
    for stream in [OggSample.opusStream(), OggSample.vorbisStream()] {
      var framer = OggFramer()
      let whole = OggOutcome(stream, with: &framer)
      framer.reset(followsGap: false, at: place)
      let outcome = OggOutcome(Array(stream[place...]), with: &framer)
      #expect(outcome.items == whole.items)
    }
  }

  @Test("A restarted stream has no state of the previous one")
  func forgotten() {
    let stream = OggSample.vorbisStream()
    let headers = OggOutcome(stream).packets[0].info.byteOffset
    var framer = OggFramer()
    _ = OggOutcome(stream, with: &framer)
    framer.reset(followsGap: false)
    let outcome = OggOutcome(Array(stream[headers...]), with: &framer)
    #expect(outcome.items.isEmpty)
    framer.reset(followsGap: true)
    let again = OggOutcome(stream, with: &framer)
    #expect(again.gaps == [true] + [Bool](repeating: false, count: 11))
    #expect(again.packets.allSatisfy { !$0.info.beginsFile })
  }

  @Test("The headers of many links are not all stored")
  func manyLinks() {
    let links = (0..<40).map { OggSample.opusStream(serial: UInt32($0), pages: 1) }
    var framer = OggFramer()
    _ = OggOutcome(links.flatMap { $0 }, with: &framer)
    framer.reset(followsGap: true, at: 1)
    let first = OggOutcome(Array(links[0].suffix(300)), with: &framer)
    framer.reset(followsGap: true, at: 1)
    let last = OggOutcome(Array(links[39].suffix(500)), with: &framer)
    #expect(first.packets.isEmpty)
    #expect(last.packets.count == 5)
  }

  @Test("Pages without headers are reported as such until a link starts")
  func headless() {
    var writer = OggWriter(serial: 3)
    writer.sequence = 400
    let pages = (1...40).flatMap { writer.page([OggSample.opus()], granule: 960 * $0) }
    var framer = OggFramer()
    _ = framer.feed(pages)
    framer.drain()
    let isHeadless = framer.isHeadless
    #expect(isHeadless)
    _ = framer.feed(OggSample.opusStream())
    framer.drain()
    let hasHead = !framer.isHeadless
    #expect(hasHead)
  }

  @Test("Links without audio are counted")
  func soundless() {
    var framer = OggFramer()
    for serial in 1...5 as ClosedRange<UInt32> {
      var writer = OggWriter(serial: serial)
      _ = framer.feed(OggSample.opusHeaders(&writer))
      framer.drain()
      let count = framer.soundlessLinkCount
      #expect(count == Int(serial))
    }
    _ = framer.feed(OggSample.opusStream(serial: 9))
    framer.drain()
    let count = framer.soundlessLinkCount
    #expect(count == 0)
  }
}
