import Units

/// What all frames of a FLAC stream have in common.
struct FlacForm: Equatable, BitwiseCopyable {
  let sampleRate: SampleRate
  let channels: Int
  let bitsPerSample: Int

  /// What STREAMINFO tells.
  init(_ info: FlacStreamInfo) {
    (sampleRate, channels, bitsPerSample) = (info.sampleRate, info.channels, info.bitsPerSample)
  }

  /// What a frame tells, with what is known of the stream where it leaves that open; nil where nothing does.
  init?(_ header: FlacFrameHeader, known: FlacForm?) {
    guard let rate = header.sampleRate ?? known?.sampleRate, let bits = header.bitsPerSample ?? known?.bitsPerSample
    else { return nil }
    (sampleRate, channels, bitsPerSample) = (rate, header.channels, bits)
  }

  /// The STREAMINFO of a stream that was joined behind its own, made of a frame's header: lengths are left open.
  func streamInfo(_ header: FlacFrameHeader) -> [UInt8] {
    let most = header.hasVariableBlocks ? 65_535 : min(header.blockSize, 65_535)
    let least = header.hasVariableBlocks ? 16 : most
    let bits = bitsPerSample - 1
    let rate = Int(sampleRate.hertz)
    let head = [least >> 8, least, most >> 8, most, 0, 0, 0, 0, 0, 0]
    let sound = [rate >> 12, rate >> 4, rate << 4 | (channels - 1) << 1 | bits >> 4, bits << 4]
    // The count of samples and the MD5 sum are 0: not known.
    return (head + sound).map { UInt8(truncatingIfNeeded: $0) } + [UInt8](repeating: 0, count: 20)
  }
}
