import Blocks
import Testing
import Units

struct PcmLayoutTests {
  /// Content of a `fmt ` chunk, extensible if `subformat` is set.
  static func format(
    _ tag: Int, channels: Int = 2, rate: Int = 44_100, bits: Int = 16, align: Int? = nil, subformat: Int? = nil,
    mask: Int = 0
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let align = align ?? channels * ((bits + 7) / 8)
    let plain =
      little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * align, 4) + little(align, 2)
      + little(bits, 2)
    guard let subformat else { return plain }
    let tail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    return plain + little(22, 2) + little(bits, 2) + little(mask, 4) + little(subformat, 2) + tail
  }

  @Test(
    "Samples of 8 to 32 bits, integer or float, are parsed",
    arguments: [
      (1, 8, PcmLayout.Encoding.unsigned8), (1, 12, .signed16), (1, 16, .signed16), (1, 20, .signed24),
      (1, 24, .signed24), (1, 32, .signed32), (3, 32, .float32),
    ], [1, 2, 6, 8])
  func encodings(_ form: (tag: Int, bits: Int, encoding: PcmLayout.Encoding), channels: Int) {
    let bytes = Self.format(form.tag, channels: channels, rate: 48_000, bits: form.bits)
    let extensible = Self.format(
      0xFFFE, channels: channels, rate: 48_000, bits: form.bits, subformat: form.tag, mask: 0x60F)
    for (bytes, mask) in [(bytes, 0), (bytes + [0, 0], 0), (extensible, 0x60F)] {
      let layout = PcmLayout(bytes.span)
      #expect(layout?.encoding == form.encoding)
      #expect(layout?.channels == channels)
      #expect(layout?.sampleRate == SampleRate(48_000))
      #expect(layout?.frameByteCount == channels * form.encoding.byteCount)
      #expect(layout?.channelMask == UInt32(mask))
    }
  }

  @Test(
    "Another codec or an impossible layout is refused",
    arguments: [
      format(2, bits: 4), format(6, bits: 8), format(7, bits: 8), format(0x55, bits: 0, align: 1), format(3, bits: 64),
      format(3, bits: 16), format(1, bits: 64), format(1, bits: 0, align: 4), format(1, channels: 0),
      format(1, channels: 9), format(1, rate: 0), format(1, rate: 1_999), format(1, rate: 384_001),
      format(1, rate: 0xFFFF_FFFF), format(1, align: 0), format(1, align: 3), format(1, bits: 24, align: 8),
      format(0xFFFE), format(0xFFFE, subformat: 6), Array(format(0xFFFE, subformat: 1).dropLast()),
      format(0xFFFE, subformat: 1).dropLast() + [0x72], Array(format(1).dropLast()), [],
    ])
  func refused(bytes: [UInt8]) {
    let layout = PcmLayout(bytes.span)
    #expect(layout == nil)
  }

  @Test("The lowest and the highest rate are supported", arguments: [2_000, 384_000] as [Int32])
  func outerRates(hertz: Int32) {
    let bytes = Self.format(1, rate: Int(hertz))
    #expect(PcmLayout(bytes.span)?.sampleRate == SampleRate(hertz))
  }

  /// Content of a COMM chunk after its name, with a rate of 80 bits: exponent and significand.
  static func common(
    _ type: String = "", channels: Int = 2, bits: Int = 16, _ exponent: Int = 0x400E,
    _ significand: UInt64 = 0xAC44_0000_0000_0000
  ) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return Array("COMM".utf8) + big(channels, 2) + big(1, 4) + big(bits, 2) + big(exponent, 2)
      + big(Int(significand >> 32), 4) + big(Int(significand & 0xFFFF_FFFF), 4) + Array(type.utf8)
  }

  @Test(
    "The samples of AIFF and AIFF-C are parsed",
    arguments: [
      ("", 1, PcmLayout.Encoding.signed8, true), ("", 8, .signed8, true), ("", 12, .signed16, true),
      ("NONE", 16, .signed16, true), ("twos", 24, .signed24, true), ("NONE", 32, .signed32, true),
      ("sowt", 8, .signed8, false), ("sowt", 16, .signed16, false), ("sowt", 24, .signed24, false),
      ("sowt", 32, .signed32, false), ("in24", 16, .signed24, true), ("in32", 32, .signed32, true),
      ("42ni", 24, .signed24, false), ("23ni", 32, .signed32, false), ("raw ", 8, .unsigned8, true),
      ("fl32", 32, .float32, true), ("FL32", 0, .float32, true), ("fl64", 64, .float64, true),
      ("FL64", 64, .float64, true),
    ], [1, 2, 8])
  func commonEncodings(
    _ form: (type: String, bits: Int, encoding: PcmLayout.Encoding, isBigEndian: Bool), channels: Int
  ) {
    let bytes = Self.common(form.type, channels: channels, bits: form.bits)
    let layout = PcmLayout(bytes.span)
    #expect(layout?.encoding == form.encoding && layout?.isBigEndian == form.isBigEndian)
    #expect(layout?.channels == channels && layout?.sampleRate == .cd && layout?.channelMask == 0)
    #expect(layout?.frameByteCount == channels * form.encoding.byteCount)
  }

  @Test(
    "A rate of 80 bits is rounded; zero, negative, huge and not-a-number are refused",
    arguments: [
      (0x400E, 0xAC44_0000_0000_0000, 44_100), (0x400E, 0xBB80_0000_0000_0000, 48_000),
      (0x400B, 0xFA00_0000_0000_0000, 8_000), (0x400D, 0xAD9D_0000_0000_0000, 22_223),
      (0x400C, 0xAD9C_4000_0000_0000, 11_111), (0x400D, 0xAD9C_FFFF_FFFF_FFFF, 22_222),
      (0x4009, 0xFA00_0000_0000_0000, 2_000), (0x4011, 0xBB80_0000_0000_0000, 384_000),
      // The highest bit of the significand should be set.
      (0x4010, 0x2B11_0000_0000_0000, 44_100), (0x401E, 0x0000_AC44_0000_0000, nil), (0, 0, nil), (0x400E, 0, nil),
      (0x3FFF, 0x8000_0000_0000_0000, nil), (0x4009, 0xF9E0_0000_0000_0000, nil),
      (0x4011, 0xBB80_2000_0000_0000, nil), (0x4012, 0x8000_0000_0000_0000, nil), (0xC00E, 0xAC44_0000_0000_0000, nil),
      (0x7FFF, 0x8000_0000_0000_0000, nil), (0xFFFF, 0x8000_0000_0000_0000, nil),
      (0x7FFF, 0xC000_0000_0000_0000, nil), (0x7FFF, 0xFFFF_FFFF_FFFF_FFFF, nil),
      (0x7FFE, 0xFFFF_FFFF_FFFF_FFFF, nil), (0xFFFF, 0xFFFF_FFFF_FFFF_FFFF, nil), (0, 1, nil),
    ] as [(Int, UInt64, Int32?)])
  func extendedRates(exponent: Int, significand: UInt64, hertz: Int32?) {
    let bytes = Self.common("", exponent, significand)
    let layout = PcmLayout(bytes.span)
    #expect(layout?.sampleRate == hertz.flatMap { SampleRate($0) })
  }

  @Test(
    "AIFF-C with a codec, and an impossible COMM chunk, are refused",
    arguments: [
      common("ima4"), common("MAC3"), common("MAC6"), common("ulaw", bits: 8), common("alaw", bits: 8),
      common("QDM2"), common("\0\0\0\0"), common(bits: 0), common(bits: 33), common(bits: 0xFFFF),
      common("sowt", bits: 64),
      common("raw ", bits: 16), common(channels: 0), common(channels: 9), common(channels: 0xFFFF),
      Array(common().dropLast()), Array("COMM".utf8), Array("COM".utf8),
    ])
  func refusedCommon(bytes: [UInt8]) {
    let layout = PcmLayout(bytes.span)
    #expect(layout == nil)
  }
}
