import Blocks
import SeededRandom
import Testing
import Units

@testable import Framing

enum AiffBuild {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func chunk(_ name: String, _ content: [UInt8], byteCount: Int? = nil) -> [UInt8] {
    let padding: [UInt8] = content.count % 2 == 1 ? [0] : []
    return OggBytes.row(Array(name.utf8), big(byteCount ?? content.count, 4), content, padding)
  }

  /// The content of a COMM chunk at 44,100 Hz.
  static func common(_ type: String = "", channels: Int = 2, frames: Int = 3_000, bits: Int = 16) -> [UInt8] {
    let rate = big(0x400E, 2) + big(0xAC44_0000, 4) + big(0, 4)
    return OggBytes.row(big(channels, 2), big(frames, 4), big(bits, 2), rate, Array(type.utf8))
  }

  static func head(_ common: [UInt8]? = common(), mark: String = "AIFF", told: Int = 0, chunks: [UInt8] = []) -> [UInt8]
  {
    OggBytes.row(
      Array("FORM".utf8), big(told, 4), Array(mark.utf8), chunks, common.map { chunk("COMM", $0) } ?? [])
  }

  /// An SSND chunk whose samples follow `offset` bytes.
  static func samples(_ sound: [UInt8], offset: [UInt8] = [], told: Int? = nil, toldOffset: Int? = nil) -> [UInt8] {
    chunk("SSND", big(toldOffset ?? offset.count, 4) + big(0, 4) + offset + sound, byteCount: told)
  }
}

struct AiffTests {
  static let sound = WavBuild.noise(12_000)
  static let file =
    AiffBuild.head(chunks: AiffBuild.chunk("NAME", Array("A song".utf8)) + AiffBuild.chunk("AUTH", Array("Me!".utf8)))
    + AiffBuild.samples(sound)

  static func read(_ stream: [UInt8], step: Int = .max) -> PullReading {
    PullReading(PcmFileReader(AiffHead.self), stream, step: step)
  }

  @Test("Set-up, tags and packets arrive in order, for any pieces (C2)", arguments: [1, 7, 5_000, .max])
  func wholeFile(step: Int) {
    let reading = Self.read(Self.file, step: step)
    #expect(reading.bytes == WavReaderTests.cut(Self.sound))
    #expect(reading.order == "stppp")
    #expect(reading.setups == [CodecSetup(.pcm, [Array("COMM".utf8) + AiffBuild.common()])])
    #expect(reading.tags == [StreamTags(title: "A song", artist: "Me!")])
    #expect(reading.firstFrames == [0, 1_258, 2_516])
    #expect(reading.gaps.isEmpty && reading.begins.isEmpty && reading.skipped == 0)
    let format = PacketFormat(codec: .pcm, sampleRate: .cd, channels: 2)
    #expect(reading.packets.allSatisfy { $0.info.format == format })
  }

  @Test(
    "Equal frames in WAV and AIFF become equal packets (C2)",
    arguments: [8, 16, 24, 32], [1, 2, 6])
  func likeWav(bits: Int, channels: Int) {
    let frame = channels * bits / 8
    let sound = WavBuild.noise(frame * 3_000)
    let wav = WavBuild.head(WavBuild.format(channels: channels, bits: bits)) + WavBuild.chunk("data", sound)
    let aiff = AiffBuild.head(AiffBuild.common(channels: channels, bits: bits)) + AiffBuild.samples(sound)
    let (one, other) = (PullReading(PcmFileReader(WavHead.self), wav), Self.read(aiff))
    #expect(one.bytes == other.bytes && one.firstFrames == other.firstFrames && one.order == other.order)
    #expect(one.packets.map(\.info.duration) == other.packets.map(\.info.duration))
    #expect(one.packets.map(\.info.format) == other.packets.map(\.info.format))
  }

  /// A length in SSND, an offset, a number of frames, and the expected length in bytes.
  struct Length: Sendable {
    var told: Int?
    var offset = 0
    var frames = 3_000
    var known: Int?
  }

  @Test(
    "The shorter length counts; a placeholder means all following bytes",
    arguments: [
      Length(known: 12_000), Length(told: 12_008, known: 12_000), Length(told: 20_008, known: 12_000),
      Length(told: 20_008, frames: 5_000, known: 20_000), Length(frames: 0, known: 12_000),
      Length(frames: 0xFFFF_FFFF, known: 12_000), Length(frames: 1_000, known: 4_000), Length(told: 0),
      Length(told: 0xFFFF_FFFF), Length(told: 0x7FFF_FFFF), Length(told: 0x7F00_0008), Length(told: 0x7EFF_FFEE),
      Length(offset: 10, known: 12_000), Length(offset: 5_001, known: 12_000), Length(told: 8, frames: 0, known: 0),
    ])
  func lengths(_ length: Length) {
    let lead = Build.quiet(length.offset, seed: 3)
    let stream =
      AiffBuild.head(AiffBuild.common(frames: length.frames))
      + AiffBuild.samples(Self.sound, offset: lead, told: length.told)
    for step in [1, 1_000, Int.max] {
      var reader = PcmFileReader(AiffHead.self)
      var reading = PullReading()
      reading.read(&reader, stream, step: step)
      let heard = Array(Self.sound.prefix(length.known ?? .max))
      #expect(reading.bytes == WavReaderTests.cut(heard))
      #expect(reader.samples?.byteCount == length.known)
      #expect(reader.samples?.firstByte == 54 + length.offset)
      #expect(reader.facts?.length == length.known.map { StreamTime(frames: FrameCount($0 / 4), at: .cd) })
    }
  }

  @Test("The length of the whole file is ignored", arguments: [0, 1, 46, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func wholeLength(told: Int) {
    let stream = AiffBuild.head(told: told) + AiffBuild.samples(Self.sound)
    #expect(Self.read(stream).bytes == WavReaderTests.cut(Self.sound))
  }

  @Test("Chunks in any order before the samples are read or skipped", arguments: [1, 40, .max])
  func order(step: Int) {
    let title = AiffBuild.chunk("NAME", Array("Odd".utf8))
    let others = AiffBuild.chunk("FVER", [1, 2, 3, 4]) + AiffBuild.chunk("APPL", WavBuild.noise(50_001))
    for chunks in [title + others, others + title] {
      let stream =
        AiffBuild.head(nil, chunks: chunks) + AiffBuild.chunk("COMM", AiffBuild.common()) + title
        + AiffBuild.samples(Self.sound)
      let reading = Self.read(stream, step: step)
      #expect(reading.bytes == WavReaderTests.cut(Self.sound) && reading.tags == [StreamTags(title: "Odd")])
      #expect(reading.mostHeld < 20_000 && reading.skipped == 0)
    }
  }

  @Test("A second file has its own set-up; chunks and tags between are not audio", arguments: [1, 333, .max])
  func chain(step: Int) {
    let odd = AiffBuild.head(AiffBuild.common(channels: 1, frames: 3, bits: 8)) + AiffBuild.samples([1, 2, 3])
    let between = AiffBuild.chunk("ID3 ", [1, 2, 3]) + AiffBuild.chunk("NAME", Array("Late".utf8))
    // The unused end of SSND belongs to no packet.
    let short = AiffBuild.head(AiffBuild.common(frames: 2)) + AiffBuild.samples(Array(1...21))
    let reading = Self.read(Self.file + between + odd + Build.id3v1 + short + Self.file, step: step)
    let sound = WavReaderTests.cut(Self.sound)
    #expect(reading.bytes == sound + [[1, 2, 3], Array(1...8)] + sound)
    #expect(reading.begins == [3, 4, 5] && reading.order == "stpppstpstpstppp")
    #expect(reading.tags.map(\.title) == ["A song", nil, nil, "A song"] && reading.skipped == 0)
  }

  @Test("Reading from another byte returns packets at the same positions")
  func readFromAByte() {
    let whole = Self.read(Self.file)
    let start = Self.file.count - 12_000
    var reader = PcmFileReader(AiffHead.self)
    var first = PullReading()
    first.read(&reader, Array(Self.file.prefix(200)))
    for offset in [1, start - 1, start, start + 1, start + 5_031, start + 5_033, Self.file.count - 1] {
      reader.reset(followsGap: false, at: offset)
      var reading = PullReading()
      reading.read(&reader, Array(Self.file[offset...]), step: 999)
      let expected = whole.packets.filter { $0.info.byteOffset >= offset }
      #expect(reading.packets.map(\.info.byteOffset) == expected.map(\.info.byteOffset), "from \(offset)")
      #expect(reading.bytes == expected.map(\.bytes) && reading.firstFrames == expected.map(\.info.firstFrame))
    }
  }

  @Test(
    "Codecs and impossible headers are refused, and their bytes skipped",
    arguments: [
      AiffBuild.head(AiffBuild.common("ima4"), mark: "AIFC"), AiffBuild.head(AiffBuild.common("MAC3"), mark: "AIFC"),
      AiffBuild.head(AiffBuild.common("ulaw"), mark: "AIFC"), AiffBuild.head(AiffBuild.common("alaw"), mark: "AIFC"),
      AiffBuild.head(AiffBuild.common(channels: 0)), AiffBuild.head(AiffBuild.common(channels: 9)),
      AiffBuild.head(AiffBuild.common(bits: 0)), AiffBuild.head(AiffBuild.common(bits: 33)),
      AiffBuild.head(Array(AiffBuild.common().dropLast())), AiffBuild.head([]), AiffBuild.head(nil),
    ])
  func refused(head: [UInt8]) {
    // COMM after SSND is too late.
    let late = AiffBuild.chunk("COMM", AiffBuild.common())
    let reading = Self.read(head + AiffBuild.samples(Self.sound) + late, step: 100)
    #expect(reading.refusal == .other && reading.order == "" && reading.mostHeld < 200)
  }

  @Test("Samples that start after their chunk are refused", arguments: [12_001, 0x7FFF_FFFF, 0xFFFF_FFFF])
  func impossibleOffset(told: Int) {
    let stream = AiffBuild.head() + AiffBuild.samples(Self.sound, toldOffset: told)
    #expect(Self.read(stream, step: 100).refusal == .other)
    #expect(Self.read(AiffBuild.head() + AiffBuild.samples(Self.sound, told: 7)).refusal == .other)
    // Without a length, no audio follows.
    let reading = Self.read(AiffBuild.head() + AiffBuild.samples(Self.sound, told: 0, toldOffset: told))
    #expect(reading.order == "" && reading.refusal == nil)
  }

  @Test("Only AIFF-C has a compression type")
  func noType() {
    let stream = AiffBuild.head(AiffBuild.common("ulaw")) + AiffBuild.samples(Self.sound)
    #expect(Self.read(stream).bytes == WavReaderTests.cut(Self.sound))
  }

  @Test("Any damage, and any cut, is survived")
  func anyDamage() {
    var random = SeededGenerator(22)
    let clean = Self.file.prefix(400) + Self.file.prefix(300)
    for _ in 0..<300 {
      var bytes = Array(clean.prefix(Int.random(in: 1...clean.count, using: &random)))
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let reading = Self.read(bytes, step: Int.random(in: 1...300, using: &random))
      #expect(reading.packetByteCount + reading.skipped <= bytes.count)
    }
  }
}
