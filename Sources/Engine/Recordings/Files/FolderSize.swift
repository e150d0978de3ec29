import Glibc
import System

/// The size of the files in a folder and its subfolders.
enum FolderSize {
  private static let maxDepth = 4
  private static let maxFileCount = 100_000

  /// Returns the bytes of the regular files, up to 100,000 files and four levels (`fstatat(2)`). Follows no links.
  static func byteCount(of path: String) -> Int {
    var count = 0
    return byteCount(path, depth: 0, &count)
  }

  private static func byteCount(_ path: String, depth: Int, _ count: inout Int) -> Int {
    guard depth < maxDepth, let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var total = 0
    while count < maxFileCount, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      count += 1
      var facts = stat()
      guard fstatat(dirfd(folder), name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      switch facts.st_mode & S_IFMT {
      case S_IFREG: total += Int(facts.st_size)
      case S_IFDIR: total += byteCount("\(path)/\(name)", depth: depth + 1, &count)
      default: break
      }
    }
    return total
  }
}
