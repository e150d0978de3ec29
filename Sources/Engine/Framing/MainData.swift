import Blocks

/// Where the main data of a Layer III packet lies: it may begin in the packets before (ISO 11172-3 2.4.1.7, ISO 13818-3
/// 2.4.1.7), so that a packet alone may be no sound.
public struct MainData: Hashable, Sendable {
  /// So many bytes of main data of the packets before belong to this one.
  public let beginsBefore: Int
  /// Bytes of main data in the packet itself.
  public let byteCount: Int

  /// No packet reaches further back (511 bytes in MPEG-1, 255 in MPEG-2).
  public static var furthest: Int { 511 }

  private static var headerByteCount: Int { MpegHeader.byteCount }

  /// What a Layer III packet tells; nil where it is too short for it.
  public init?(_ packet: Span<UInt8>) {
    guard packet.count > Self.headerByteCount else { return nil }
    let (start, length) = Self.sideInformation(packet)
    guard packet.count >= start + length else { return nil }
    let first = Int(packet[start])
    beginsBefore = Self.isMpeg1(packet) ? first << 1 | Int(packet[start + 1] >> 7) : first
    byteCount = packet.count - start - length
  }

  /// Makes a packet silent whose beginning is missing: its side information asks for nothing any more. Its main data
  /// stays, since the packets after it may reach back into it. `available` bytes of main data lie before it.
  public static func mute(_ packet: inout MutableSpan<UInt8>, available: Int) {
    guard packet.count > headerByteCount else { return }
    let isMpeg1 = isMpeg1(packet.span)
    let (start, length) = sideInformation(packet.span)
    // Without a CRC, which would be wrong: two bytes more stand before the main data then, and nobody asks for them.
    packet[1] |= 1
    let end = min(packet.count, start + length)
    for index in headerByteCount..<end { packet[index] = 0 }
    guard packet.count > headerByteCount + 1 else { return }
    let begin = min(available, isMpeg1 ? furthest : 255)
    packet[headerByteCount] = UInt8(isMpeg1 ? begin >> 1 : begin)
    if isMpeg1 { packet[headerByteCount + 1] = UInt8(begin & 1) << 7 }
  }

  private static func isMpeg1(_ packet: Span<UInt8>) -> Bool { packet[1] & 0x08 != 0 }

  private static func sideInformation(_ packet: Span<UInt8>) -> (start: Int, byteCount: Int) {
    let isMono = packet[3] >> 6 == 3
    let hasCRC = packet[1] & 1 == 0
    return (headerByteCount + (hasCRC ? 2 : 0), sideInformationByteCount(isMpeg1: isMpeg1(packet), isMono: isMono))
  }

  /// Bytes of the side information of a Layer III packet.
  static func sideInformationByteCount(isMpeg1: Bool, isMono: Bool) -> Int {
    isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}
