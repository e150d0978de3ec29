import Framing
import MediaSupport
import SeededRandom
import Testing

/// Streams with losses, repeats and junk, and streams joined in the middle.
struct TransportDamageTests {
  typealias Writer = TransportStreamWriter

  static let frames = TransportStreamReaderTests.frames
  static let entry = TransportStreamReaderTests.entry

  /// One PES packet per frame, `fill` bytes per transport packet. Returns also the transport packet range per PES
  /// packet.
  static func stream(fill: Int = 60) -> (bytes: [UInt8], packets: [Range<Int>]) {
    var writer = Writer()
    writer.tables([entry])
    writer.nextPayloadSize = { fill }
    var packets: [Range<Int>] = []
    for frame in frames {
      let start = writer.bytes.count / 188
      writer.pes(frame)
      packets.append(start..<writer.bytes.count / 188)
    }
    return (writer.bytes, packets)
  }

  static func without(_ packets: Range<Int>, in stream: [UInt8]) -> [UInt8] {
    Array(stream[..<(packets.lowerBound * 188)] + stream[(packets.upperBound * 188)...])
  }

  @Test("A lost packet costs the rest of its PES packet, and the next continues")
  func loss() {
    let (stream, packets) = Self.stream()
    for place in packets[5].indices {
      let rest = Self.without(packets[5][place]..<packets[5][place] + 1, in: stream)
      let kept = max(0, (place - packets[5].lowerBound) * 60 - 9)
      let sound = Self.frames[..<5].flatMap { $0 } + Self.frames[5].prefix(kept) + Self.frames[6...].flatMap { $0 }
      // The loss of the last packet is detected at the next PES packet.
      #expect(TransportOutcome(rest).sound == sound, "packet \(place)")
      #expect(TransportOutcome(rest).isSameAtEveryCut(rest))
    }
  }

  @Test("A packet marked as damaged, and fifteen lost ones, cost the same", arguments: [1, 14, 15])
  func losses(count: Int) {
    let (stream, packets) = Self.stream(fill: 9)
    let first = packets[5].lowerBound + 3
    let rest = Self.without(first..<first + count, in: stream)
    let sound = Self.frames[..<5].flatMap { $0 } + Self.frames[5].prefix(18) + Self.frames[6...].flatMap { $0 }
    #expect(packets[5].count > 19)
    #expect(TransportOutcome(rest).sound == sound)
    var marked = stream
    for packet in first..<first + count { marked[packet * 188 + 1] |= 0x80 }
    #expect(TransportOutcome(marked).sound == sound)
  }

  @Test("A repeated packet counts once")
  func duplicates() {
    let (stream, _) = Self.stream(fill: 184)
    var twice: [UInt8] = []
    for start in stride(from: 0, to: stream.count, by: 188) {
      for _ in 0..<2 { twice += stream[start..<start + 188] }
    }
    let outcome = TransportOutcome(twice)
    #expect(outcome.sound == Self.frames.flatMap { $0 })
    #expect(outcome.isSameAtEveryCut(twice))
  }

  @Test("An announced jump of the counter costs nothing", arguments: [true, false])
  func discontinuity(isAnnounced: Bool) {
    var writer = Writer()
    writer.tables([Self.entry])
    let unit = Writer.pes(Self.frames[3])
    writer.packet(Writer.soundPID, unit[..<100], isStart: true)
    writer.counters[Writer.soundPID] = 9
    writer.packet(Writer.soundPID, unit[100..<130], isDiscontinuous: isAnnounced)
    writer.packet(Writer.soundPID, unit[130...])
    #expect(TransportOutcome(writer.bytes).sound == (isAnnounced ? Self.frames[3] : Array(unit[9..<100])))
  }

  @Test("Junk before and between packets costs nothing while three packets follow")
  func junk() {
    var random = SeededGenerator(3)
    let (stream, _) = Self.stream(fill: 184)
    for length in [1, 2, 187, 188, 189, 376, 1_000, 20_000] {
      // The junk contains false syncs, but never three in a row.
      let junk = random.bytes(length)
      var bytes = junk
      for (index, start) in stride(from: 0, to: stream.count, by: 188).enumerated() {
        bytes += stream[start..<start + 188]
        if index % 7 == 6 { bytes += junk.prefix(700) }
      }
      let outcome = TransportOutcome(bytes)
      // The last packets may be too few to confirm the sync.
      let sound = Self.frames.flatMap { $0 }
      #expect(sound.starts(with: outcome.sound) && outcome.sound.count > sound.count - 3 * 184, "\(length)")
      #expect(outcome.isSameAtEveryCut(bytes))
    }
  }

  @Test("Two sync bytes in junk are not a packet")
  func falseSyncs() {
    var junk = [UInt8](repeating: 1, count: 300)
    (junk[100], junk[288]) = (0x47, 0x47)
    let stream = junk + Self.stream().bytes
    #expect(TransportOutcome(stream).sound == Self.frames.flatMap { $0 })
    #expect(TransportOutcome(stream).isSameAtEveryCut(stream))
  }

  @Test("A join at any byte starts at the next tables and PES packet")
  func joined() {
    var writer = Writer()
    for frame in Self.frames {
      writer.tables([Self.entry])
      writer.pes(frame)
    }
    for offset in 0..<188 * 4 {
      let bytes = Array(writer.bytes[offset...])
      let outcome = TransportOutcome(bytes)
      let wanted = Self.frames[(offset == 0 ? 0 : 1)...].flatMap { $0 }
      let few = Self.frames[2...].flatMap { $0 }
      let isRight =
        outcome.sound == wanted || offset > 0 && (outcome.sound == few || outcome.sound.suffix(few.count) == few)
      #expect(isRight, "joined at \(offset)")
    }
  }

  @Test("Bytes lost inside cost at most two PES packets")
  func lostBytes() {
    let (stream, packets) = Self.stream(fill: 184)
    for count in [1, 50, 187, 188, 189, 400] {
      let start = packets[10].lowerBound * 188 + 77
      let outcome = TransportOutcome(Array(stream[..<start] + stream[(start + count)...]))
      #expect(outcome.sound.starts(with: Self.frames[..<10].flatMap { $0 }))
      let rest = Self.frames[14...].flatMap { $0 }
      #expect(outcome.sound.suffix(rest.count) == rest[...], "\(count) lost")
    }
  }

  @Test("Two packets are enough at a stream's start")
  func shortStream() {
    var writer = Writer()
    writer.tables([Self.entry])
    let map = writer.bytes
    #expect(map.count == 376)
    writer.pes(Array(Self.frames[0].prefix(100)))
    #expect(
      TransportOutcome(segments: [map, Array(writer.bytes[376...] + writer.bytes[376...])]).sound
        == Array(Self.frames[0].prefix(100)))
  }

  @Test("Any damage is survived, and every cut gives the same result")
  func anyDamage() {
    var random = SeededGenerator(12)
    var clean: [UInt8] = []
    for (index, type) in ([0x0F, 0x11, 0x03, 0x0F] as [UInt8]).enumerated() {
      var writer = Writer()
      writer.tables(
        [.init(type: type, pid: Writer.soundPID), .init(type: 0x15, pid: Writer.tagPID)], version: UInt8(index))
      for frame in Self.frames.prefix(3) {
        writer.pes(frame, .init(time: 7))
        writer.pes(Writer.tagPID, Build.id3(Build.quiet(300, seed: 4)), .init(id: 0xBD, time: 8))
      }
      clean += writer.bytes
    }
    var differing = 0
    var tooLong = 0
    for round in 0..<600 {
      var bytes = clean
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 400, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        // Damage has most effects in packet headers.
        case 1: bytes[place / 188 * 188 + Int.random(in: 1...24, using: &random)] ^= 1 << (round & 7)
        case 2: bytes.removeSubrange(place..<place + Int.random(in: 1...300, using: &random))
        default: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...700, using: &random)), at: place)
        }
      }
      let outcome = TransportOutcome(bytes)
      differing += outcome == TransportOutcome(bytes, seed: UInt64(round)) ? 0 : 1
      tooLong += outcome.sound.count + outcome.tags.joined().count > bytes.count ? 1 : 0
    }
    #expect(differing == 0)
    #expect(tooLong == 0)
  }
}
