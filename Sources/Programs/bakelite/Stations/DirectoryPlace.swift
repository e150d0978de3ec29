import Directory
import Framing
import Glibc
import Settings
import System

/// The files of the directory's copy: the configured one, and one in the user's cache for users without access to it.
struct DirectoryPlace {
  let configured: String
  /// The file in the user's cache; nil without a home.
  let cached: String?

  /// `variable`: returns an environment variable.
  init(
    _ settings: Configuration.Directory,
    variable: (String) -> String? = UserFolder.value
  ) {
    configured = settings.path
    cached = UserFolder.path("XDG_CACHE_HOME", orInHome: ".cache", variable).map { $0 + "/directory" }
  }

  /// The file that records reported stations; nil without a home. Creates its folder.
  var clicks: String? {
    guard let cached else { return nil }
    let folder = UserFolder.parent(of: cached)
    makePrivateFolder(folder)
    return folder + "/clicks"
  }

  /// The file for updates: the configured one if its folder is writable, otherwise the cached one. Creates its folder.
  var written: String {
    guard let cached, !isWritable else { return configured }
    makePrivateFolder(UserFolder.parent(of: cached))
    return cached
  }

  /// Creates the state folder of a radio that never ran, if the copy belongs there and this user owns the parent
  /// folder. For an installed box, systemd creates it.
  func makeFolder(ofState state: String) {
    guard state == UserFolder.parent(of: configured), state != InstalledPaths.state, !isFile(state) else { return }
    var facts = stat()
    guard stat(UserFolder.parent(of: state), &facts) == 0, facts.st_uid == geteuid() else { return }
    // A failure appears when the copy is written.
    try? StateFolder.make(state)
  }

  var isWritable: Bool { access(UserFolder.parent(of: configured), W_OK | X_OK) == 0 }

  /// Opens the newest readable copy.
  ///
  /// - Throws: The fault of an unusable copy if no copy opens; without such a fault, `.unreadable` or `.absent`.
  func open() throws(Fault) -> StationDirectory {
    var (found, fault, hidden): (StationDirectory?, Fault?, Fault?) = (nil, nil, nil)
    for path in [configured] + (cached.map { [$0] } ?? []) {
      do throws(DirectoryError) {
        let directory = try StationDirectory(path: path)
        if found.map({ $0.date < directory.date }) ?? true { found = directory }
      } catch .absent, .unreadable(ENOTDIR) {
        continue
      } catch .unreadable(EACCES) {
        if path == configured { hidden = Fault(path: path, error: .unreadable(EACCES)) }
      } catch {
        fault = fault ?? Fault(path: path, error: error)
      }
    }
    if let found { return found }
    throw fault ?? hidden ?? Fault(path: written, error: .absent)
  }

  struct Fault: Error {
    let path: String
    let error: DirectoryError

    var sentence: String {
      switch error {
      case .absent: "\(error)"
      case .unreadable(EACCES):
        "This user may not read the box's copy, \(DisplayText.clean(path)): run the command with sudo, or download "
          + "your own copy with `bakelite find --update`."
      case .foreign:
        "\(DisplayText.clean(path)) is not a station directory: check [directory] path; `bakelite find --update` "
          + "replaces the file."
      default: "\(DisplayText.clean(path)): \(error)"
      }
    }
  }
}
