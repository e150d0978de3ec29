import Glibc

/// Bakelite's folders below a user's home (XDG Base Directory Specification).
enum UserFolder {
  /// Returns this program's folder in the folder of `variable`, otherwise in `home` below the user's home. Nil without
  /// a home. `environment`: returns an environment variable.
  static func path(_ variable: String, orInHome home: String, _ environment: (String) -> String? = value) -> String? {
    // The specification ignores relative paths.
    if let folder = environment(variable), folder.hasPrefix("/") { return folder + "/bakelite" }
    guard let root = environment("HOME"), root.hasPrefix("/") else { return nil }
    return "\(root)/\(home)/bakelite"
  }

  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Returns an environment variable (`getenv(3)`).
  static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
