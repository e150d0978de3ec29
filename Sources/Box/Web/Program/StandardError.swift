import Glibc

enum StandardError {
  /// Writes text unchanged; errors are ignored.
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
