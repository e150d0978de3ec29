import Framing

extension PacketPrint {
  /// Hashes a packet's bytes in 8-byte words, similar to FNV-1a, with a final mix.
  init(of bytes: UnsafeRawBufferPointer) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      offset += 8
    }
    while offset < bytes.count {
      hash = (hash ^ UInt64(bytes[offset])) &* 0x0000_0100_0000_01B3
      offset += 1
    }
    hash ^= hash >> 32
    self.init(hash: hash &* 0xD6E8_FEB8_6659_FD93, isRich: Self.isRich(bytes))
  }

  /// Encoded silence has at most 28 different byte values at any bit rate; music has about a hundred.
  private static let minRichCount = 40

  private static func isRich(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var seen = SIMD4<UInt64>.zero
    var count = 0
    for byte in bytes {
      let (word, bit) = (Int(byte >> 6), UInt64(1) << UInt64(byte & 63))
      if seen[word] & bit == 0 { count += 1 }
      if count == minRichCount { return true }
      seen[word] |= bit
    }
    return false
  }
}
