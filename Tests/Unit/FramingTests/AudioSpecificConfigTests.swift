@testable import Framing
import SeededRandom
import Testing

struct BitReaderTests {
  @Test func readsWhatABitListHolds() {
    var random = SeededGenerator(21)
    for _ in 0..<300 {
      let bytes = random.bytes(Int.random(in: 0...20, using: &random))
      let bits = bytes.flatMap { byte in (0..<8).map { UInt32(byte >> UInt8(7 - $0) & 1) } }
      var reader = BitReader(bytes.span)
      var place = 0
      for _ in 0..<30 {
        let count = Int.random(in: 0...32, using: &random)
        let wanted = (place..<place + count).reduce(UInt32(0)) { $0 << 1 | ($1 < bits.count ? bits[$1] : 0) }
        let value = reader.bits(count, of: bytes.span)
        place += count
        let skipped = Int.random(in: 0...3, using: &random)
        reader.skip(skipped)
        place += skipped
        #expect(value == wanted)
        #expect(reader.isPastEnd == (place > bits.count))
        #expect(reader.bitsLeft == max(0, bits.count - place))
        if place > bits.count { break }
      }
    }
  }

  @Test func endsWhereItIsLimited() {
    let bytes: [UInt8] = [0xFF, 0xFF, 0xFF]
    var reader = BitReader(bytes.span)
    reader.skip(3)
    var limited = reader.limited(to: 6)
    let value = limited.bits(10, of: bytes.span)
    #expect(value == 0b11_1111_0000 && limited.isPastEnd)
    #expect(reader.limited(to: .max).end == 24)
    reader.skip(.max)
    #expect(reader.isPastEnd && reader.limited(to: 5).isPastEnd)
  }

  @Test(arguments: 0...16)
  func alignsFromAnyBit(start: Int) {
    let bytes: [UInt8] = [0, 0, 0, 0, 0]
    var reader = BitReader(bytes.span)
    reader.skip(start)
    var other = reader
    other.align(from: start)
    #expect(other.position == start)
    other.skip(1)
    other.align(from: start)
    #expect(other.position == start + 8)
    reader.align()
    #expect(reader.position == (start + 7) / 8 * 8)
  }
}

struct AudioSpecificConfigTests {
  typealias Outcome = AudioSpecificConfig.Outcome

  /// The outcome, and the number of bits read.
  static func read(_ bits: BitWriter, byteCount: Int? = nil) -> (outcome: Outcome, position: Int) {
    let bytes = Array(bits.bytes.prefix(byteCount ?? bits.bytes.count))
    var reader = BitReader(bytes.span)
    let outcome = AudioSpecificConfig.read(&reader, of: bytes.span)
    return (outcome, reader.position)
  }

  static func config(_ type: UInt8, _ rate: UInt8, _ channels: UInt8) -> Outcome {
    .config(AudioSpecificConfig(objectType: type, rateIndex: rate, channelConfiguration: channels))
  }

  @Test("The core is reported, and the whole config is parsed")
  func core() {
    for type in 1...4 {
      for rate in 0...12 {
        for channels in 1...7 {
          let bits = BitWriter.config(type: type, rate: rate, channels: channels)
          let read = Self.read(bits)
          #expect(read.outcome == Self.config(UInt8(type), UInt8(rate), UInt8(channels)) && read.position == 16)
        }
      }
    }
    for outer in [5, 29] {
      let bits = BitWriter.config(rate: 7, channels: 1, outer: outer)
      let read = Self.read(bits)
      #expect(read.outcome == Self.config(2, 7, 1) && read.position == bits.bitCount)
    }
    for tail in [BitWriter.sbr, BitWriter.sbrAndPs, [(0x2B7, 11), (5, 5), (0, 1)]] {
      let bits = BitWriter.config(rate: 7, tail: tail)
      let read = Self.read(bits)
      #expect(read.outcome == Self.config(2, 7, 2) && read.position == bits.bitCount)
    }
    let other = Self.read(BitWriter.config(tail: [(0x2B6, 11), (5, 5)]))
    #expect(other.outcome == Self.config(2, 4, 2) && other.position == 16)
    let cut = Self.read(BitWriter.config(tail: BitWriter.sbr), byteCount: 4)
    #expect(cut.outcome == Self.config(2, 4, 2) && cut.position == 16)
  }

  @Test("A core delay and the extension flag are parsed")
  func flags() {
    var bits = BitWriter()
    for (value, count) in [(2, 5), (3, 4), (2, 4), (0, 1), (1, 1), (0x1234, 14), (1, 1), (0, 1)] {
      bits.put(value, count)
    }
    let read = Self.read(bits)
    #expect(read.outcome == Self.config(2, 3, 2) && read.position == bits.bitCount)
  }

  @Test("A rate in hertz maps to the index of that rate")
  func rateInHertz() {
    func read(_ hertz: Int) -> Outcome {
      var bits = BitWriter()
      for (value, count) in [(2, 5), (15, 4), (hertz, 24), (2, 4), (0, 3)] { bits.put(value, count) }
      return Self.read(bits).outcome
    }
    #expect(read(96_000) == Self.config(2, 0, 2))
    #expect(read(44_100) == Self.config(2, 4, 2))
    #expect(read(7_350) == Self.config(2, 12, 2))
    for hertz in [0, 44_101, 192_000, 0xFF_FFFF] { #expect(read(hertz) == .refused(.unknownAac)) }
  }

  /// A config with channel configuration 0: a program config element describes the layout.
  static func layout(front: [Int], side: [Int] = [], back: [Int] = [], bass: Int = 0, coupling: Int = 0) -> BitWriter {
    var bits = BitWriter.config(channels: 0)
    for (value, count) in [(0, 4), (1, 2), (4, 4), (front.count, 4), (side.count, 4), (back.count, 4), (bass, 2)] {
      bits.put(value, count)
    }
    for (value, count) in [(1, 3), (coupling, 4), (0, 1), (1, 1), (9, 4), (1, 1), (5, 3)] { bits.put(value, count) }
    for isPair in front + side + back { bits.put(isPair << 4 | 3, 5) }
    bits.put(0, 4 * bass + 4 + 5 * coupling)
    bits.align()
    bits.put([3] + Array("abc".utf8))
    return bits
  }

  @Test("A layout by elements maps to the equal configuration")
  func layouts() {
    let rows: [(BitWriter, UInt8)] = [
      (Self.layout(front: [0]), 1), (Self.layout(front: [1]), 2), (Self.layout(front: [0, 1]), 3),
      (Self.layout(front: [0, 1], back: [0]), 4), (Self.layout(front: [0, 1], side: [1]), 5),
      (Self.layout(front: [0, 1], back: [1], bass: 1), 6), (Self.layout(front: [0, 1, 1], back: [1], bass: 1), 7),
    ]
    for (bits, channels) in rows {
      let read = Self.read(bits)
      #expect(read.outcome == Self.config(2, 4, channels) && read.position == bits.bitCount)
    }
    for bits in [
      Self.layout(front: []), Self.layout(front: [1, 0]), Self.layout(front: [1], bass: 1),
      Self.layout(front: [1], coupling: 1), Self.layout(front: [0, 1], side: [1], back: [1], bass: 1),
    ] { #expect(Self.read(bits).outcome == .refused(.unknownAac)) }
    // Aligned to the start of the config, which may lie inside a byte.
    var shifted = BitWriter()
    shifted.put(0, 3)
    shifted.put(Self.layout(front: [1]))
    var reader = BitReader(shifted.bytes.span)
    reader.skip(3)
    let outcome = AudioSpecificConfig.read(&reader, of: shifted.bytes.span)
    #expect(outcome == Self.config(2, 4, 2) && reader.position == shifted.bitCount)
  }

  @Test("A config that ADTS cannot express is refused")
  func refusals() {
    for type in [0, 6, 17, 20, 22, 23, 29, 39, 95] {
      #expect(Self.read(.config(type: type, tail: [(0, 40)])).outcome == .refused(.unknownAac))
    }
    #expect(Self.read(.config(type: 42)).outcome == .refused(.xheAac))
    #expect(Self.read(.config(isShort: true)).outcome == .refused(.shortFrames))
    #expect(Self.read(.config(rate: 14)).outcome == .refused(.unknownAac))
    #expect(Self.read(.config(channels: 8)).outcome == .refused(.unknownAac))
    let whole = Self.layout(front: [0, 1], back: [1], bass: 1)
    for count in 0..<whole.bytes.count {
      #expect(Self.read(whole, byteCount: count).outcome == .refused(.unknownAac))
    }
  }

  @Test("Random bits never trap")
  func randomBits() {
    var random = SeededGenerator(22)
    var late = 0
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0...30, using: &random))
      var reader = BitReader(bytes.span)
      if case .config = AudioSpecificConfig.read(&reader, of: bytes.span), reader.isPastEnd { late += 1 }
    }
    #expect(late == 0)
  }

  @Test("The header matches the config")
  func header() throws {
    var header = [UInt8](repeating: 0xAA, count: 8)
    for config in [(UInt8(1), UInt8(0), UInt8(7)), (2, 4, 2), (4, 12, 5)] {
      let config = AudioSpecificConfig(objectType: config.0, rateIndex: config.1, channelConfiguration: config.2)
      for count in [0, 1, 365, 2_041, 8_184] {
        #expect(config.writeAdtsHeader(payloadByteCount: count, into: &header))
        let read = try #require(header.adtsHeader)
        #expect(read.profile == config.objectType - 1 && read.rateIndex == config.rateIndex)
        #expect(read.channelConfiguration == config.channelConfiguration && read.byteCount == count + 7)
        #expect(!read.isMpeg2 && !read.hasCRC && read.extraBlockCount == 0)
        #expect(header[5] & 0x1F == 0x1F && header[6] == 0xFC && header[7] == 0xAA)
      }
      let before = header
      #expect(!config.writeAdtsHeader(payloadByteCount: 8_185, into: &header))
      #expect(!config.writeAdtsHeader(payloadByteCount: -1, into: &header))
      #expect(header == before)
    }
  }
}
