import Units

extension StringProtocol {
  /// Returns the text without control and direction characters. A text with more than `most` characters is cut and ends
  /// with "…".
  func showable(most: Int) -> String {
    var text = String.UnicodeScalarView()
    for (count, scalar) in unicodeScalars.lazy.filter({ !$0.isUnshowable }).enumerated() {
      guard count < most else { return String(text) + "…" }
      text.append(scalar)
    }
    return String(text)
  }

  /// At most 60 showable characters, in quotes.
  var quoted: String { "\"\(showable(most: 60))\"" }

  var isUnshowable: Bool { unicodeScalars.contains(where: \.isUnshowable) }
}

extension Collection<String> {
  func joined(last word: String) -> String {
    guard count > 1, let last = reversed().first else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension Double {
  /// A decimal number without trailing zeros: 3, not 3.0.
  var plain: String { self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self) }
}
