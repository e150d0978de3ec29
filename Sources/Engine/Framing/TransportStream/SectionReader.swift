/// Assembles the current sections of one PID with a correct CRC (ISO 13818-1, 2.4.4). Allocates only in `init`.
struct SectionReader {
  /// Maximum length of a PAT or PMT section, in bytes.
  private static var maxSectionByteCount: Int { 1_024 }
  /// Bytes of the section header, up to the last section number.
  static var headByteCount: Int { 8 }
  static var crcByteCount: Int { 4 }

  private var buffer = [UInt8](repeating: 0, count: Self.maxSectionByteCount)
  private var count = 0
  /// True if a section has begun, or may begin with the next byte.
  private var isGathering = false
  private var continuity = ContinuityCounter()

  mutating func reset() {
    count = 0
    isGathering = false
    continuity = ContinuityCounter()
  }

  /// Processes the next packet of the PID. Passes each completed section to `section`, from table id to CRC.
  mutating func process(_ packet: TransportPacket, _ payload: Span<UInt8>, section: (Span<UInt8>) -> Void) {
    switch continuity.classify(packet, payload) {
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
      // Stuffing bytes also exceed the maximum.
      guard whole <= Self.maxSectionByteCount, whole >= Self.headByteCount + Self.crcByteCount else {
        isGathering = false
        return
      }
      if count == whole {
        if isValid { section(buffer.span.extracting(0..<count)) }
        count = 0
      }
    }
  }

  /// True if the section has the long form, is current and has a correct CRC.
  private var isValid: Bool {
    buffer[1] & 0x80 != 0 && buffer[5] & 1 != 0 && Self.checksum(buffer.span.extracting(0..<count)) == 0
  }

  /// Returns the CRC-32 of ISO 13818-1, annex A: 0 over a section with its own CRC.
  static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for index in bytes.indices {
      sum ^= UInt32(bytes[index]) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }
    return sum
  }
}
