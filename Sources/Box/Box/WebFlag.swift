import Glibc
import Settings
import System

/// The file by which systemd knows whether the web panel is on: `web` in the folder that it made for the radio
/// (`RuntimeDirectory=`). Without such a folder there is none.
///
/// It is empty where the panel is served at the socket unit's port, and else says where it is served.
struct WebFlag {
  /// Nil: there is no such folder.
  private let path: String?

  /// The file in a folder; nil: in the one that systemd made for this process, if it made one.
  init(folder: String? = WebFlag.folder) { path = folder.map { $0 + "/web" } }

  /// The first of them (systemd.exec(5)).
  private static var folder: String? {
    getenv("RUNTIME_DIRECTORY").flatMap { String(cString: $0).split(separator: ":").first.map(String.init) }
  }

  /// Makes the file where the panel is on, or takes it away; the sentence of what failed.
  func show(_ settings: WebSettings) -> String? {
    guard let path else { return nil }
    guard settings.isEnabled else {
      return unlink(path) == 0 || errno == ENOENT ? nil : complaint(path, errno)
    }
    // Who waits for it sees it whole.
    let fresh = path + ".new"
    let file = Descriptor(open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644))
    guard file.isOpen else { return complaint(path, errno) }
    // It is for all to see, whatever the service's umask says.
    fchmod(file.raw, 0o644)
    let text = Array((settings.listen.map { "\($0)\n" } ?? "").utf8)
    guard text.isEmpty || write(file.raw, text, text.count) == text.count, rename(fresh, path) == 0 else {
      return complaint(path, errno)
    }
    return nil
  }

  private func complaint(_ path: String, _ code: Int32) -> String {
    "\(path): systemd is not told whether the web panel is on (\(errnoText(code)))."
  }
}
