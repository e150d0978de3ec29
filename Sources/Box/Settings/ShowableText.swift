// Text from files, as a sentence may quote it.

extension StringProtocol {
  /// Without control and direction characters, and cut with "…" after so many.
  func showable(most: Int) -> String {
    var text = String.UnicodeScalarView()
    for (count, scalar) in unicodeScalars.lazy.filter({ !$0.isUnshowable }).enumerated() {
      guard count < most else { return String(text) + "…" }
      text.append(scalar)
    }
    return String(text)
  }

  /// The same, 60 at most, in quotes.
  var quoted: String { "\"\(showable(most: 60))\"" }

  /// Whether it holds a control or direction character.
  var isUnshowable: Bool { unicodeScalars.contains(where: \.isUnshowable) }
}

extension Unicode.Scalar {
  /// A control character, a break of lines, or one that turns the direction of text (Unicode, UAX #9).
  fileprivate var isUnshowable: Bool {
    switch value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}

extension Collection<String> {
  /// "a", "a or b", "a, b or c".
  func joined(last word: String) -> String {
    guard count > 1, let last = reversed().first else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension Double {
  /// As a person writes it: 3 and not 3.0.
  var plain: String { self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self) }
}
