/// Fraunhofer's figures in the first packet of a file of varying bit rate; the packet holds no sound.
public struct VbriHeader: Equatable, Sendable {
  /// Bytes from this packet's first to the last packet's last.
  public let byteCount: Int
  /// Packets that follow.
  public let packetCount: Int
  /// Bytes of each stretch of the same length in time, from this packet's first on; empty where they make no sense.
  public let stretches: [Int]

  private static let place = MpegHeader.byteCount + 32
  private static let mostStretches = 4_096

  /// The header in a packet; nil where it is none.
  public init?(_ packet: Span<UInt8>) {
    guard Self.isPresent(in: packet) else { return nil }
    // Version, delay and quality are of no use here.
    var field = Self.place + 10
    guard let byteCount = packet.number(4, at: &field), let packetCount = packet.number(4, at: &field),
      let count = packet.number(2, at: &field),
      let scale = packet.number(2, at: &field), let size = packet.number(2, at: &field),
      packet.number(2, at: &field) != nil
    else { return nil }
    (self.byteCount, self.packetCount) = (byteCount, packetCount)
    var stretches: [Int] = []
    if (1...4).contains(size), count <= Self.mostStretches {
      for _ in 0..<count {
        guard let bytes = packet.number(size, at: &field) else { break }
        stretches.append(bytes * scale)
      }
    }
    self.stretches = stretches.count == count ? stretches : []
  }

  /// Whether `packet` is such a header.
  static func isPresent(in packet: Span<UInt8>) -> Bool {
    guard let header = MpegHeader(packet), header.layer == .three else { return false }
    return packet.holds("VBRI", at: place)
  }
}
