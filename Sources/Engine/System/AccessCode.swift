/// A random password of 8 characters. The alphabet has 32 characters that are hard to confuse.
public enum AccessCode {
  /// The letters and digits of a code.
  public static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  /// The number of characters.
  public static let length = 8

  /// Returns a new code from the kernel's random numbers (getrandom(2)).
  public static func draw() -> String {
    var random = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in alphabet[Int(random.next() & 31)] })
  }

  /// Returns true if the text has the form of a code.
  public static func isOne(_ text: String) -> Bool {
    // Counts bytes, because a character may have other encodings, such as the kelvin sign for "K".
    text.utf8.count == length && text.allSatisfy(alphabet.contains)
  }

  /// Parses a typed code, ignoring case and white space; nil if invalid.
  public static func read(_ text: String) -> String? {
    let code = text.uppercased().filter { !$0.isWhitespace }
    return isOne(code) ? code : nil
  }
}
