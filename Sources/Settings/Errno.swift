import Glibc

/// What the C library says of its errors.
enum Errno {
  /// An error in words (`strerror(3)`).
  static func words(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
