import Units

/// AAC's AudioSpecificConfig (ISO 14496-3, 1.6.2.1), restricted to configs that an ADTS header can express.
struct AudioSpecificConfig: Hashable, Sendable, BitwiseCopyable {
  /// Object type of the core: 1 Main, 2 LC, 3 SSR, 4 LTP. ADTS does not state SBR and PS; the decoder detects both.
  let objectType: UInt8
  let rateIndex: UInt8
  let channelConfiguration: UInt8

  enum Outcome: Hashable, Sendable {
    case config(AudioSpecificConfig)
    case refused(RefusedCodec)
  }

  static var maxPayloadByteCount: Int { 8_191 - headerByteCount }
  static var headerByteCount: Int { 7 }

  /// Parses a config and the SBR and PS extension after it. After a refusal the position of `bits` is undefined.
  static func read(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Outcome {
    let start = bits.position
    var objectType = self.objectType(&bits, of: bytes)
    let rateIndex = self.rateIndex(&bits, of: bytes)
    var channels: UInt8? = UInt8(bits.bits(4, of: bytes))
    if objectType == 5 || objectType == 29 {
      _ = self.rateIndex(&bits, of: bytes)
      objectType = self.objectType(&bits, of: bytes)
    }
    if objectType == 42 { return bits.isPastEnd ? .refused(.unknownAac) : .refused(.xheAac) }
    guard (1...4).contains(objectType) else { return .refused(.unknownAac) }
    // GASpecificConfig, 4.4.1.
    let isShort = bits.flag(of: bytes)
    if bits.flag(of: bytes) { bits.skip(14) }
    let isExtended = bits.flag(of: bytes)
    if channels == 0 {
      channels = ProgramConfigElement.channelConfiguration(&bits, of: bytes, alignedTo: start)
    }
    if isExtended { bits.skip(1) }
    guard !bits.isPastEnd, let rateIndex, let channels, (1...7).contains(channels) else {
      return .refused(.unknownAac)
    }
    if isShort { return .refused(.shortFrames) }
    skipExtension(&bits, of: bytes)
    return .config(
      AudioSpecificConfig(
        objectType: UInt8(objectType), rateIndex: rateIndex, channelConfiguration: channels))
  }

  private static func objectType(_ bits: inout BitReader, of bytes: Span<UInt8>) -> UInt32 {
    let type = bits.bits(5, of: bytes)
    return type == 31 ? 32 + bits.bits(6, of: bytes) : type
  }

  private static func rateIndex(_ bits: inout BitReader, of bytes: Span<UInt8>) -> UInt8? {
    let told = bits.bits(4, of: bytes)
    let hertz = told == 15 ? bits.bits(24, of: bytes) : nil
    guard let hertz else { return told <= 12 ? UInt8(told) : nil }
    return (0...12).first { index in
      // A valid header with a frame length of 8 bytes, only to look up the rate for `index`.
      AdtsHeader(0xFF, 0xF1, index << 2, 0, 1, 0, 0).map { UInt32($0.sampleRate.hertz) == hertz } ?? false
    }
  }

  /// Skips the backward compatible signalling of SBR and PS if present (1.6.6.2, 1.6.5). In a StreamMuxConfig of
  /// version 0 these bits cannot occur at this place, so the check is safe there too.
  private static func skipExtension(_ bits: inout BitReader, of bytes: Span<UInt8>) {
    var ahead = bits
    guard ahead.bitsLeft >= 16, ahead.bits(11, of: bytes) == 0x2B7 else { return }
    let type = objectType(&ahead, of: bytes)
    guard type == 5 || type == 22 else { return }
    let isPresent = ahead.flag(of: bytes)
    if isPresent { _ = rateIndex(&ahead, of: bytes) }
    if type == 22 { ahead.skip(4) }
    if isPresent, type == 5, ahead.bitsLeft >= 12 {
      var beyond = ahead
      if beyond.bits(11, of: bytes) == 0x548 {
        beyond.skip(1)
        ahead = beyond
      }
    }
    if !ahead.isPastEnd { bits = ahead }
  }

  /// Writes an ADTS header (MPEG-4, no CRC, one raw data block) to the first seven bytes of `header`. Returns false and
  /// writes nothing if `payloadByteCount` is outside 0 … 8,184.
  func writeAdtsHeader(payloadByteCount: Int, into header: inout [UInt8]) -> Bool {
    guard (0...Self.maxPayloadByteCount).contains(payloadByteCount) else { return false }
    let byteCount = payloadByteCount + Self.headerByteCount
    header[0] = 0xFF
    header[1] = 0xF1
    header[2] = (objectType - 1) << 6 | rateIndex << 2 | channelConfiguration >> 2
    header[3] = (channelConfiguration & 3) << 6 | UInt8(byteCount >> 11)
    header[4] = UInt8(byteCount >> 3 & 0xFF)
    // Buffer fullness 0x7FF: variable bit rate.
    header[5] = UInt8(byteCount & 7) << 5 | 0x1F
    header[6] = 0xFC
    return true
  }
}
