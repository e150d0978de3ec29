import Units

/// STREAMINFO, the first metadata block of a FLAC stream (RFC 9639, 8.2).
struct FlacStreamInfo: Equatable {
  static let byteCount = 34

  /// Samples per channel in each block but the last.
  let blockSizes: ClosedRange<Int>
  let maxFrameByteCount: Int?
  let sampleRate: SampleRate
  let channels: Int
  let bitsPerSample: Int
  let sampleCount: Int?

  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.byteCount else { return nil }
    var reader = BitReader(bytes)
    let (least, most) = (Int(reader.bits(16, of: bytes)), Int(reader.bits(16, of: bytes)))
    reader.skip(24)
    let longest = Int(reader.bits(24, of: bytes))
    let rate = SampleRate(ofSound: Int(reader.bits(20, of: bytes)))
    guard let rate else { return nil }
    // Some encoders write 0 for an unknown size.
    blockSizes = least >= 1 && least <= most ? least...most : 1...max(1, most == 0 ? 65_535 : most)
    (maxFrameByteCount, sampleRate) = (longest == 0 ? nil : longest, rate)
    channels = Int(reader.bits(3, of: bytes)) + 1
    bitsPerSample = Int(reader.bits(5, of: bytes)) + 1
    let count = Int(reader.bits(4, of: bytes)) << 32 | Int(reader.bits(32, of: bytes))
    sampleCount = count == 0 ? nil : count
    guard bitsPerSample >= 4 else { return nil }
  }
}
