/// Writes big-endian bit fields.
public struct BitWriter {
  /// The bytes so far; the last one may be incomplete.
  public private(set) var bytes: [UInt8] = []
  private var bitCount = 0

  /// Creates a writer without bits.
  public init() {}

  /// Appends the lowest `width` bits of a value.
  public mutating func put(_ value: Int, _ width: Int) {
    for bit in stride(from: width - 1, through: 0, by: -1) {
      if bitCount % 8 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - bitCount % 8)
      bitCount += 1
    }
  }
}
