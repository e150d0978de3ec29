/// The head of a packet of an MPEG transport stream (ISO 13818-1 2.4.3.2), and where its payload lies.
struct TransportPacket: Hashable {
  /// Bytes of each packet.
  static var byteCount: Int { 188 }
  /// The first byte of each packet.
  static var sync: UInt8 { 0x47 }
  /// The PIDs that a stream may have for its own: those below are the standard's, the one above is filler.
  static var ownPIDs: Range<UInt16> { 0x10..<0x1FFF }

  /// The stream that the packet is of, 0 … 0x1FFE.
  let pid: UInt16
  /// A PES packet begins with the payload, or a section begins in it.
  let isStart: Bool
  /// The payload needs a key.
  let isScrambled: Bool
  /// The counter may have jumped although nothing is lost.
  let isDiscontinuous: Bool
  /// Whether there is a payload; the counter counts only such packets.
  let hasPayload: Bool
  /// Packets with a payload of the same stream, 0 … 15.
  let counter: UInt8
  /// Where the payload lies in the packet; empty where there is none.
  let payload: Range<Int>

  /// The head of a whole packet; nil for a damaged one and for filler.
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
