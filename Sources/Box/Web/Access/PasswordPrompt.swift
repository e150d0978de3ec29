import Glibc

/// Reads a new password from the terminal, or from standard input if that is not a terminal.
enum PasswordPrompt {
  private static let minLength = 8
  private static let maxLength = 256

  struct Refusal: Error, Equatable {
    let sentence: String
  }

  static func ask() throws(Refusal) -> String {
    guard isatty(STDIN_FILENO) == 1 else { return try check(readLine(strippingNewline: true) ?? "") }
    let first = try check(hidden("New password: "))
    guard hidden("Again: ") == first else { throw Refusal(sentence: "The two passwords differ; nothing was changed.") }
    return first
  }

  private static func check(_ password: String) throws(Refusal) -> String {
    let isShown = password.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard (minLength...maxLength).contains(password.utf8.count), isShown else {
      throw Refusal(sentence: "A password has \(minLength) to \(maxLength) bytes, and no control characters.")
    }
    return password
  }

  /// Reads a line without echo.
  private static func hidden(_ question: String) -> String {
    var before = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &before) == 0
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO)
    if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) }
    StandardError.write(question)
    let line = readLine(strippingNewline: true) ?? ""
    if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    StandardError.write("\n")
    return line
  }
}
