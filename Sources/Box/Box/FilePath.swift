import Glibc

/// Paths as people look for them.
enum FilePath {
  /// A path from the root on, without symbolic links (`realpath(3)`); as it is where it leads nowhere.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
