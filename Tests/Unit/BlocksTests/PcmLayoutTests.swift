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
}
