import Glibc

/// A folder's contents.
enum Folder {
  /// The names in a folder, in no order, 10,000 at most; none where it cannot be read (`readdir(3)`).
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < 10_000, let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      names.append(name)
    }
    return names
  }
}
