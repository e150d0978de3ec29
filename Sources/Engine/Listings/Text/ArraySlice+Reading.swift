import Framing
import Units

extension ArraySlice<UInt8> {
  /// The slice without leading and trailing bytes up to 0x20 (control characters and blanks).
  var trimmed: ArraySlice<UInt8> {
    var (start, end) = (startIndex, endIndex)
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return self[start..<end]
  }

  /// The decoded text: UTF-16 with a byte order mark, otherwise UTF-8 if valid, otherwise windows-1252.
  var decoded: String { MetadataText.decode(span) }

  /// True if the slice starts with `word`, ignoring ASCII case. `word` must be in lower case.
  func begins(anyCase word: StaticString) -> Bool {
    guard count >= word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in zip(self, word).allSatisfy { $0.asciiLowercased == $1 } }
  }

  func split(at byte: UInt8) -> (before: ArraySlice<UInt8>, behind: ArraySlice<UInt8>)? {
    firstIndex(of: byte).map { (self[..<$0], self[($0 + 1)...]) }
  }

  /// The leading decimal number, capped at `UInt64.max`; nil without a leading digit.
  var wholeNumber: UInt64? {
    var number: UInt64?
    for byte in trimmed {
      guard byte.isDigit else { break }
      let (product, isOver) = (number ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      number = isOver || isBeyond || number == .max ? .max : sum
    }
    return number
  }

  /// The leading decimal number; nil from 2⁶⁰ on, so that a sum of two cannot overflow.
  var smallNumber: Int64? { wholeNumber.flatMap { $0 < 1 << 60 ? Int64($0) : nil } }

  /// The leading number of seconds, such as "9", "9.98", "-3.5" or "1e-05", rounded to the tick.
  /// Clamped to ±10⁹ s; nil without a leading number.
  var time: StreamTime? {
    let text = trimmed.prefix(Self.maxNumberLength)
    var place = text.startIndex
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { place += 1 }
    let (whole, end, _) = text.digits(at: place, limit: Self.maxSeconds)
    var (fraction, scale, last) = (Int64(0), Int64(1), end)
    if end < text.endIndex, text[end] == UInt8(ascii: ".") {
      (fraction, last, scale) = text.digits(at: end + 1, limit: .max)
    }
    guard end > place || last > end + 1 else { return nil }
    if last < text.endIndex, text[last] | 0x20 == UInt8(ascii: "e"), let time = text.exponential { return time }
    let part = (fraction * StreamTime.ticksPerSecond + scale / 2) / scale
    let ticks = whole * StreamTime.ticksPerSecond + (whole < Self.maxSeconds ? part : 0)
    return StreamTime(ticks: isNegative ? -ticks : ticks)
  }

  /// Reads digits from index `place`. A `limit` below `.max` caps the number, and `scale` is then 1. Without a cap,
  /// only the first nine digits count, and `scale` is their power of ten. `end` is the index after the last digit.
  private func digits(at place: Int, limit: Int64) -> (number: Int64, end: Int, scale: Int64) {
    var (number, end, scale) = (Int64(0), place, Int64(1))
    while end < endIndex, self[end].isDigit {
      let digit = Int64(self[end] - UInt8(ascii: "0"))
      end += 1
      if limit < .max {
        number = Swift.min(limit, number * 10 + digit)
      } else if scale < 1_000_000_000 {
        (number, scale) = (number * 10 + digit, scale * 10)
      }
    }
    return (number, end, scale)
  }

  /// The time for a number with an exponent, such as "1e-05" from printf(3).
  private var exponential: StreamTime? {
    let number = prefix { $0.isDigit || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    guard let seconds = Double(String(decoding: number, as: UTF8.self)) else { return nil }
    let limit = Double(Self.maxSeconds)
    return StreamTime(seconds: Swift.max(-limit, Swift.min(limit, seconds)))
  }

  private static var maxNumberLength: Int { 64 }
  private static var maxSeconds: Int64 { 1_000_000_000 }
}
