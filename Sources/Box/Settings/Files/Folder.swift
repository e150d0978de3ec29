import Glibc

enum Folder {
  /// Returns at most 10,000 names in a folder, unsorted (`readdir(3)`). The result is empty if the folder is not
  /// readable.
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
