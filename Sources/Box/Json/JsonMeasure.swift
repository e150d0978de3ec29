/// The size of a JSON text before parsing: nesting depth, and an upper bound for the number of values. For a malformed
/// text, both numbers are wrong, but never larger than the text's length.
struct JsonMeasure {
  private(set) var depth = 0
  /// Upper bound for the number of values: 1 for the text, and 1 for each opening bracket or comma.
  private(set) var valueCount = 1
  /// True if the text contains U+0000, which would end a C string.
  private(set) var hasNul = false

  init(_ text: Span<UInt8>) {
    var (level, isInString) = (0, false)
    var place = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\\") where isInString:
        hasNul = hasNul || Self.isNul(text, place)
        place += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case 0: hasNul = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard !isInString else { break }
        level += 1
        depth = max(depth, level)
        valueCount += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): if !isInString { level -= 1 }
      case UInt8(ascii: ","): if !isInString { valueCount += 1 }
      default: break
      }
      place += 1
    }
  }

  /// Returns true if an escaped U+0000 starts at this position.
  private static func isNul(_ text: Span<UInt8>, _ place: Int) -> Bool {
    guard place + 5 < text.count, text[place + 1] == UInt8(ascii: "u") else { return false }
    return (place + 2...place + 5).allSatisfy { text[$0] == UInt8(ascii: "0") }
  }
}
