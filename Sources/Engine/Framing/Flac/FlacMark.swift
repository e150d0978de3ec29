/// Compares CRC-16 values at two stream positions: equal marks mean that the CRC of the bytes between them is 0. One
/// CRC run over the stream thus proves a frame between any two positions. The CRC is a polynomial modulo G, and n
/// further bytes multiply it by x^8n. A mark is the CRC divided by the factor for all bytes up to the position.
enum FlacMark {
  /// Order of x: x^32767 is 1 modulo G = (x + 1)(x^15 + x + 1).
  private static let order = 32_767

  /// Returns the mark at the byte `position`; `crc` may have been started at any earlier byte.
  static func mark(_ crc: UInt16, at position: Int) -> UInt16 {
    let bytes = position % order
    var exponent = 8 * (order - bytes) % order
    var (product, power): (UInt16, UInt16) = (crc, 2)
    while exponent > 0 {
      if exponent & 1 == 1 { product = multiply(product, power) }
      power = multiply(power, power)
      exponent >>= 1
    }
    return product
  }

  private static func multiply(_ lhs: UInt16, _ rhs: UInt16) -> UInt16 {
    var product: UInt16 = 0
    for bit in (0..<16).reversed() {
      product = product & 0x8000 != 0 ? product << 1 ^ 0x8005 : product << 1
      if rhs >> UInt16(bit) & 1 == 1 { product ^= lhs }
    }
    return product
  }
}
