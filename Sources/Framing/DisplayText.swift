/// Text that a display or a terminal may show, whoever wrote it.
public enum DisplayText {
  /// `text` without control, direction, zero-width, private-use, tag and noncharacters, every run of white space one
  /// space, none at the ends; cut after so many characters (Unicode scalars) or bytes of UTF-8, whichever is first.
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
      guard !isUnfit(scalar) else { continue }
      characterCount += needsSpace ? 2 : 1
      byteCount += UTF8.width(scalar) + (needsSpace ? 1 : 0)
      guard characterCount <= characterLimit, byteCount <= byteLimit else { break }
      if needsSpace { cleaned.append(" ") }
      cleaned.append(scalar)
      needsSpace = false
    }
    return String(cleaned)
  }

  /// A line as a terminal may show it: without what `clean` leaves out, each white space a blank, nothing cut.
  public static func line(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        shown.append(" ")
      } else if !isUnfit(scalar) {
        shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// Whether a scalar is a control or direction character, or one that is never seen.
  public static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    let code = scalar.value
    return switch code {
    case 0x00...0x1F, 0x7F...0x9F,  // C0 and C1 controls
      0xAD, 0x180E, 0x200B...0x200D, 0xFEFF,  // unseen or of no width
      0x061C, 0x200E...0x200F, 0x202A...0x202E,  // directions
      0x2060...0x206F,  // more of both
      0xE000...0xF8FF, 0xF0000...0x10FFFF,  // private use
      0xFDD0...0xFDEF, 0xFFF9...0xFFFB,  // noncharacters, annotations
      0xE0000...0xE0FFF:  // tags
      true
    default: code & 0xFFFE == 0xFFFE
    }
  }
}
