/// Tells by the counter of one PID whether packets were lost (ISO 13818-1 2.4.3.3).
struct ContinuityCounter {
  /// What a packet is to those before it.
  enum Verdict: BitwiseCopyable {
    case next
    /// The packet before came once more.
    case duplicate
    /// Packets are missing before it.
    case gap
  }

  private var last: UInt8?
  /// Stands for the bytes of the last payload.
  private var lastMark: UInt32 = 0

  /// Judges the next packet of the PID. A packet with the last counter and another payload is no duplicate: fifteen
  /// are missing.
  mutating func judge(_ packet: TransportPacket, _ payload: Span<UInt8>) -> Verdict {
    let mark = packet.hasPayload ? Self.mark(payload) : lastMark
    defer {
      last = packet.counter
      lastMark = mark
    }
    guard let last else { return .next }
    if packet.hasPayload, packet.counter == last, mark == lastMark { return .duplicate }
    let expected = packet.hasPayload ? (last + 1) & 0x0F : last
    return packet.counter == expected || packet.isDiscontinuous ? .next : .gap
  }

  private static func mark(_ bytes: Span<UInt8>) -> UInt32 {
    var mark = UInt32(truncatingIfNeeded: bytes.count)
    for index in bytes.indices { mark = (mark ^ UInt32(bytes[index])) &* 16_777_619 }
    return mark
  }
}
