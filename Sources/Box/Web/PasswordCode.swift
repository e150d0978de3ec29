/// The password of a box whose owner has set none: 8 characters, which are easily told from each other.
enum PasswordCode {
  /// What it is made of.
  static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".unicodeScalars)
  private static let length = 8

  /// A new one, by chance from the kernel (getrandom(2)).
  static func draw() -> String {
    var random = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<length { text.unicodeScalars.append(alphabet[Int(random.next() & 31)]) }
    return text
  }

  /// What somebody typed as a code: case and blanks do not count. Nil where it cannot be one.
  static func read(_ text: String) -> String? {
    let letters = text.uppercased().unicodeScalars.filter { !$0.properties.isWhitespace }
    guard letters.count == length, letters.allSatisfy({ alphabet.contains($0) }) else { return nil }
    return String(String.UnicodeScalarView(letters))
  }
}
