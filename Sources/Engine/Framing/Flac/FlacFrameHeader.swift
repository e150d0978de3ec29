import Units

/// The header of a FLAC frame (RFC 9639, 9.1), verified by its CRC-8.
struct FlacFrameHeader: Equatable {
  /// Header length in bytes, CRC-8 included: 6 … 16.
  let byteCount: Int
  /// Samples per channel in the frame, 1 … 65,536.
  let blockSize: Int
  /// Nil if STREAMINFO states the rate; likewise `bitsPerSample`.
  let sampleRate: SampleRate?
  let channels: Int
  let bitsPerSample: Int?
  /// Number of the frame, or of its first sample if `hasVariableBlocks` is true.
  let number: Int
  let hasVariableBlocks: Bool

  static let maxByteCount = 16

  init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= 6, bytes[offset] == 0xFF, bytes[offset + 1] & 0xFE == 0xF8 else {
      return nil
    }
    let (sizeCode, rateCode) = (Int(bytes[offset + 2] >> 4), Int(bytes[offset + 2] & 15))
    let (layout, depth) = (Int(bytes[offset + 3] >> 4), Int(bytes[offset + 3] >> 1 & 7))
    guard sizeCode != 0, rateCode != 15, layout <= 10, depth != 3, bytes[offset + 3] & 1 == 0 else { return nil }
    var place = offset + 4
    guard let number = Self.number(bytes, at: &place) else { return nil }
    guard let blockSize = Self.blockSize(sizeCode, bytes, at: &place) else { return nil }
    var rate: Int?
    if rateCode >= 12 {
      guard let told = bytes.number(rateCode == 12 ? 1 : 2, at: &place) else { return nil }
      rate = rateCode == 12 ? told * 1_000 : rateCode == 13 ? told : told * 10
    } else if rateCode > 0 {
      rate = Self.rates[rateCode - 1]
    }
    guard place < bytes.count, FlacChecksum.crc8(bytes.extracting(offset..<place)) == bytes[place] else { return nil }
    sampleRate = rate.flatMap { SampleRate(ofSound: $0) }
    guard rate == nil || sampleRate != nil else { return nil }
    byteCount = place + 1 - offset
    self.blockSize = blockSize
    channels = layout < 8 ? layout + 1 : 2
    bitsPerSample = depth == 0 ? nil : Self.depths[depth - 1]
    self.number = number
    hasVariableBlocks = bytes[offset + 1] & 1 == 1
  }

  private static let rates: InlineArray<11, Int> = [
    88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]
  private static let depths: InlineArray<7, Int> = [8, 12, 0, 16, 20, 24, 32]

  private static func blockSize(_ code: Int, _ bytes: Span<UInt8>, at place: inout Int) -> Int? {
    switch code {
    case 1: 192
    case 2...5: 144 << code
    case 6: bytes.number(1, at: &place).map { $0 + 1 }
    case 7: bytes.number(2, at: &place).map { $0 + 1 }
    default: 1 << code
    }
  }

  /// Decodes a number of up to 36 bits, coded like a character in UTF-8; nil if malformed.
  private static func number(_ bytes: Span<UInt8>, at place: inout Int) -> Int? {
    let first = bytes[place]
    place += 1
    let length = (~first).leadingZeroBitCount
    guard length != 1, length <= 7 else { return nil }
    guard length > 0 else { return Int(first) }
    var value = Int(first) & (0x7F >> length)
    for _ in 1..<length {
      guard place < bytes.count, bytes[place] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int(bytes[place] & 0x3F)
      place += 1
    }
    return value
  }
}

/// Checksums of FLAC frames (RFC 9639, 9.1.8 and 9.3).
enum FlacChecksum {
  /// Polynomial x⁸ + x² + x + 1, initial value 0.
  static func crc8(_ bytes: Span<UInt8>) -> UInt8 {
    var crc: UInt8 = 0
    for index in bytes.indices {
      crc ^= bytes[index]
      for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
    }
    return crc
  }

  /// Adds a byte to a CRC-16: polynomial x¹⁶ + x¹⁵ + x² + 1, initial value 0. Over a frame with its checksum the CRC is
  /// 0. A byte contributes its product with x² + x and, if its parity is odd, also x¹⁵ + x + 1. This avoids a static
  /// table, whose initialisation the compiler checks at each access.
  @inline(__always)
  static func crc16(_ crc: UInt16, _ byte: UInt8) -> UInt16 {
    let bits = crc >> 8 ^ UInt16(byte)
    // Bit n of the constant is the parity of the number n.
    let parity = 0x6996 as UInt16 >> ((bits ^ bits >> 4) & 15) & 1
    return crc << 8 ^ bits << 1 ^ bits << 2 ^ parity &* 0x8003
  }

  /// Adds bytes to a CRC-16.
  static func crc16(_ crc: UInt16, _ bytes: Span<UInt8>) -> UInt16 {
    UInt16(truncatingIfNeeded: table.crc(UInt32(crc) << 16, bytes) >> 16)
  }

  private static let table = ChecksumTable(polynomial: 0x8005_0000)
}
