/// Detects lost packets of one PID by the continuity counter (ISO 13818-1 2.4.3.3).
struct ContinuityCounter {
  enum Verdict: BitwiseCopyable {
    case next
    case duplicate
    case gap
  }

  private var last: UInt8?
  private var lastHash: UInt32 = 0

  /// A packet with the last counter but another payload is not a duplicate: fifteen packets are missing.
  mutating func classify(_ packet: TransportPacket, _ payload: Span<UInt8>) -> Verdict {
    let mark = packet.hasPayload ? Self.hash(payload) : lastHash
    defer {
      last = packet.counter
      lastHash = mark
    }
    guard let last else { return .next }
    if packet.hasPayload, packet.counter == last, mark == lastHash { return .duplicate }
    let expected = packet.hasPayload ? (last + 1) & 0x0F : last
    return packet.counter == expected || packet.isDiscontinuous ? .next : .gap
  }

  private static func hash(_ bytes: Span<UInt8>) -> UInt32 {
    var mark = UInt32(truncatingIfNeeded: bytes.count)
    for index in bytes.indices { mark = (mark ^ UInt32(bytes[index])) &* 16_777_619 }
    return mark
  }
}
