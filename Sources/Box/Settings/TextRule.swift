import Glibc

/// What a text may be.
struct TextRule {
  /// "must be" this.
  let allowed: String
  let holds: (String) -> Bool
  /// What is wrong with a text that does not hold, such as "has a space"; nil where `allowed` says enough.
  let fault: (String) -> String?

  init(_ allowed: String, fault: @escaping (String) -> String? = { _ in nil }, _ holds: @escaping (String) -> Bool) {
    self.allowed = allowed
    self.fault = fault
    self.holds = holds
  }

  /// What an error says of a value after the name of its key.
  func words(for value: TomlValue) -> String {
    guard case .text(let text) = value, let fault = fault(text) else { return "must be \(allowed)" }
    return fault
  }

  /// Any line of text.
  static var line: TextRule {
    TextRule("a line of text in quotes") { !$0.isEmpty && $0.utf8.count <= 1_000 && !$0.isUnshowable }
  }

  /// A line of a Raspberry Pi's config.txt, which stands in a shell command that doctor shows.
  static var overlay: TextRule {
    TextRule("a line of config.txt: letters, digits and _=,.:+-@/") { text in
      (1...1_000).contains(text.utf8.count) && text.utf8.allSatisfy { isWordByte($0) || "=,.:+-@/".utf8.contains($0) }
    }
  }

  /// A path from the root on; `TableReader.path` has put the home folder in the place of "~".
  static var path: TextRule { TextRule("a path that begins with / or ~/") { isPath($0) } }

  /// The text with the user's home folder in the place of "~" before a slash; nil where there is no such folder.
  static func inHome(_ text: String) -> String? {
    guard text.hasPrefix("~/") else { return text }
    guard let home = getenv("HOME"), home.pointee == UInt8(ascii: "/") else { return nil }
    return String(cString: home) + text.dropFirst()
  }

  /// Where a secret lies, or nothing: a path from the root on, or a credential of the service.
  static var secretOrNone: TextRule {
    TextRule("a path that begins with / or ~/, the name of a credential, or \"\"") { text in
      text.isEmpty || isPath(text) || isCredential(text)
    }
  }

  /// Letters, digits, "_" and "-", as buttons, pins and boards are called.
  static var name: TextRule { TextRule("a name of letters, digits, - and _") { isName($0) } }

  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "-") }
  }

  /// An ASCII letter, a digit or "_".
  static func isWordByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "0"..."9", "a"..."z", "A"..."Z", "_": true
    default: false
    }
  }

  /// A name that systemd takes for a credential: one of a file, without a colon, which a secret itself may have.
  private static func isCredential(_ text: String) -> Bool {
    text.utf8.count <= 255 && !text.contains { "/:".contains($0) } && !text.isUnshowable && text != "." && text != ".."
  }

  private static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && text.utf8.count < 4_096 && !text.isUnshowable
  }
}
