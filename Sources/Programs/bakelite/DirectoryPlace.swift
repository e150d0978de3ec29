import Directory
import Framing
import Glibc
import Settings

/// Where the copy of the station directory lies: where the settings say, and in a person's own cache, if that person
/// may not write or read there.
struct DirectoryPlace {
  /// The file that the settings name.
  let configured: String
  /// The file in the person's own cache; nil without a home.
  let cached: String?

  /// The places for settings; `variable` is the value of an environment variable.
  init(
    _ settings: Configuration.Directory,
    variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
  ) {
    configured = settings.path
    cached = Self.cache(variable).map { $0 + "/directory" }
  }

  /// The folder of this program's caches (XDG Base Directory Specification).
  private static func cache(_ variable: (String) -> String?) -> String? {
    // A relative path counts as none.
    if let folder = variable("XDG_CACHE_HOME"), folder.hasPrefix("/") { return folder + "/bakelite" }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.cache/bakelite"
  }

  /// The file that notes which stations the directory was told of; its folder is made. Nil without a home.
  var clicks: String? {
    guard let cached else { return nil }
    let folder = Self.folder(of: cached)
    Self.make(folder)
    return folder + "/clicks"
  }

  /// The file that an update writes: the configured one, if its folder can be written to, else the cached one, whose
  /// folder is made.
  var written: String {
    guard let cached, !isWritable else { return configured }
    Self.make(Self.folder(of: cached))
    return cached
  }

  /// Makes the folder of a radio's state that was never started, if the copy belongs there and the folder above it is
  /// this user's. The installed box's is made by systemd.
  func makeFolder(ofState state: String) {
    guard state == Self.folder(of: configured), state != InstalledPaths.state, !isFile(state) else { return }
    var facts = stat()
    guard stat(Self.folder(of: state), &facts) == 0, facts.st_uid == geteuid() else { return }
    // Why it cannot be made is seen when the copy is written.
    try? StateFolder.make(state)
  }

  /// Whether the configured file can be written.
  var isWritable: Bool { access(Self.folder(of: configured), W_OK | X_OK) == 0 }

  /// The newest copy that can be read.
  ///
  /// - Throws: Why there is none, with the file that is at fault.
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

  /// Why a file cannot be used.
  struct Fault: Error {
    let path: String
    let error: DirectoryError

    /// One sentence for a person.
    var sentence: String {
      switch error {
      case .absent: "\(error)"
      case .unreadable(EACCES):
        "You may not read the box's copy, \(DisplayText.clean(path)): run the command with sudo, or fetch one of your "
          + "own with `bakelite find --update`."
      case .foreign:
        "\(DisplayText.clean(path)) is not a station directory: check [directory] path; `bakelite find --update` "
          + "replaces the file."
      default: "\(DisplayText.clean(path)): \(error)"
      }
    }
  }

  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Makes a folder and those above it (`mkdir(2)`), for its owner alone.
  private static func make(_ folder: String) {
    guard folder.utf8.count > 1, !isFile(folder) else { return }
    make(Self.folder(of: folder))
    mkdir(folder, 0o700)
  }
}
