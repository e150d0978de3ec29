import Framing
import MediaSupport
import Testing

struct TransportTagTests {
  typealias Writer = TransportStreamWriter

  static let frames = TransportStreamReaderTests.frames
  static let entries = [
    Writer.Entry(type: 0x15, pid: Writer.tagPID, descriptors: named), TransportStreamReaderTests.entry,
  ]
  static let named: [UInt8] = [0x26, 13, 0xFF, 0xFF] + Array("ID3 ".utf8) + [0xFF] + Array("ID3 ".utf8) + [0, 0x0F]
  static let tags = (0..<6).map { Build.id3(Build.quiet([1, 0, 70, 500, 3_000, 20][$0], seed: UInt64($0))) }
  static let form = Writer.PesHeader(id: 0xBD, time: 90_000)

  @Test("Audio and tags keep the order of the bytes", arguments: [1, 5, 100, 184])
  func order(fill: Int) {
    var writer = Writer()
    writer.nextPayloadSize = { fill }
    writer.tables(Self.entries)
    var runs: [TransportOutcome.Run] = []
    for (index, tag) in Self.tags.enumerated() {
      writer.pes(Self.frames[index], .init(time: 3))
      writer.pes(Writer.tagPID, tag, .init(id: 0xBD, time: UInt64(index) + 90_000, isBounded: index % 2 == 0))
      runs += [.sound(Self.frames[index]), .tag(tag)]
    }
    let outcome = TransportOutcome(writer.bytes)
    #expect(outcome.runs == runs)
    #expect(outcome.tagTime == 90_005)
    #expect(outcome.firstTime == 3)
    #expect(outcome.isSameAtEveryCut(writer.bytes))
  }

  @Test("Several tags in a PES packet are separate, also with footers, and other data is dropped")
  func several() {
    let tags = [Self.tags[2], Build.id3(Build.quiet(30, seed: 9), hasFooter: true), Self.tags[3]]
    var writer = Writer()
    writer.tables(Self.entries)
    writer.pes(Writer.tagPID, Array(tags.joined()) + Build.quiet(50, seed: 3), Self.form)
    writer.pes(Writer.tagPID, Build.quiet(300, seed: 4), Self.form)
    writer.pes(Writer.tagPID, Array("ID".utf8), Self.form)
    writer.pes(Writer.tagPID, Array("TAG".utf8) + Build.quiet(300, seed: 4), Self.form)
    writer.pes(Writer.tagPID, Self.tags[0], Self.form)
    #expect(TransportOutcome(writer.bytes).tags == tags + [Self.tags[0]])
    #expect(TransportOutcome(writer.bytes).isSameAtEveryCut(writer.bytes))
  }

  @Test("The first piece of a tag has its whole head", arguments: [1, 4, 9, 11, 184])
  func firstPieces(fill: Int) {
    var writer = Writer()
    writer.nextPayloadSize = { fill }
    writer.tables(Self.entries)
    for tag in Self.tags { writer.pes(Writer.tagPID, tag, Self.form) }
    var reader = TransportStreamReader()
    var heads: [[UInt8]] = []
    reader.read(writer.bytes.span) { _ in
    } tag: {
      if $0.array.starts(with: Array("ID3".utf8)) { heads.append($0.array) }
    }
    #expect(heads.map { Array($0.prefix(10)) } == Self.tags.map { Array($0.prefix(10)) })
  }

  @Test("A tag may continue in unaligned PES packets; after a break the next one is not part of it")
  func overPackets() {
    let long = Self.tags[4]
    let unaligned = Writer.PesHeader(id: 0xBD, isAligned: false)
    var writer = Writer()
    writer.tables(Self.entries)
    writer.pes(Writer.tagPID, Array(long[..<1_000]), Self.form)
    writer.pes(Writer.tagPID, Array(long[1_000..<1_005]), unaligned)
    writer.pes(Writer.tagPID, Array(long[1_005...]), unaligned)
    // Truncated tags, followed by an aligned packet or by another tag.
    writer.pes(Writer.tagPID, Array(long[..<1_000]), Self.form)
    writer.pes(Writer.tagPID, Self.tags[2], Self.form)
    writer.pes(Writer.tagPID, Array(long[..<1_000]), Self.form)
    writer.pes(Writer.tagPID, Self.tags[3], unaligned)
    // Bytes that are not a tag do not continue a tag: after a complete tag, or in an aligned packet.
    writer.pes(Writer.tagPID, Build.quiet(300, seed: 5), unaligned)
    writer.pes(Writer.tagPID, Array(long[..<1_000]), Self.form)
    writer.pes(Writer.tagPID, Build.quiet(300, seed: 6), Self.form)
    let torn = Array(long[..<1_000])
    #expect(TransportOutcome(writer.bytes).tags == [long, torn, Self.tags[2], torn, Self.tags[3], torn])
  }

  @Test("A lost packet costs the rest of the tag, and no audio")
  func loss() {
    var writer = Writer()
    writer.tables(Self.entries)
    writer.pes(Writer.tagPID, Self.tags[4], Self.form)
    let rest = Array(writer.bytes[..<(188 * 6)] + writer.bytes[(188 * 7)...])
    writer.pes(Writer.tagPID, Build.quiet(300, seed: 7), .init(id: 0xBD, isAligned: false))
    writer.pes(Writer.tagPID, Self.tags[3], Self.form)
    writer.pes(Self.frames[0])
    let outcome = TransportOutcome(rest + writer.bytes[rest.count + 188..<writer.bytes.count])
    #expect(outcome.tags == [Array(Self.tags[4].prefix(4 * 184 - 14)), Self.tags[3]])
    #expect(outcome.sound == Self.frames[0])
  }

  @Test("Among several metadata streams the one named ID3 is read, else the first")
  func choice() {
    let plain = Writer.Entry(type: 0x15, pid: 0x301)
    let sound = TransportStreamReaderTests.entry
    for (entries, wanted) in [
      ([plain, Self.entries[0], sound], Writer.tagPID), ([Self.entries[0], plain, sound], Writer.tagPID),
      ([plain, .init(type: 0x15, pid: Writer.tagPID), sound], 0x301),
    ] {
      var writer = Writer()
      writer.tables(entries)
      writer.pes(0x301, Self.tags[2], Self.form)
      writer.pes(Writer.tagPID, Self.tags[3], Self.form)
      #expect(TransportOutcome(writer.bytes).tags == [wanted == 0x301 ? Self.tags[2] : Self.tags[3]])
    }
  }

  @Test("Metadata without audio is not read")
  func alone() {
    var writer = Writer()
    writer.tables([Self.entries[0]])
    writer.pes(Writer.tagPID, Self.tags[2], Self.form)
    #expect(TransportOutcome(writer.bytes).runs.isEmpty)
  }
}
