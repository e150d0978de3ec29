/// The header of an MPEG transport stream packet (ISO 13818-1, 2.4.3.2), and the range of its payload.
struct TransportPacket: Hashable {
  static var byteCount: Int { 188 }
  static var sync: UInt8 { 0x47 }
  /// PIDs available to streams. The standard reserves lower PIDs; 0x1FFF is filler.
  static var ownPIDs: Range<UInt16> { 0x10..<0x1FFF }

  let pid: UInt16
  /// True if a PES packet begins with the payload, or a section begins in the payload.
  let isStart: Bool
  let isScrambled: Bool
  /// True if the counter may jump without a loss.
  let isDiscontinuous: Bool
  /// True if the packet has a payload. Only such packets advance the counter.
  let hasPayload: Bool
  let counter: UInt8
  let payload: Range<Int>

  /// Parses a whole packet. Returns nil for damaged packets and filler.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount, bytes[0] == Self.sync, bytes[1] & 0x80 == 0 else { return nil }
    pid = UInt16(bytes[1] & 0x1F) << 8 | UInt16(bytes[2])
    guard pid < Self.ownPIDs.upperBound else { return nil }
    isStart = bytes[1] & 0x40 != 0
    isScrambled = bytes[3] & 0xC0 != 0
    counter = bytes[3] & 0x0F
    hasPayload = bytes[3] & 0x10 != 0
    let hasAdaptation = bytes[3] & 0x20 != 0
    guard hasPayload || hasAdaptation else { return nil }
    let adaptationByteCount = hasAdaptation ? Int(bytes[4]) : 0
    let start = hasAdaptation ? 5 + adaptationByteCount : 4
    guard start <= Self.byteCount else { return nil }
    isDiscontinuous = adaptationByteCount > 0 && bytes[5] & 0x80 != 0
    payload = hasPayload ? start..<Self.byteCount : 0..<0
  }
}
