import Blocks
import Framing
import SeededRandom
import Testing
import Units

struct OggFramerTests {
  @Test("Vorbis: set-up and tags precede packets, and each lasts for two blocks' overlap (C1)")
  func vorbis() {
    let stream = OggSample.vorbisStream(tags: ["title=A Song", "ARTIST=One"])
    let outcome = OggOutcome(stream)
    #expect(
      outcome.items.first == .setup(CodecSetup(.vorbis, [OggSample.vorbisHead(), OggSample.vorbisSetup()])))
    #expect(outcome.items.dropFirst().first == .tags(StreamTags(title: "A Song", artist: "One")))
    #expect(outcome.packets.count == 12)
    #expect(outcome.frames == [0] + [Int](repeating: 1_024, count: 11))
    #expect(outcome.firstFrames == [0] + (0..<11).map { $0 * 1_024 })
    #expect(outcome.gaps.allSatisfy { !$0 })
    #expect(outcome.packets.allSatisfy { !$0.info.beginsFile && !$0.info.isTrimmed })
    #expect(
      outcome.packets[0].info.format == PacketFormat(codec: .vorbis, sampleRate: .cd, channels: 2))
    #expect(outcome.packets.map(\.info.byteCount) == outcome.bytes.map(\.count))
    #expect(outcome.skipped == 0)
  }

  @Test("Vorbis: the mode number selects short and long blocks")
  func vorbisBlocks() {
    var writer = OggWriter()
    let packets = [true, false, false, true, true].map { OggSample.vorbis(isLong: $0) }
    let bytes = OggSample.vorbisHeaders(&writer) + writer.page(packets, granule: 576 + 128 + 576 + 1_024)
    #expect(OggOutcome(bytes).frames == [0, 576, 128, 576, 1_024])
  }

  @Test("Opus: pre-skip and padding are inaudible, without duration (C1)")
  func opus() {
    var writer = OggWriter()
    var bytes = OggSample.opusHeaders(&writer, preSkip: 1_000, tags: ["TITLE=A - B"])
    bytes += writer.page([OggSample.opus(), OggSample.opus(), OggSample.opus()], granule: 2_880)
    bytes += writer.page([OggSample.opus(), OggSample.opus(), OggSample.opus()], granule: 4_000, isLast: true)
    let outcome = OggOutcome(bytes)
    #expect(outcome.setups == [CodecSetup(.opus, [OggSample.opusHead(preSkip: 1_000)])])
    #expect(outcome.tags == [StreamTags(title: "A - B")])
    #expect(outcome.frames == [0, 920, 960, 960, 160, 0])
    #expect(outcome.packets.map(\.info.mutedHead) == [960, 40, 0, 0, 0, 0])
    #expect(outcome.packets.map(\.info.mutedTail) == [0, 0, 0, 0, 800, 960])
    #expect(outcome.packets.map(\.info.isTrimmed) == [true, true, false, false, true, true])
    #expect(outcome.firstFrames == [0, 0, 920, 1_880, 2_840, 3_800])
    #expect(outcome.packets.allSatisfy { $0.info.headerFrames == 960 })
    #expect(outcome.packets[0].info.format.sampleRate == SampleRate(48_000))
  }

  @Test("FLAC: the first packet's header count, or all packets that do not start like a frame", arguments: [0, 2])
  func flac(headers: Int) {
    var writer = OggWriter()
    var bytes = writer.page([OggSample.flacHead(headers: headers)], isFirst: true)
    bytes += writer.page([OggSample.flacComments(["ALBUM=Radio"], isLast: false)])
    bytes += writer.pages(of: [0x86, 1, 0, 0] + [UInt8](repeating: 3, count: 70_000))
    bytes += writer.page([OggSample.flac(0), OggSample.flac(1)], granule: 8_192)
    bytes += writer.page([OggSample.flac(2)], granule: 8_292, isLast: true)
    let outcome = OggOutcome(bytes)
    #expect(outcome.setups == [CodecSetup(.flac, [OggSample.flacInfo()])])
    #expect(outcome.tags == [StreamTags(album: "Radio")])
    #expect(outcome.bytes == (0..<3).map { OggSample.flac($0) })
    #expect(outcome.frames == [4_096, 4_096, 100])
    #expect(outcome.firstFrames == [0, 4_096, 8_192])
    #expect(outcome.skipped == 0)
  }

  @Test("Missing tags are reported too")
  func noTags() {
    var writer = OggWriter()
    let bytes = writer.page([OggSample.flacHead(headers: 0)], isFirst: true) + writer.page([OggSample.flac(0)])
    #expect(OggOutcome(bytes).tags == [StreamTags()])
    var other = OggWriter()
    let opus = other.page([OggSample.opusHead()], isFirst: true) + other.page([OggSample.opus()], granule: 960)
    #expect(OggOutcome(opus).tags == [StreamTags()])
    #expect(OggOutcome(opus).packets.count == 1)
  }

  static let streams: [[UInt8]] = {
    var writer = OggWriter(serial: 99)
    var spread = OggSample.opusHeaders(&writer, tags: ["TITLE=" + String(repeating: "long ", count: 120)])
    spread += writer.pages(of: OggSample.opus(byteCount: 1_100), granule: 960, segments: 1)
    spread += writer.page(
      [OggSample.opus(seed: 2), OggSample.opus(byteCount: 255, seed: 3)], granule: 1_920, isOpen: true)
    spread += writer.page([[], OggSample.opus(seed: 4)], granule: 3_840, isContinued: true)
    return [
      OggSample.vorbisStream(pages: 2), spread, OggSample.vorbisStream() + OggSample.opusStream(),
      Build.quiet(50, seed: 3) + OggSample.opusStream() + [0x4F, 0x67, 0x67, 0x53] + OggSample.opusStream(serial: 3),
    ]
  }()

  @Test("Any pieces give the same result", arguments: streams.indices)
  func divisions(index: Int) {
    let stream = Self.streams[index]
    let whole = OggOutcome(stream)
    #expect(whole.packets.count >= 4)
    for step in [1, 2, 3, 26, 27, 28, 255, 1_000] {
      let outcome = OggOutcome(stream, step: step)
      #expect(outcome.items == whole.items)
      #expect(outcome.skipped == whole.skipped)
    }
  }

  @Test("A packet across pages is returned once and whole, with its first page's position")
  func continuedPackets() {
    var writer = OggWriter()
    let head = OggSample.opusHeaders(&writer)
    let long = OggSample.opus(byteCount: 1_020)
    let first = writer.page([OggSample.opus(), Array(long[..<255])], granule: 960, isOpen: true)
    let second = writer.page([Array(long[255..<765])], granule: -1, isContinued: true, isOpen: true)
    // The packet ends with an empty segment in the third page.
    let third = writer.page([Array(long[765...]), OggSample.opus(seed: 9)], granule: 2_880, isContinued: true)
    let outcome = OggOutcome(head + first + second + third)
    #expect(outcome.bytes == [OggSample.opus(), long, OggSample.opus(seed: 9)])
    let place = head.count
    #expect(outcome.packets.map(\.info.byteOffset) == [place, place, place + first.count + second.count])
    #expect(outcome.firstFrames == [0, 648, 1_608])
    #expect(outcome.gaps == [false, false, false])
  }

  @Test("An empty packet is ignored, unless its codec forbids it")
  func emptyPackets() {
    var writer = OggWriter()
    let vorbis = OggSample.vorbisHeaders(&writer)
    let packets = [OggSample.vorbis(), [], [], OggSample.vorbis()]
    let outcome = OggOutcome(vorbis + writer.page(packets, granule: 1_024) + writer.page([], granule: -1))
    #expect(outcome.packets.count == 2)
    #expect(outcome.frames == [0, 1_024])
    #expect(outcome.gaps == [false, false])
    var other = OggWriter()
    let opus = OggSample.opusHeaders(&other) + other.page([OggSample.opus(), [], OggSample.opus()], granule: 2_880)
    #expect(OggOutcome(opus).gaps == [false, true])
  }

  @Test("The number of buffered bytes bounds future packets")
  func heldBytes() {
    let stream = OggSample.opusStream(pages: 1)
    var framer = OggFramer()
    #expect(framer.heldByteCount == 0)
    let taken = framer.feed(Array(stream.dropLast()))
    framer.drain()
    #expect(framer.heldByteCount > 400)
    #expect(framer.heldByteCount < taken)
    let last = framer.feed(Array(stream[taken...]))
    #expect(last == 1)
    framer.drain()
    #expect(framer.heldByteCount == 0)
  }
}
