/// What a JSON text would cost, counted before any of it is read: how deep it is nested, and how many values it has at
/// most. What it counts of a text that is not well formed means nothing, but is bounded by the text's length.
struct JsonMeasure {
  /// Arrays and objects in each other.
  private(set) var depth = 0
  /// The text's values, or more: each begins the text, or follows a bracket or a comma.
  private(set) var valueCount = 1
  /// Whether a string or the text holds U+0000, at which C's strings end.
  private(set) var hasNul = false

  /// Counts a text.
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

  /// Whether U+0000 is escaped at a place.
  private static func isNul(_ text: Span<UInt8>, _ place: Int) -> Bool {
    guard place + 5 < text.count, text[place + 1] == UInt8(ascii: "u") else { return false }
    return (place + 2...place + 5).allSatisfy { text[$0] == UInt8(ascii: "0") }
  }
}
