import Glibc
import Units

struct TextRule {
  /// The words after "must be".
  let allowed: String
  let accepts: (String) -> Bool
  /// Returns the specific fault of a value, such as "has a space"; nil if `allowed` is enough for an error message.
  let fault: (String) -> String?

  init(_ allowed: String, fault: @escaping (String) -> String? = { _ in nil }, _ holds: @escaping (String) -> Bool) {
    self.allowed = allowed
    self.fault = fault
    self.accepts = holds
  }

  /// Returns the error text that follows the key's name.
  func words(for value: TomlValue) -> String {
    guard case .text(let text) = value, let fault = fault(text) else { return "must be \(allowed)" }
    return fault
  }

  static var line: TextRule {
    TextRule("a line of text in quotes") { !$0.isEmpty && $0.utf8.count <= 1_000 && !$0.isUnshowable }
  }

  /// A line of up to `most` bytes, or empty.
  static func lineOrNone(most: Int) -> TextRule {
    TextRule("a line of up to \(most) bytes, or \"\"") { $0.utf8.count <= most && !$0.isUnshowable }
  }

  /// The address of a server, or empty.
  static func server(_ example: String) -> TextRule {
    TextRule("a host with or without a port, such as \(example.quoted), or \"\"") {
      $0.isEmpty || ServerAddress($0) != nil
    }
  }

  /// A line of a Raspberry Pi's config.txt. `bakelite doctor` prints it inside a shell command, so it has no special
  /// characters.
  static var overlay: TextRule {
    TextRule("a line of config.txt: letters, digits and _=,.:+-@/") { text in
      (1...1_000).contains(text.utf8.count) && text.utf8.allSatisfy { isWordByte($0) || "=,.:+-@/".utf8.contains($0) }
    }
  }

  /// An absolute path; `TableReader.path` has already replaced "~".
  static var path: TextRule { TextRule("a path that begins with / or ~/") { isPath($0) } }

  /// Replaces a leading "~" before a slash with the user's home folder. Returns nil if the home folder is unknown.
  static func inHome(_ text: String) -> String? {
    guard text.hasPrefix("~/") else { return text }
    guard let home = getenv("HOME"), home.pointee == UInt8(ascii: "/") else { return nil }
    return String(cString: home) + text.dropFirst()
  }

  /// The place of a secret: an absolute path, the name of a service credential, or empty.
  static var secretOrNone: TextRule {
    TextRule("a path that begins with / or ~/, the name of a credential, or \"\"") { text in
      text.isEmpty || isPath(text) || isCredential(text)
    }
  }

  /// Letters, digits, "_" and "-": names of buttons, pins and boards.
  static var name: TextRule { TextRule("a name of letters, digits, - and _") { isName($0) } }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "-") }
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "0"..."9", "a"..."z", "A"..."Z", "_": true
    default: false
    }
  }

  /// True if systemd accepts the name for a credential. A colon is not allowed: a text with a colon may be the secret
  /// itself.
  private static func isCredential(_ text: String) -> Bool {
    text.utf8.count <= 255 && !text.contains { "/:".contains($0) } && !text.isUnshowable && text != "." && text != ".."
  }

  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && text.utf8.count < 4_096 && !text.isUnshowable
  }
}
