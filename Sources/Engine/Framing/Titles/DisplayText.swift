/// Makes text from any source safe for a display or terminal.
public enum DisplayText {
  /// Removes control, direction, zero-width, private-use and tag characters and noncharacters. Each run of white space
  /// becomes one space, and is removed at both ends. The limits are Unicode scalars and bytes of UTF-8.
  public static func clean(_ text: String, characterLimit: Int = 1024, byteLimit: Int = 4080) -> String {
    var cleaned = String.UnicodeScalarView()
    var characterCount = 0
    var byteCount = 0
    var needsSpace = false
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        needsSpace = characterCount > 0
        continue
      }
      guard !isUnsafe(scalar) else { continue }
      characterCount += needsSpace ? 2 : 1
      byteCount += UTF8.width(scalar) + (needsSpace ? 1 : 0)
      guard characterCount <= characterLimit, byteCount <= byteLimit else { break }
      if needsSpace { cleaned.append(" ") }
      cleaned.append(scalar)
      needsSpace = false
    }
    return String(cleaned)
  }

  /// Returns a line for a terminal: removes the characters that `clean` removes, turns white space into spaces.
  public static func line(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        shown.append(" ")
      } else if !isUnsafe(scalar) {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// Returns `text` as one line of a log or a reply, without characters that change the direction of text (UAX #9).
  /// Replaces each control character and line break by `blank`, or removes these if `blank` is nil.
  public static func oneLine(_ text: String, blank: Unicode.Scalar? = nil) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || [0xC2, 0xD8, 0xE2].contains($0) }) else { return text }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x2029: if let blank { line.append(blank) }
      case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: break
      default: line.append(scalar)
      }
    }
    return String(line)
  }

  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    let code = scalar.value
    return switch code {
    case 0x00...0x1F, 0x7F...0x9F,  // C0 and C1 controls
      0xAD, 0x180E, 0x200B...0x200D, 0xFEFF,  // invisible or zero width
      0x061C, 0x200E...0x200F, 0x202A...0x202E,  // directions
      0x2060...0x206F,  // invisible and directions
      0xE000...0xF8FF, 0xF0000...0x10FFFF,  // private use
      0xFDD0...0xFDEF, 0xFFF9...0xFFFB,  // noncharacters, annotations
      0xE0000...0xE0FFF:  // tags
      true
    default: code & 0xFFFE == 0xFFFE
    }
  }
}
