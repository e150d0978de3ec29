import Glibc
import System

/// Where a path leads whose last part may be a symbolic link.
enum LinkedPath {
  /// As many links as follow each other.
  private static let mostLinks = 8
  /// `O_PATH`, which Glibc's module leaves out (Linux, asm-generic/fcntl.h): a link itself is opened, and not read.
  private static let linkItself: Int32 = 0o10_000_000

  /// The path behind the links in the place of its last part. Links in the folders' places are followed as ever.
  ///
  /// Root follows only links that root owns: another user, who may write in the folder, could else lead it to any file.
  /// Each link is opened once, and both its owner and where it leads are asked of that.
  ///
  /// - Throws: `.unwritable(ELOOP)` for another user's link, and for links that have no end.
  static func end(of path: String) throws(DirectoryError) -> String {
    var place = path
    for _ in 0..<mostLinks {
      let link = Descriptor(open(place, linkItself | O_NOFOLLOW | O_CLOEXEC))
      var status = stat()
      guard link.isOpen, fstat(link.raw, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return place }
      guard geteuid() != 0 || status.st_uid == 0 else { throw .unwritable(ELOOP, at: place) }
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlinkat(link.raw, "", &target, target.count)
      guard count > 0, count < target.count else { throw .unwritable(count < 0 ? errno : ENAMETOOLONG, at: place) }
      let text = String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      place = text.hasPrefix("/") ? text : "\(parts(place).folder)/\(text)"
    }
    throw .unwritable(ELOOP, at: path)
  }

  /// The folder and the name of a path.
  static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
