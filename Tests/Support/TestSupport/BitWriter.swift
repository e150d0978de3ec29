/// Writes big-endian bit fields.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  mutating func put(_ value: Int, _ width: Int) {
    for bit in stride(from: width - 1, through: 0, by: -1) {
      if bitCount % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - bitCount % 8)
      bitCount += 1
    }
  }
}
