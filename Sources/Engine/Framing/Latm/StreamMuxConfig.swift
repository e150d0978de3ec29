/// Layout of access units in an AudioMuxElement (ISO 14496-3, 1.7.3): one programme and layer, in slots with a length.
struct StreamMuxConfig: Hashable, Sendable, BitwiseCopyable {
  let config: AudioSpecificConfig
  /// Access units per AudioMuxElement, 1 … 64.
  let unitCount: Int
  /// Bits of other data after the access units; may exceed the element if the stream is damaged.
  let otherBitCount: Int

  enum Outcome: Hashable, Sendable {
    case config(StreamMuxConfig)
    case refused(RefusedCodec)
    case broken
  }

  /// Parses a config (table 1.42). If it is incomplete, the position of `bits` is undefined.
  static func read(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Outcome {
    let outcome = readShape(&bits, of: bytes)
    return bits.isPastEnd ? .broken : outcome
  }

  private static func readShape(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Outcome {
    let isVersion1 = bits.flag(of: bytes)
    // audioMuxVersionA is reserved.
    if isVersion1, bits.flag(of: bytes) { return .refused(.unknownAac) }
    // taraBufferFullness.
    if isVersion1 { _ = value(&bits, of: bytes) }
    let isSameTime = bits.flag(of: bytes)
    let unitCount = Int(bits.bits(6, of: bytes)) + 1
    let hasMorePrograms = bits.bits(4, of: bytes) != 0
    let hasMoreLayers = bits.bits(3, of: bytes) != 0
    guard isSameTime, !hasMorePrograms, !hasMoreLayers else { return .refused(.unknownAac) }
    let config: AudioSpecificConfig
    switch isVersion1 ? sizedConfig(&bits, of: bytes) : AudioSpecificConfig.read(&bits, of: bytes) {
    case .config(let found): config = found
    case .refused(let codec): return .refused(codec)
    }
    // frameLengthType.
    guard bits.bits(3, of: bytes) == 0 else { return .refused(.unknownAac) }
    // latmBufferFullness.
    bits.skip(8)
    let otherBitCount = otherBitCount(&bits, of: bytes, isVersion1: isVersion1)
    // crcCheckSum.
    if bits.flag(of: bytes) { bits.skip(8) }
    return .config(StreamMuxConfig(config: config, unitCount: unitCount, otherBitCount: otherBitCount))
  }

  private static func sizedConfig(_ bits: inout BitReader, of bytes: Span<UInt8>) -> AudioSpecificConfig.Outcome {
    let length = value(&bits, of: bytes)
    var inside = bits.limited(to: length)
    bits.skip(length)
    return AudioSpecificConfig.read(&inside, of: bytes)
  }

  /// Returns the bits of other data. Stops early beyond the maximum element length.
  private static func otherBitCount(_ bits: inout BitReader, of bytes: Span<UInt8>, isVersion1: Bool) -> Int {
    guard bits.flag(of: bytes) else { return 0 }
    if isVersion1 { return value(&bits, of: bytes) }
    var count = 0
    var hasMore = true
    while hasMore, count <= maxElementBitCount {
      hasMore = bits.flag(of: bytes)
      count = count << 8 | Int(bits.bits(8, of: bytes))
    }
    return count
  }

  /// Parses a LatmGetValue (table 1.43) of one to four bytes. Limits it to the maximum element length plus 1.
  private static func value(_ bits: inout BitReader, of bytes: Span<UInt8>) -> Int {
    let byteCount = Int(bits.bits(2, of: bytes)) + 1
    return Int(min(bits.bits(8 * byteCount, of: bytes), UInt32(maxElementBitCount + 1)))
  }

  private static var maxElementBitCount: Int { 8 * 0x1FFF }
}
