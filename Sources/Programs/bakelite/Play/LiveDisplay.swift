import Glibc

/// The place where `play` shows its live line and its messages.
protocol LiveDisplay: AnyObject {
  /// True if the line can be replaced.
  var isLive: Bool { get }

  /// Shows the live line in place of the previous one.
  func show(_ text: LiveText)
  /// Marks a station of a list as playing.
  func mark(_ station: String)
  /// Removes the live line.
  func clear()
  /// Shows a message of one or more lines.
  func note(_ message: String)
  /// Shows an error of one or more lines.
  func complain(_ message: String)
}

/// The live line and the messages on standard error.
final class ErrorOutput: LiveDisplay {
  let isLive = isatty(STDERR_FILENO) == 1
  private var shown = ""

  func show(_ text: LiveText) {
    let line = text.line(width: TextColumns.ofTerminal(STDERR_FILENO))
    guard line != shown else { return }
    shown = line
    write("\r\u{1B}[K\(line)", to: STDERR_FILENO)
  }

  func mark(_ station: String) {}

  func clear() {
    if isLive, !shown.isEmpty { write("\r\u{1B}[K", to: STDERR_FILENO) }
    shown = ""
  }

  func note(_ message: String) {
    clear()
    printNote(message)
  }

  func complain(_ message: String) {
    clear()
    printError(message)
  }
}
