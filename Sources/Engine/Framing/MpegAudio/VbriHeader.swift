/// Fraunhofer's VBRI header: seek data in the first packet of a file with variable bit rate. The packet has no audio.
public struct VbriHeader: Equatable, Sendable {
  /// Bytes from the start of this packet to the end of the last packet.
  public let byteCount: Int
  /// Number of packets that follow.
  public let packetCount: Int
  /// Bytes of consecutive stretches with equal duration, starting with this packet; empty if invalid.
  public let stretches: [Int]

  private static let place = MpegHeader.byteCount + 32
  private static let maxStretchCount = 4_096

  /// Parses the header in a packet. Returns nil if absent.
  public init?(_ packet: Span<UInt8>) {
    guard Self.isPresent(in: packet) else { return nil }
    // Version, delay and quality are not used.
    var field = Self.place + 10
    guard let byteCount = packet.number(4, at: &field), let packetCount = packet.number(4, at: &field),
      let count = packet.number(2, at: &field),
      let scale = packet.number(2, at: &field), let size = packet.number(2, at: &field),
      packet.number(2, at: &field) != nil
    else { return nil }
    (self.byteCount, self.packetCount) = (byteCount, packetCount)
    var stretches: [Int] = []
    if (1...4).contains(size), count <= Self.maxStretchCount {
      for _ in 0..<count {
        guard let bytes = packet.number(size, at: &field) else { break }
        stretches.append(bytes * scale)
      }
    }
    self.stretches = stretches.count == count ? stretches : []
  }

  static func isPresent(in packet: Span<UInt8>) -> Bool {
    guard let header = MpegHeader(packet), header.layer == .three else { return false }
    return packet.matches("VBRI", at: place)
  }
}
