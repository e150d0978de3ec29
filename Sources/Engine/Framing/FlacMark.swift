/// Tells by two places of a stream whether the CRC-16 of what lies between them comes to 0, so that one run over the
/// bytes proves a frame from any place to any other.
///
/// The CRC of a run up to a place is a polynomial modulo G; what n bytes more make of it is its product with x^8n. A
/// mark is the CRC divided by what all bytes up to there made of it: the same twice where nothing was added between.
enum FlacMark {
  /// x^32767 is 1 modulo G = (x + 1)(x^15 + x + 1).
  private static let order = 32_767

  /// The mark at the byte `position`, to which a CRC-16 ran from anywhere.
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
