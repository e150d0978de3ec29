/// A station's permanent id in the directory (RFC 9562).
public struct StationUuid: Hashable, Sendable, CustomStringConvertible {
  /// The first eight and the last eight bytes, big endian.
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Parses 32 hexadecimal digits with optional hyphens; nil for anything else, and for zero.
  public init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var (high, low, count): (UInt64, UInt64, Int) = (0, 0, 0)
    for byte in text.utf8 where byte != UInt8(ascii: "-") {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80, count < 32 else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
      count += 1
    }
    guard count == 32, high | low != 0 else { return nil }
    self.init(high: high, low: low)
  }

  /// Lower case with hyphens: "960e57c5-0601-11e8-ae97-52543be04c81".
  public var description: String {
    let digits = [high, low].map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    var (text, rest) = ("", digits[...])
    for count in [8, 4, 4, 4, 12] {
      text += (text.isEmpty ? "" : "-") + rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return text
  }
}
