/// Gathers the sections of one PID, such as those of the PAT and of a PMT, out of its packets (ISO 13818-1 2.4.4).
///
/// Only sections that count now and whose CRC is right are handed on. Memory is reserved once, at `init`.
struct SectionReader {
  /// Bytes of the longest section of a PAT or PMT.
  private static var longest: Int { 1_024 }
  /// Bytes of what precedes a section's own fields, its last byte number included.
  static var headByteCount: Int { 8 }
  /// Bytes of the CRC behind a section's own fields.
  static var crcByteCount: Int { 4 }

  private var buffer = [UInt8](repeating: 0, count: Self.longest)
  private var count = 0
  /// A section has begun, or may begin with the next byte.
  private var isGathering = false
  private var continuity = ContinuityCounter()

  /// Forgets the section that is cut off, and what packet is expected.
  mutating func reset() {
    count = 0
    isGathering = false
    continuity = ContinuityCounter()
  }

  /// Takes the next packet of the PID; every section that ends in it goes to `section`, from its table id to its CRC.
  mutating func take(_ packet: TransportPacket, _ payload: Span<UInt8>, section: (Span<UInt8>) -> Void) {
    switch continuity.judge(packet, payload) {
    case .duplicate: return
    case .gap: isGathering = false
    case .next: break
    }
    guard !packet.isScrambled, !payload.isEmpty else { return }
    guard packet.isStart else { return gather(payload, section) }
    let start = 1 + Int(payload[0])
    guard start <= payload.count else {
      isGathering = false
      return
    }
    gather(payload.extracting(1..<start), section)
    count = 0
    isGathering = true
    gather(payload.extracting(start..<payload.count), section)
  }

  private mutating func gather(_ bytes: Span<UInt8>, _ section: (Span<UInt8>) -> Void) {
    for index in bytes.indices {
      guard isGathering else { return }
      buffer[count] = bytes[index]
      count += 1
      guard count >= 3 else { continue }
      let whole = 3 + Int(buffer[1] & 0x0F) << 8 + Int(buffer[2])
      // Filler is too long as well.
      guard whole <= Self.longest, whole >= Self.headByteCount + Self.crcByteCount else {
        isGathering = false
        return
      }
      if count == whole {
        if isValid { section(buffer.span.extracting(0..<count)) }
        count = 0
      }
    }
  }

  /// Whether the gathered section has the long form, counts now, and is not damaged.
  private var isValid: Bool {
    buffer[1] & 0x80 != 0 && buffer[5] & 1 != 0 && Self.checksum(buffer.span.extracting(0..<count)) == 0
  }

  /// The CRC-32 of ISO 13818-1 annex A: 0 over a section together with its own.
  static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for index in bytes.indices {
      sum ^= UInt32(bytes[index]) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }
    return sum
  }
}
