import Units

/// Properties shared by all frames of a FLAC stream.
struct FlacFormat: Equatable, BitwiseCopyable {
  let sampleRate: SampleRate
  let channels: Int
  let bitsPerSample: Int

  init(_ info: FlacStreamInfo) {
    (sampleRate, channels, bitsPerSample) = (info.sampleRate, info.channels, info.bitsPerSample)
  }

  init?(_ header: FlacFrameHeader, known: FlacFormat?) {
    guard let rate = header.sampleRate ?? known?.sampleRate, let bits = header.bitsPerSample ?? known?.bitsPerSample
    else { return nil }
    (sampleRate, channels, bitsPerSample) = (rate, header.channels, bits)
  }

  /// Builds the STREAMINFO of a stream that was joined after its own. Zeros in its fields mean unknown.
  func streamInfo(_ header: FlacFrameHeader) -> [UInt8] {
    let most = header.hasVariableBlocks ? 65_535 : min(header.blockSize, 65_535)
    let least = header.hasVariableBlocks ? 16 : most
    let bits = bitsPerSample - 1
    let rate = Int(sampleRate.hertz)
    let head = [least >> 8, least, most >> 8, most, 0, 0, 0, 0, 0, 0]
    let sound = [rate >> 12, rate >> 4, rate << 4 | (channels - 1) << 1 | bits >> 4, bits << 4]
    return (head + sound).map { UInt8(truncatingIfNeeded: $0) } + [UInt8](repeating: 0, count: 20)
  }
}
