/// A Layer III header (ISO 11172-3 2.4.1.3, ISO 13818-3 2.4.1.3).
struct Layer3Header {
  let isMpeg1: Bool
  let isMono: Bool
  let hasCRC: Bool
  /// The mode extension of joint stereo; 0 for independent channels.
  let jointModes: UInt8
  /// The sample rate in hertz.
  let rate: Int
  let byteCount: Int
  /// The length of a packet at the maximum bit rate, without padding and CRC.
  let maxByteCount: Int
  /// The constant properties of a stream: version, sample rate, mono or not.
  let shape: UInt16

  static let maxRateIndex: UInt8 = 14

  /// Parses four bytes; nil for another layer, free format, a reserved value, or without a header.
  init?(_ bytes: UnsafePointer<UInt8>) {
    let (second, third, fourth) = (bytes[1], bytes[2], bytes[3])
    let (version, rateIndex, bitRate) = (Int(second >> 3 & 3), Int(third >> 2 & 3), Int(third >> 4))
    guard bytes[0] == 0xFF, second & 0xE6 == 0xE2, version != 1, rateIndex != 3, bitRate != 0, bitRate != 15 else {
      return nil
    }
    isMpeg1 = version == 3
    isMono = fourth >> 6 == 3
    hasCRC = second & 1 == 0
    jointModes = fourth >> 6 == 1 ? fourth >> 4 & 3 : 0
    rate = Self.rates[rateIndex] >> (isMpeg1 ? 0 : version == 2 ? 1 : 2)
    let kilobits = isMpeg1 ? Self.kilobits : Self.halfKilobits
    let slots = isMpeg1 ? 144_000 : 72_000
    byteCount = slots * kilobits[bitRate] / rate + Int(third >> 1 & 1)
    maxByteCount = slots * kilobits[Int(Self.maxRateIndex)] / rate
    shape = UInt16(second & 0x18) << 8 | UInt16(third & 0x0C) | (isMono ? 1 : 0)
  }

  private static let rates: InlineArray<3, Int> = [44_100, 48_000, 32_000]
  private static let kilobits: InlineArray<15, Int> = [
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
  ]
  private static let halfKilobits: InlineArray<15, Int> = [
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
  ]
}
