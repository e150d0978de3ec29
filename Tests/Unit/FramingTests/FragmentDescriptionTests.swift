import Framing
import MediaSupport
import Testing

struct FragmentDescriptionTests {
  static let units = AccessUnits.some

  /// An entry of `stsd`, and the expected profile, rate and channels of the first frame.
  struct Entry: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var stsdVersion: UInt8 = 0
    var profile: UInt8 = 1
    var rate: UInt8 = 4
    var channels: UInt8 = 2
  }

  static let btrt = BoxWriter.make("btrt", BoxWriter.u32(0, 1, 2))

  static let played: [Entry] = [
    Entry(testDescription: "AAC LC", bytes: BoxWriter.entry(BoxWriter.esds())),
    Entry(testDescription: "AAC LC, another box before", bytes: BoxWriter.entry(btrt + BoxWriter.esds() + btrt)),
    Entry(testDescription: "lengths of two bytes", bytes: BoxWriter.entry(BoxWriter.esds(lengthByteCount: 2))),
    Entry(testDescription: "lengths of three bytes", bytes: BoxWriter.entry(BoxWriter.esds(lengthByteCount: 3))),
    Entry(testDescription: "lengths of four bytes", bytes: BoxWriter.entry(BoxWriter.esds(lengthByteCount: 4))),
    Entry(
      testDescription: "all fields of the stream's descriptor",
      bytes: BoxWriter.entry(BoxWriter.esds(flags: [0xE0, 0, 9, 3, 0x61, 0x62, 0x63, 0, 7]))),
    Entry(
      testDescription: "HE-AAC, whose core is told",
      bytes: BoxWriter.entry(BoxWriter.esds(config: [0x2B, 0x92, 0x08, 0x00])), rate: 7),
    Entry(
      testDescription: "AAC Main, mono, 48 kHz", bytes: BoxWriter.entry(BoxWriter.esds(config: [0x09, 0x88])),
      profile: 0, rate: 3, channels: 1),
    Entry(testDescription: "MPEG-2 Main", bytes: BoxWriter.entry(BoxWriter.esds(objectType: 0x66))),
    Entry(testDescription: "MPEG-2 LC", bytes: BoxWriter.entry(BoxWriter.esds(objectType: 0x67))),
    Entry(testDescription: "MPEG-2 SSR", bytes: BoxWriter.entry(BoxWriter.esds(objectType: 0x68))),
    Entry(
      testDescription: "QuickTime, version 1",
      bytes: BoxWriter.entry(BoxWriter.esds(), version: 1, added: 16)),
    Entry(
      testDescription: "QuickTime, version 2",
      bytes: BoxWriter.entry(BoxWriter.esds(), version: 2, added: 36)),
    Entry(
      testDescription: "QuickTime with a wave",
      bytes: BoxWriter.entry(
        BoxWriter.make(
          "wave", BoxWriter.make("frma", Array("mp4a".utf8)), BoxWriter.make("mp4a", BoxWriter.u32(0)),
          BoxWriter.esds(), BoxWriter.u32(8, 0)), version: 1, added: 16)),
    Entry(
      testDescription: "ISO, version 1",
      bytes: BoxWriter.entry(BoxWriter.full("srat", BoxWriter.u32(96_000)) + BoxWriter.esds(), version: 1),
      stsdVersion: 1),
  ]

  @Test("Every form of an entry is read", arguments: played)
  func forms(entry: Entry) {
    var writer = FragmentWriter()
    writer.entries = [entry.bytes]
    writer.stsdVersion = entry.stsdVersion
    var reader = FragmentReader()
    let read = ReadFragments(writer.head() + writer.fragment(Self.units), with: &reader, step: 7)
    #expect(reader.refusal == nil)
    let expected = AccessUnits.frames(
      Self.units, profile: entry.profile, rate: entry.rate, channels: entry.channels)
    #expect(read.packets == expected)
  }

  static let mp3 = (0..<9).map { Build.mpeg(padding: $0 % 2 == 0, seed: UInt64($0 + 1)) }

  @Test(
    "MPEG audio passes unchanged",
    arguments: [
      BoxWriter.entry(BoxWriter.esds(objectType: 0x69, config: nil)),
      BoxWriter.entry(BoxWriter.esds(objectType: 0x6B, config: nil)), BoxWriter.entry([], type: ".mp3"),
      BoxWriter.entry([], type: "ms\u{0}U", version: 1, added: 16),
    ])
  func mpegAudio(entry: [UInt8]) {
    var writer = FragmentWriter()
    writer.entries = [entry]
    let read = ReadFragments(writer.head() + writer.fragment(Self.mp3) + writer.fragment(Self.mp3), step: 41)
    #expect(read.audio == (Self.mp3 + Self.mp3).flatMap { $0 })
    #expect(read.packets == Self.mp3 + Self.mp3)
  }

  static let refused: [(entry: [UInt8], codec: RefusedCodec)] = [
    (BoxWriter.entry([], type: "ac-3"), .ac3), (BoxWriter.entry([], type: "ec-3"), .eac3),
    (BoxWriter.entry([], type: "Opus"), .opus), (BoxWriter.entry([], type: "fLaC"), .flac),
    (BoxWriter.entry([], type: "alac"), .alac), (BoxWriter.entry([], type: "ac-4"), .other),
    (BoxWriter.entry(BoxWriter.esds(), type: "enca"), .encrypted),
    (BoxWriter.entry([]), .other), (BoxWriter.make("mp4a", [0, 0, 0]), .other),
    (BoxWriter.entry(BoxWriter.full("esds", [3])), .other),
    (BoxWriter.entry(BoxWriter.esds(config: nil)), .unknownAac),
    (BoxWriter.entry(BoxWriter.esds(config: [])), .unknownAac),
    // Object type 42 (xHE-AAC), 44,100 Hz, stereo.
    (BoxWriter.entry(BoxWriter.esds(config: [0xF9, 0x48, 0x80, 0x00])), .xheAac),
    (BoxWriter.entry(BoxWriter.esds(config: [0x12, 0x14])), .shortFrames),
    (BoxWriter.entry(BoxWriter.esds(objectType: 0xA5)), .ac3),
    (BoxWriter.entry(BoxWriter.esds(objectType: 0xA6)), .eac3),
    (BoxWriter.entry(BoxWriter.esds(objectType: 0xAD)), .opus),
    (BoxWriter.entry(BoxWriter.esds(objectType: 0xA9)), .other),
  ]

  @Test("An unsupported codec is refused by name", arguments: refused)
  func refusedByName(_ row: (entry: [UInt8], codec: RefusedCodec)) {
    var writer = FragmentWriter()
    writer.entries = [row.entry]
    var reader = FragmentReader()
    let read = ReadFragments(writer.head(), with: &reader)
    #expect(reader.refusal == row.codec)
    #expect(read.audio.isEmpty && ReadFragments(writer.fragment(Self.units), with: &reader).audio.isEmpty)
    #expect(reader.refusal == row.codec)
    reader.reset()
    #expect(reader.refusal == row.codec)
  }

  @Test func theFirstTrackThatCanBePlayedIs() {
    var surround = FragmentWriter(id: 3)
    surround.entries = [BoxWriter.entry([], type: "ec-3")]
    let writer = FragmentWriter(id: 8)
    var commentary = FragmentWriter(id: 9)
    commentary.entries = [BoxWriter.entry(BoxWriter.esds(config: [0x13, 0x88]))]
    var reader = FragmentReader()
    let stream =
      commentary.head(behind: [surround, FragmentReaderTests.video, writer])
      + surround.fragment(Self.units) + writer.fragment(Self.units) + commentary.fragment(Self.units)
    #expect(ReadFragments(stream, with: &reader).audio == AccessUnits.frames(Self.units).flatMap { $0 })
    #expect(reader.refusal == nil)
  }

  @Test("A fragment names its entry: a clear lead before encryption plays")
  func entriesTakeTurns() {
    var writer = FragmentWriter()
    writer.entries = [BoxWriter.entry(BoxWriter.esds(), type: "enca"), BoxWriter.entry(BoxWriter.esds())]
    func fragment(_ entry: UInt32?) -> [UInt8] {
      FragmentWriter.moof { byteCount in
        let run = FragmentWriter.run(Self.units, offset: byteCount + 8)
        return entry.map { writer.traf(flags: 0x2_0002, fields: BoxWriter.u32($0), [run]) } ?? writer.traf([run])
      } + BoxWriter.make("mdat", Self.units.flatMap { $0 })
    }
    var reader = FragmentReader()
    #expect(ReadFragments(writer.head() + fragment(2), with: &reader).packets == AccessUnits.frames(Self.units))
    #expect(reader.refusal == nil)
    #expect(ReadFragments(fragment(1), with: &reader).audio.isEmpty)
    #expect(reader.refusal == .encrypted)
    #expect(ReadFragments(fragment(2) + fragment(nil), with: &reader).packets == AccessUnits.frames(Self.units))
    #expect(reader.refusal == .encrypted)
    writer.defaultDescription = 2
    #expect(ReadFragments(writer.head() + fragment(nil), with: &reader).packets == AccessUnits.frames(Self.units))
    #expect(reader.refusal == nil)
  }

  @Test func aFileThatIsNotFragmentedIsRefused() {
    var writer = FragmentWriter()
    writer.sampleCount = 8
    let mdat = BoxWriter.make("mdat", Self.units.flatMap { $0 })
    for stream in [writer.head(isFragmented: false) + mdat, mdat + writer.head(isFragmented: false)] {
      var reader = FragmentReader()
      #expect(ReadFragments(stream, with: &reader, step: 100).audio.isEmpty)
      #expect(reader.refusal == .other)
    }
    // A head without samples is read as fragmented, even if it does not announce fragments.
    writer.sampleCount = 0
    var reader = FragmentReader()
    let stream = writer.head(isFragmented: false) + writer.fragment(Self.units)
    #expect(ReadFragments(stream, with: &reader).packets == AccessUnits.frames(Self.units))
    #expect(reader.refusal == nil)
  }

  @Test func aHeadWithoutSoundIsRefused() {
    var reader = FragmentReader()
    _ = ReadFragments(FragmentReaderTests.video.head(), with: &reader)
    #expect(reader.refusal == .other)
    _ = ReadFragments(FragmentWriter().head() + BoxWriter.make("moov"), with: &reader)
    #expect(reader.refusal == .other)
  }
}
