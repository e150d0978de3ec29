import Glibc
import System

/// The files that the reader of the advice may change without sudo. A file or folder that root creates in a home folder
/// is useless for its owner.
struct OwnFiles {
  /// Absolute paths, without "/" at the end.
  let homes: [String]
  /// The reader's user id; nil for root.
  let user: uid_t?

  /// The files of this user, or of the user who called sudo(8).
  static let reader: OwnFiles = {
    let user = text("SUDO_UID").flatMap { uid_t($0) } ?? getuid()
    let entry = getpwuid(user).map { String(cString: $0.pointee.pw_dir) }
    let homes = [text("HOME"), entry].compactMap(\.self).map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    let absolute = homes.filter { $0.hasPrefix("/") }
    return OwnFiles(homes: absolute + absolute.map(absolutePath), user: user == 0 ? nil : user)
  }()

  private static func text(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }

  /// Returns the start of a command that changes a file or folder, with sudo if needed: "sudo nano".
  static func command(_ words: String, changing path: String) -> String { reader.sudo(path) + words }

  /// Returns "sudo " if a command that changes a file or folder needs it, otherwise "".
  func sudo(_ path: String) -> String {
    contains(path) || contains(absolutePath(path)) ? "" : "sudo "
  }

  private func contains(_ path: String) -> Bool {
    if homes.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) { return true }
    guard let user else { return false }
    // A missing file would belong to the owner of its folder.
    var (place, facts) = (path[...], stat())
    while stat(String(place), &facts) != 0 {
      guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return false }
      place = place[..<slash]
    }
    return facts.st_uid == user
  }
}
