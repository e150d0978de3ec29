import Glibc
import System

/// Resolves a path whose last part may be a symbolic link.
enum LinkedPath {
  private static let maxLinks = 8
  /// `O_PATH`, which Glibc's module lacks (Linux, asm-generic/fcntl.h). Opens the link itself.
  private static let linkItself: Int32 = 0o10_000_000

  /// Resolves symbolic links in the last part of a path, and returns the resulting path. Links in folder names are
  /// followed as usual.
  ///
  /// Root follows only links that root owns. A user with write access to the folder could otherwise redirect root to
  /// any file. Each link is opened once; owner and target come from that descriptor.
  ///
  /// - Throws: `.unwritable(ELOOP)` for another user's link and for endless links.
  static func end(of path: String) throws(DirectoryError) -> String {
    var place = path
    for _ in 0..<maxLinks {
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

  static func parts(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
  }
}
