import Framing
import MediaSupport
import SeededRandom
import Testing

/// Selection of programme and stream from the tables.
struct TransportTableTests {
  typealias Writer = TransportStreamWriter

  static let frames = TransportStreamReaderTests.frames
  static let entry = TransportStreamReaderTests.entry
  static let video = Writer.Entry(type: 0x1B, pid: 0x90)

  @Test("Tables are in one packet or many, alone or after others", arguments: [1, 2, 3, 8, 11, 60, 184])
  func sections(fill: Int) {
    let about: [UInt8] = [0x05, 4] + Array("HDMV".utf8)
    let many = (0..<40).map { Writer.Entry(type: 0x1B, pid: 0x300 + $0, descriptors: [0x52, 1, UInt8($0)]) }
    let map = Writer.map(7, many + [Self.entry], about: about)
    let other = Writer.section(0xC0, 9, [UInt8](repeating: 1, count: 30))
    #expect(map.count > 300)
    var writer = Writer()
    writer.nextPayloadSize = { fill }
    writer.sections(0, [Writer.association([(0, 0x10), (7, 0x55)])])
    // In this order: the end of an earlier section (if the first packet has space), another section, and the map.
    writer.sections(0x55, [other, map], tail: Array(other.suffix(min(17, fill - 1))))
    writer.pes(Self.frames[0])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
    #expect(TransportOutcome(writer.bytes).isSameAtEveryCut(writer.bytes))
  }

  @Test("A section ends in the packet of the next one's start")
  func pointer() {
    let map = Writer.map(1, [Self.entry])
    var writer = Writer()
    writer.sections(0, [Writer.association([(1, Writer.mapPID)])])
    writer.packet(Writer.mapPID, ([0] + map.prefix(9))[...], isStart: true)
    writer.packet(Writer.mapPID, ([UInt8(map.count - 9)] + map.dropFirst(9) + [0xFF])[...], isStart: true)
    writer.pes(Self.frames[0])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
  }

  @Test("A damaged, incomplete or future table is ignored")
  func damagedTables() {
    let moved = Writer.map(1, [.init(type: 0x0F, pid: 0x111)], version: 1)
    for place in moved.indices {
      var writer = Writer()
      writer.tables([Self.entry])
      var broken = moved
      broken[place] ^= 0x10
      writer.sections(Writer.mapPID, [broken])
      writer.pes(Self.frames[0])
      writer.pes(0x111, Self.frames[1])
      #expect(TransportOutcome(writer.bytes).sound == Self.frames[0], "byte \(place)")
    }
    var writer = Writer()
    writer.tables([Self.entry])
    writer.sections(Writer.mapPID, [Writer.map(1, [.init(type: 0x0F, pid: 0x111)], version: 1, isCurrent: false)])
    writer.packet(Writer.mapPID, ([0] + moved.prefix(9))[...], isStart: true)
    writer.counters[Writer.mapPID, default: 0] += 1
    writer.packet(Writer.mapPID, moved.dropFirst(9))
    writer.pes(Self.frames[0])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
  }

  @Test("A repeated packet of a table counts once")
  func repeatedTablePacket() {
    let map = Writer.map(1, [Self.entry])
    var writer = Writer()
    writer.sections(0, [Writer.association([(1, Writer.mapPID)])])
    writer.packet(Writer.mapPID, ([0] + map.prefix(9))[...], isStart: true)
    writer.packet(Writer.mapPID, map[9..<15])
    writer.counters[Writer.mapPID] = 1
    writer.packet(Writer.mapPID, map[9..<15])
    writer.packet(Writer.mapPID, map[15...])
    writer.pes(Self.frames[0])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
  }

  @Test("The audio may move to another PID, with a new version or, after a splice, without", arguments: [0, 1])
  func movedSound(version: UInt8) {
    var writer = Writer()
    writer.tables([Self.video, Self.entry])
    writer.pes(Self.frames[0])
    writer.sections(Writer.mapPID, [Writer.map(1, [.init(type: 0x0F, pid: 0x111)], version: version)])
    writer.pes(Self.frames[1])
    writer.pes(0x111, Self.frames[2])
    writer.sections(0, [Writer.association([(1, 0x2000 - 2)], version: version)])
    writer.sections(0x2000 - 2, [Writer.map(1, [.init(type: 0x03, pid: 0x112)], version: version)])
    writer.pes(0x111, Self.frames[3])
    writer.pes(0x112, Self.frames[4])
    let outcome = TransportOutcome(writer.bytes)
    #expect(outcome.sound == Self.frames[0] + Self.frames[2] + Self.frames[4])
    #expect(outcome.isSameAtEveryCut(writer.bytes))
  }

  @Test("Repeated tables do not disturb a PES packet")
  func repeatedTables() {
    var writer = Writer()
    let unit = Writer.pes(Self.frames[0])
    for start in stride(from: 0, to: unit.count, by: 30) {
      writer.tables([Self.entry])
      writer.packet(Writer.soundPID, unit[start..<min(start + 30, unit.count)], isStart: start == 0)
    }
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
  }

  @Test("The first playable stream of the first programme plays, in any order of the maps")
  func choice() {
    let ac3 = Writer.Entry(type: 0x81, pid: 0x201)
    let maps: [(UInt16, [Writer.Entry])] = [
      (5, [Self.video]), (3, [ac3]),
      (9, [Self.video, ac3, .init(type: 0x04, pid: 0x202), .init(type: 0x0F, pid: 0x203)]),
      (2, [.init(type: 0x0F, pid: 0x204)]),
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3], [3, 2]] {
      var writer = Writer()
      writer.sections(0, [Writer.association([(5, 0x50), (3, 0x51), (9, 0x52), (2, 0x52)])])
      for index in order {
        writer.sections(index > 1 ? 0x52 : 0x50 + UInt16(index), [Writer.map(maps[index].0, maps[index].1)])
      }
      for pid in [0x201, 0x202, 0x203, 0x204] as [UInt16] { writer.pes(pid, Self.frames[Int(pid) - 0x201]) }
      #expect(TransportOutcome(writer.bytes).sound == Self.frames[1])
      #expect(TransportOutcome(writer.bytes).refusal == nil)
    }
  }

  @Test("A programme with audio stays selected until it is gone")
  func settled() {
    var writer = Writer()
    writer.sections(0, [Writer.association([(1, 0x51), (2, 0x52)])])
    writer.sections(0x52, [Writer.map(2, [.init(type: 0x0F, pid: 0x202)])])
    writer.pes(0x202, Self.frames[0])
    writer.sections(0x51, [Writer.map(1, [.init(type: 0x0F, pid: 0x201)])])
    // Other order and one more programme: the known maps remain valid.
    writer.sections(0, [Writer.association([(7, 0x57), (1, 0x51), (2, 0x52)])])
    writer.pes(0x202, Self.frames[1])
    writer.pes(0x201, Self.frames[2])
    writer.sections(0, [Writer.association([(1, 0x51)])])
    writer.pes(0x202, Self.frames[3])
    writer.pes(0x201, Self.frames[4])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0] + Self.frames[1] + Self.frames[4])
  }

  @Test("The first sixteen programmes are followed")
  func manyPrograms() {
    for number in [1, 16, 17] as [UInt16] {
      var writer = Writer()
      writer.sections(0, [Writer.association((1...100).map { ($0, 0x50 + $0) })])
      writer.sections(0x50 + number, [Writer.map(number, [Self.entry])])
      writer.pes(Self.frames[0])
      #expect(TransportOutcome(writer.bytes).sound == (number > 16 ? [] : Self.frames[0]))
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var type: UInt8
    var descriptors: [UInt8] = []
    var refusal: RefusedCodec?
    var testDescription: String { "\(type) \(descriptors)" }
  }

  static func registration(_ name: String) -> [UInt8] { [0x0A, 4, 0x64, 0x65, 0x75, 0, 5, 4] + Array(name.utf8) }

  @Test(
    "An unsupported codec is named",
    arguments: [
      Row(type: 0x81, refusal: .ac3), Row(type: 0x87, refusal: .eac3), Row(type: 0x06, refusal: nil),
      Row(type: 0x06, descriptors: [0x6A, 1, 0], refusal: .ac3),
      Row(type: 0x06, descriptors: [0x7A, 0], refusal: .eac3),
      Row(type: 0x06, descriptors: registration("AC-3"), refusal: .ac3),
      Row(type: 0x06, descriptors: registration("EAC3"), refusal: .eac3),
      Row(type: 0x06, descriptors: registration("Opus") + [0x7F, 2, 0x80, 2], refusal: .opus),
      Row(type: 0x06, descriptors: registration("KLVA"), refusal: nil),
      Row(type: 0x06, descriptors: [0x7B, 9, 1], refusal: nil), Row(type: 0x06, descriptors: [0x05], refusal: nil),
      Row(type: 0x06, descriptors: [0x05, 4, 0x4F], refusal: nil),
      Row(type: 0xCF, refusal: .encrypted), Row(type: 0xC1, refusal: .encrypted), Row(type: 0xC2, refusal: .encrypted),
      Row(type: 0x2D, refusal: .other), Row(type: 0x1B, refusal: nil), Row(type: 0x24, refusal: nil),
    ])
  func refusals(row: Row) {
    let refused = Writer.Entry(type: row.type, pid: 0x120, descriptors: row.descriptors)
    var writer = Writer()
    writer.tables([Self.video, refused])
    writer.pes(0x120, Self.frames[0])
    #expect(TransportOutcome(writer.bytes).refusal == row.refusal)
    #expect(TransportOutcome(writer.bytes).sound.isEmpty)
    // A playable stream in the map prevents a refusal.
    writer.tables([refused, Self.entry], version: 1)
    writer.pes(Self.frames[1])
    #expect(TransportOutcome(writer.bytes).refusal == nil)
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[1])
  }

  @Test("Programmes are refused when all are known")
  func refusalOfAll() {
    var writer = Writer()
    writer.sections(0, [Writer.association([(1, 0x51), (2, 0x52)])])
    writer.sections(0x52, [Writer.map(2, [.init(type: 0x87, pid: 0x202)])])
    #expect(TransportOutcome(writer.bytes + writer.bytes).refusal == nil)
    writer.sections(0x51, [Writer.map(1, [.init(type: 0x81, pid: 0x201)])])
    #expect(TransportOutcome(writer.bytes).refusal == .ac3)
  }

  @Test("Audio in scrambled packets is encrypted; a single such packet is damage")
  func scrambled() {
    var writer = Writer()
    writer.tables([Self.entry])
    writer.pes(Self.frames[0])
    for count in 1...6 {
      writer.unit(Writer.soundPID, Array(Self.frames[1].suffix(100)), isScrambled: true)
      #expect(TransportOutcome(writer.bytes).refusal == (count < 4 ? nil : .encrypted))
    }
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0])
    writer.pes(Self.frames[2])
    #expect(TransportOutcome(writer.bytes).refusal == nil)
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0] + Self.frames[2])
    for index in 3..<9 { writer.pes(Self.frames[index], .init(isScrambled: true)) }
    #expect(TransportOutcome(writer.bytes).refusal == .encrypted)
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0] + Self.frames[2])
    #expect(TransportOutcome(segments: [writer.bytes, []]).refusal == nil)
  }
}
