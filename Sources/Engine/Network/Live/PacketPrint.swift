import Framing

extension PacketPrint {
  /// Hashes a packet's bytes in 8-byte words, similar to FNV-1a, with a final mix. Does not examine the content.
  init(of bytes: UnsafeRawBufferPointer) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    if let start = bytes.baseAddress {
      for word in 0..<bytes.count / 8 {
        hash = (hash ^ start.loadUnaligned(fromByteOffset: 8 &* word, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash &>> 29
      }
    }
    for byte in bytes[(bytes.count & ~7)...] { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash ^= hash >> 32
    self.init(hash: hash &* 0xD6E8_FEB8_6659_FD93, isRich: false)
  }

  /// Returns the fingerprint with a flag for rich content. `bytes`: the packet's bytes.
  func examined(_ bytes: UnsafeRawBufferPointer) -> PacketPrint { PacketPrint(hash: hash, isRich: Self.isRich(bytes)) }

  /// Encoded silence has at most 28 different byte values at any bit rate; music has about a hundred.
  private static let minRichCount = 40

  private static func count(of seen: InlineArray<4, UInt64>) -> Int {
    seen[0].nonzeroBitCount + seen[1].nonzeroBitCount + seen[2].nonzeroBitCount + seen[3].nonzeroBitCount
  }

  private static func isRich(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var seen: InlineArray<4, UInt64> = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() {
      seen[Int(byte &>> 6)] |= 1 &<< UInt64(byte & 63)
      // Music is rich after one or two rows of 64 bytes.
      if index & 63 == 63, count(of: seen) >= minRichCount { return true }
    }
    return count(of: seen) >= minRichCount
  }
}
