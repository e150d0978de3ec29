import Glibc
import Settings
import System

/// The file `web` in `RuntimeDirectory=`. It exists while the web panel is on, and systemd watches it. It contains the
/// listening addresses, a line each; if empty, the socket unit's port is used.
struct WebFlag {
  /// Path of the file; nil without a runtime folder.
  private let path: String?

  init(folder: String? = WebFlag.folder) { path = folder.map { $0 + "/web" } }

  /// The first folder in the variable (systemd.exec(5)).
  static var folder: String? {
    getenv("RUNTIME_DIRECTORY").flatMap { String(cString: $0).split(separator: ":").first.map(String.init) }
  }

  /// Creates or removes the file. Returns the error as a sentence; nil on success.
  func update(_ settings: WebSettings) -> String? {
    guard let path else { return nil }
    guard settings.isEnabled else {
      return unlink(path) == 0 || errno == ENOENT ? nil : errorText(path, errno)
    }
    // The rename comes last, so that readers see a complete file.
    let fresh = path + ".new"
    let file = Descriptor(open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644))
    guard file.isOpen else { return errorText(path, errno) }
    // All users may read the file, despite the service's umask.
    fchmod(file.raw, 0o644)
    let text = Array(settings.listen.map { "\($0)\n" }.joined().utf8)
    guard text.isEmpty || write(file.raw, text, text.count) == text.count, rename(fresh, path) == 0 else {
      return errorText(path, errno)
    }
    return nil
  }

  private func errorText(_ path: String, _ code: Int32) -> String {
    "\(path): the state of the web panel cannot be written for systemd (\(errnoText(code)))."
  }
}
