import Units

/// What a FLAC stream says of itself before its first frame (STREAMINFO, RFC 9639, 8.2).
struct FlacStreamInfo: Equatable {
  static let byteCount = 34

  /// Samples of a channel in a block, but for the last one.
  let blockSizes: ClosedRange<Int>
  /// Bytes of the longest frame; nil where that is not known.
  let longestFrame: Int?
  let sampleRate: SampleRate
  let channels: Int
  let bitsPerSample: Int
  /// Samples of a channel in all; nil where that is not known.
  let sampleCount: Int?

  /// Reads its 34 bytes; nil where there are fewer, or what they say cannot be.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.byteCount else { return nil }
    var reader = BitReader(bytes)
    let (least, most) = (Int(reader.bits(16, of: bytes)), Int(reader.bits(16, of: bytes)))
    reader.skip(24)
    let longest = Int(reader.bits(24, of: bytes))
    let rate = SampleRate(ofSound: Int(reader.bits(20, of: bytes)))
    guard least >= 1, least <= most, let rate else { return nil }
    (blockSizes, longestFrame, sampleRate) = (least...most, longest == 0 ? nil : longest, rate)
    channels = Int(reader.bits(3, of: bytes)) + 1
    bitsPerSample = Int(reader.bits(5, of: bytes)) + 1
    let count = Int(reader.bits(4, of: bytes)) << 32 | Int(reader.bits(32, of: bytes))
    sampleCount = count == 0 ? nil : count
    guard bitsPerSample >= 4 else { return nil }
  }
}
