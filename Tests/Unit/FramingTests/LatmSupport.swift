import Framing
import Testing

/// Writes bits, most significant bit first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var bitCount = 0

  mutating func put(_ value: Int, _ count: Int) {
    for bit in (0..<count).reversed() {
      if bitCount & 7 == 0 { bytes.append(0) }
      if bit < Int.bitWidth, value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(bitCount & 7) }
      bitCount += 1
    }
  }

  mutating func put(_ more: [UInt8]) { for byte in more { put(Int(byte), 8) } }

  mutating func put(_ other: BitWriter) {
    for bit in 0..<other.bitCount { put(Int(other.bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1), 1) }
  }

  mutating func align() { while bitCount & 7 != 0 { put(0, 1) } }

  /// An AudioSpecificConfig with optional SBR signalling and flags of GASpecificConfig.
  static func config(
    type: Int = 2, rate: Int = 4, channels: Int = 2, outer: Int? = nil, isShort: Bool = false, tail: [(Int, Int)] = []
  ) -> BitWriter {
    var bits = BitWriter()
    func put(type: Int) {
      if type < 31 { bits.put(type, 5) } else { bits.put(31 << 6 | type - 32, 11) }
    }
    put(type: outer ?? type)
    bits.put(rate, 4)
    bits.put(channels, 4)
    if outer != nil {
      bits.put(rate - 3, 4)
      put(type: type)
    }
    bits.put(isShort ? 4 : 0, 3)
    for (value, count) in tail { bits.put(value, count) }
    return bits
  }

  /// The backward compatible signalling of SBR, and of PS.
  static let sbr = [(0x2B7, 11), (5, 5), (1, 1), (3, 4)]
  static let sbrAndPs = sbr + [(0x548, 11), (1, 1)]
}

struct LatmShape: Sendable, CustomTestStringConvertible {
  var name = "plain"
  var version = 0
  var versionA = 0
  var config = BitWriter.config()
  var isSameTime = true
  var unitCount = 1
  var programs = 1
  var layers = 1
  var lengthType = 0
  var otherBits: Int?
  var hasCRC = false
  /// Number of frames from one config to the next.
  var interval = 1
  /// Fill bits after the config, in version 1.
  var fillBits = 5
  /// Number of excess bytes at the end of a frame.
  var excess = 0
  var testDescription: String { name }

  /// LatmGetValue() of ISO/IEC 14496-3.
  private func put(value: Int, to bits: inout BitWriter) {
    let byteCount = value > 0xFF_FFFF ? 4 : value > 0xFFFF ? 3 : value > 0xFF ? 2 : 1
    bits.put(byteCount - 1, 2)
    bits.put(value, 8 * byteCount)
  }

  private var mux: BitWriter {
    var bits = BitWriter()
    bits.put(version, 1)
    if version == 1 {
      bits.put(versionA, 1)
      put(value: 70_000, to: &bits)
    }
    bits.put(isSameTime ? 1 : 0, 1)
    bits.put(unitCount - 1, 6)
    bits.put(programs - 1, 4)
    bits.put(layers - 1, 3)
    if version == 1 {
      put(value: config.bitCount + fillBits, to: &bits)
      bits.put(config)
      bits.put(0x55, fillBits)
    } else {
      bits.put(config)
    }
    bits.put(lengthType, 3)
    bits.put(0xFF, 8)
    bits.put(otherBits == nil ? 0 : 1, 1)
    if let otherBits {
      if version == 1 {
        put(value: otherBits, to: &bits)
      } else {
        if otherBits > 0xFF { bits.put(1 << 8 | otherBits >> 8, 9) }
        bits.put(otherBits & 0xFF, 9)
      }
    }
    bits.put(hasCRC ? 1 : 0, 1)
    if hasCRC { bits.put(0xA5, 8) }
    return bits
  }

  func frame(_ units: some Sequence<[UInt8]>, isConfigured: Bool) -> [UInt8] {
    var bits = BitWriter()
    bits.put(isConfigured ? 0 : 1, 1)
    if isConfigured { bits.put(mux) }
    for unit in units {
      bits.put([UInt8](repeating: 255, count: unit.count / 255) + [UInt8(unit.count % 255)])
      bits.put(unit)
    }
    for _ in 0..<(otherBits ?? 0) { bits.put(1, 1) }
    bits.align()
    bits.put([UInt8](repeating: 0x3C, count: excess))
    return [0x56, 0xE0 | UInt8(bits.bytes.count >> 8), UInt8(bits.bytes.count & 0xFF)] + bits.bytes
  }

  func frames(_ units: [[UInt8]]) -> [[UInt8]] {
    stride(from: 0, to: units.count, by: unitCount).map { first in
      frame(units[first..<min(first + unitCount, units.count)], isConfigured: first / unitCount % interval == 0)
    }
  }

  /// The expected output.
  static func adts(_ unit: [UInt8], rate: UInt8 = 4, channels: UInt8 = 2) -> [UInt8] {
    Build.adtsHeader(byteCount: unit.count + 7, rate: rate, channels: channels) + unit
  }
}

struct LatmHeard: Equatable {
  var sound: [[UInt8]] = []
  var refusal: RefusedCodec?
  var isLocked = false

  init(_ stream: [UInt8], step: Int = .max) {
    var reader = LatmReader()
    self.init(stream, step: step, by: &reader)
  }

  init(_ stream: [UInt8], step: Int = .max, by reader: inout LatmReader) {
    var place = 0
    while place < stream.count {
      let end = step < stream.count - place ? place + step : stream.count
      reader.read(stream[place..<end].span) { sound.append($0.array) }
      place = end
    }
    refusal = reader.refusal
    isLocked = reader.isLocked
  }
}
