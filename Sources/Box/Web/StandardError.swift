import Glibc

/// What people read who started the program.
enum StandardError {
  /// Writes text as it is; what cannot be written is lost.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
