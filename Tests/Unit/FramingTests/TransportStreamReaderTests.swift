import Framing
import MediaSupport
import SeededRandom
import Testing

struct TransportStreamReaderTests {
  typealias Writer = TransportStreamWriter

  static let frames = (0..<40).map { Build.adts(byteCount: 120 + 37 * ($0 % 11), seed: UInt64($0)) }
  static let sound = frames.flatMap { $0 }
  static let entry = Writer.Entry(type: 0x0F, pid: Writer.soundPID)

  /// `sound` in PES packets; `lengths` are used in turn.
  static func stream(
    _ lengths: [Int], form: Writer.PesHeader = Writer.PesHeader(), _ adjust: (inout Writer) -> Void = { _ in }
  )
    -> [UInt8]
  {
    var writer = Writer()
    adjust(&writer)
    writer.tables([entry])
    var rest = sound[...]
    var index = 0
    while !rest.isEmpty {
      let body = rest.prefix(lengths[index % lengths.count])
      writer.pes(Array(body), form)
      rest = rest.dropFirst(body.count)
      index += 1
    }
    return writer.bytes
  }

  @Test(
    "The audio is equal for every stuffing, PES length and cut",
    arguments: [[170], [1], [2, 1, 700], [184, 368, 3000], [20_000]], [true, false])
  func everyFill(lengths: [Int], isBounded: Bool) {
    for fill in [184, 183, 182, 1, 7, 100] {
      let stream = Self.stream(lengths, form: .init(time: 5, isBounded: isBounded)) { $0.nextPayloadSize = { fill } }
      let outcome = TransportOutcome(stream)
      #expect(outcome.sound == Self.sound)
      #expect(outcome.refusal == nil)
      #expect(outcome.firstTime == 5)
      // Testing every cut is slow: use the shortest fill once, and the other fills with several lengths.
      if fill == 1 ? lengths == [170] : lengths.count > 1 { #expect(outcome.isSameAtEveryCut(stream)) }
    }
  }

  @Test("An adaptation field may have any length, also without a payload")
  func everyAdaptation() {
    var length = 184
    let stream = Self.stream([500]) { writer in
      writer.nextPayloadSize = {
        length = length == 1 ? 184 : length - 1
        return length
      }
    }
    #expect(TransportOutcome(stream).sound == Self.sound)
    #expect(TransportOutcome(stream).isSameAtEveryCut(stream))

    var writer = Writer()
    writer.tables([Self.entry])
    let unit = Writer.pes(Self.sound)
    for (index, start) in stride(from: 0, to: unit.count, by: 150).enumerated() {
      writer.packet(Writer.soundPID, unit[start..<min(start + 150, unit.count)], isStart: index == 0)
      writer.packet(Writer.soundPID, [])
    }
    #expect(TransportOutcome(writer.bytes).sound == Self.sound)
  }

  @Test("A PES header may be long, and cut anywhere", arguments: [1, 2, 5, 8, 9, 13, 14, 15, 100, 184])
  func cutHeads(fill: Int) {
    for stuffing in [0, 1, 5, 200, 250] {
      let stream = Self.stream([611], form: .init(time: 0x1_2345_6789, stuffing: stuffing)) {
        $0.nextPayloadSize = { fill }
      }
      let outcome = TransportOutcome(stream)
      #expect(outcome.sound == Self.sound)
      #expect(outcome.firstTime == 0x1_2345_6789)
    }
  }

  @Test("Bytes past the stated length are ignored, and a contradictory PES packet is dropped")
  func toldLength() {
    var writer = Writer()
    writer.tables([Self.entry])
    writer.unit(Writer.soundPID, Writer.pes(Self.frames[0]) + Self.frames[1])
    var broken = [Writer.pes(Self.frames[2]), Writer.pes(Self.frames[2]), Writer.pes(Self.frames[2], .init(id: 0xBE))]
    broken[0][2] = 2
    broken[1].replaceSubrange(4..<6, with: [0, 2])
    for unit in broken { writer.unit(Writer.soundPID, unit) }
    writer.pes([])
    writer.pes(Self.frames[3])
    #expect(TransportOutcome(writer.bytes).sound == Self.frames[0] + Self.frames[3])
  }

  @Test("Times have 33 bits, and the first one after a reset counts")
  func times() {
    for time in [0, 1, 0x7F, 0x80, 0x7FFF, 0x8000, 0x3FFF_FFFF, 0x4000_0000, 0x1_FFFF_FFFF] as [UInt64] {
      var writer = Writer()
      writer.tables([Self.entry])
      writer.pes(Self.frames[0], .init(time: time))
      writer.pes(Self.frames[1], .init(time: 7))
      #expect(TransportOutcome(writer.bytes).firstTime == time)
      var next = Writer()
      next.pes(Self.frames[2], .init(time: 99))
      next.pes(Self.frames[3])
      let both = TransportOutcome(segments: [writer.bytes, next.bytes])
      #expect(both.firstTime == 99)
      #expect(both.sound == Self.frames[0...3].flatMap { $0 })
    }
    let untimed = Self.stream([800])
    #expect(TransportOutcome(untimed).firstTime == nil)
  }

  @Test("A reset drops the torn packet and the torn PES packet")
  func reset() {
    let stream = Self.stream([1_000])
    var next = Writer()
    next.packet(Writer.soundPID, Self.frames[0][...])
    for frame in Self.frames[1...3] { next.pes(frame) }
    let outcome = TransportOutcome(segments: [Array(stream.prefix(188 * 4 + 50)), next.bytes])
    let whole = TransportOutcome(Array(stream.prefix(188 * 4)))
    #expect(!whole.sound.isEmpty)
    #expect(outcome.sound == whole.sound + Self.frames[1...3].flatMap { $0 })
    // A single sync byte at the start of a segment proves nothing.
    let junk = TransportOutcome(segments: [Array(stream.prefix(188 * 4)), [0x47, 1, 2] + next.bytes[188...]])
    #expect(junk == outcome)
  }

  @Test("Audio in one piece is returned in place")
  func isNotCopied() {
    let stream = Self.stream([3_000])
    let place = stream.span.addresses
    var reader = TransportStreamReader()
    var count = 0
    var insideCount = 0
    reader.read(stream.span) { piece in
      count += 1
      let piece = piece.addresses
      if piece.lowerBound >= place.lowerBound, piece.upperBound <= place.upperBound { insideCount += 1 }
    } tag: { _ in
    }
    // The reader buffers the first packets until later packets confirm them.
    #expect(count > 20)
    #expect(insideCount >= count - 4)
  }

  @Test("Bytes without audio are counted, and audio resets the count")
  func barren() {
    var writer = Writer()
    for _ in 0..<100 { writer.packet(0x200, Self.sound[..<184]) }
    #expect(TransportOutcome(writer.bytes).byteCountWithoutSound == 18_800)
    writer.junk([1, 2, 3])
    for _ in 0..<3 { writer.packet(0x200, Self.sound[..<184]) }
    #expect(TransportOutcome(writer.bytes).byteCountWithoutSound == 18_803 + 564)
    writer.tables([Self.entry])
    writer.pes(Self.frames[0])
    #expect(TransportOutcome(writer.bytes).byteCountWithoutSound == 0)
    writer.packet(0x200, Self.sound[..<184])
    #expect(TransportOutcome(writer.bytes).byteCountWithoutSound == 188)
  }
}

extension Span<UInt8> {
  fileprivate var addresses: Range<UInt> {
    withUnsafeBytes { bytes in
      let start = UInt(bitPattern: bytes.baseAddress)
      return start..<start + UInt(bytes.count)
    }
  }
}
