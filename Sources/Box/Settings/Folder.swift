import Glibc

enum Folder {
  /// Returns at most 10,000 names of a folder, unsorted; empty if the folder is not readable (`readdir(3)`).
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
