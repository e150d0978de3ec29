import Blocks

/// Location of a Layer III packet's main data, which may begin in earlier packets (ISO 11172-3, ISO 13818-3: 2.4.1.7).
public struct MainData: Hashable, Sendable {
  /// Number of main data bytes that lie in earlier packets.
  public let earlierByteCount: Int
  /// Number of main data bytes in the packet itself.
  public let byteCount: Int
  /// Number of main data bytes that the packet's sound uses, the earlier bytes included.
  let soundByteCount: Int

  /// Maximum of `earlierByteCount`, in bytes: 511 in MPEG-1, 255 in MPEG-2.
  public static var maxEarlierByteCount: Int { 511 }

  private static var headerByteCount: Int { MpegHeader.byteCount }

  /// Parses a Layer III packet; nil if the packet is too short.
  public init?(_ packet: Span<UInt8>) {
    guard packet.count > Self.headerByteCount else { return nil }
    let (start, length) = Self.sideInformation(packet)
    guard packet.count >= start + length else { return nil }
    let first = Int(packet[start])
    let isMpeg1 = Self.isMpeg1(packet)
    earlierByteCount = isMpeg1 ? first << 1 | Int(packet[start + 1] >> 7) : first
    byteCount = packet.count - start - length
    soundByteCount = (Self.soundBitCount(packet.extracting(start..<start + length), isMpeg1: isMpeg1) + 7) / 8
  }

  /// Returns the sum of the granules' lengths (part2_3_length).
  private static func soundBitCount(_ side: Span<UInt8>, isMpeg1: Bool) -> Int {
    let isMono = side.count == sideInformationByteCount(isMpeg1: isMpeg1, isMono: true)
    var reader = BitReader(side)
    reader.skip(isMpeg1 ? (isMono ? 18 : 20) : (isMono ? 9 : 10))
    var count = 0
    for _ in 0..<(isMpeg1 ? 2 : 1) * (isMono ? 1 : 2) {
      count += Int(reader.bits(12, of: side))
      reader.skip(isMpeg1 ? 59 - 12 : 63 - 12)
    }
    return count
  }

  /// True if `next` uses no earlier data, or exactly the data that this packet leaves unused: one encoder wrote both.
  public func isContinued(by next: MainData) -> Bool {
    next.earlierByteCount == 0 || next.earlierByteCount == earlierByteCount + byteCount - soundByteCount
  }

  /// Mutes a packet if main data before it is missing, by zeroing the side information. The packet's own main data
  /// remains for later packets. `available` is the number of main data bytes before the packet.
  public static func mute(_ packet: inout MutableSpan<UInt8>, available: Int) {
    guard packet.count > headerByteCount else { return }
    let isMpeg1 = isMpeg1(packet.span)
    let (start, length) = sideInformation(packet.span)
    // Marks the packet as having no CRC, which would be wrong. This adds two unused bytes before the main data.
    packet[1] |= 1
    let end = min(packet.count, start + length)
    for index in headerByteCount..<end { packet[index] = 0 }
    guard packet.count > headerByteCount + 1 else { return }
    let begin = min(available, isMpeg1 ? maxEarlierByteCount : 255)
    packet[headerByteCount] = UInt8(isMpeg1 ? begin >> 1 : begin)
    if isMpeg1 { packet[headerByteCount + 1] = UInt8(begin & 1) << 7 }
  }

  private static func isMpeg1(_ packet: Span<UInt8>) -> Bool { packet[1] & 0x08 != 0 }

  private static func sideInformation(_ packet: Span<UInt8>) -> (start: Int, byteCount: Int) {
    let isMono = packet[3] >> 6 == 3
    let hasCRC = packet[1] & 1 == 0
    return (headerByteCount + (hasCRC ? 2 : 0), sideInformationByteCount(isMpeg1: isMpeg1(packet), isMono: isMono))
  }

  static func sideInformationByteCount(isMpeg1: Bool, isMono: Bool) -> Int {
    isMpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}
