/// A password that is drawn: 8 characters of 32, which nobody takes for each other.
public enum AccessCode {
  /// What it is made of: letters and digits.
  public static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  /// How many characters it has.
  public static let length = 8

  /// A new one, by chance from the kernel (getrandom(2)).
  public static func draw() -> String {
    var random = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in alphabet[Int(random.next() & 31)] })
  }

  /// Whether a text is one.
  public static func isOne(_ text: String) -> Bool {
    // A character may be written in more ways than one, such as the sign of the unit kelvin.
    text.utf8.count == length && text.allSatisfy(alphabet.contains)
  }

  /// What somebody typed as one: case and blanks do not count. Nil where it cannot be one.
  public static func read(_ text: String) -> String? {
    let code = text.uppercased().filter { !$0.isWhitespace }
    return isOne(code) ? code : nil
  }
}
