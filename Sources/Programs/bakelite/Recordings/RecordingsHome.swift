import Glibc
import Settings

/// A folder of recordings, and the radio that uses the folder.
struct RecordingsHome: Equatable {
  let folder: String
  /// The control socket of the radio; nil for a folder of the user.
  var socket: String?
  /// True if a box has other recordings, which this user may not change.
  var hidesBox = false

  /// The user's own folder; nil without a home. `environment`: returns an environment variable.
  static func own(_ environment: (String) -> String? = UserFolder.value) -> String? {
    UserFolder.path("XDG_DATA_HOME", orInHome: ".local/share", environment).map { $0 + "/recordings" }
  }

  /// Returns the folder of a settings file, with the socket of its radio.
  init(settings path: String) throws(SettingsErrors) {
    let configuration = try Configuration(path: path, replacesValues: true)
    folder = configuration.recording.path
    socket = configuration.control.socket.isEmpty ? nil : configuration.control.socket
  }

  init(folder: String, socket: String? = nil, hidesBox: Bool = false) {
    (self.folder, self.socket, self.hidesBox) = (folder, socket, hidesBox)
  }

  /// Returns the folder of the installed box if this user may change the folder, otherwise the user's own folder.
  ///
  /// - Throws: The fault of the installed settings, if this user may correct the fault or has no own folder.
  static func find(
    installed: String = InstalledPaths.settings, own: String? = own()
  ) throws(SettingsErrors) -> RecordingsHome {
    guard isFile(installed) else { return own.map { RecordingsHome(folder: $0) } ?? unset }
    do throws(SettingsErrors) {
      let box = try RecordingsHome(settings: installed)
      guard let own, !isWritable(box.folder) else { return box }
      return RecordingsHome(folder: own, hidesBox: true)
    } catch {
      guard let own, access(installed, W_OK) != 0 else { throw error }
      return RecordingsHome(folder: own, hidesBox: true)
    }
  }

  private static let unset = RecordingsHome(folder: InstalledPaths.recordings, socket: InstalledPaths.socket)

  /// Returns false for a missing folder, because only the radio may create it as its own.
  private static func isWritable(_ folder: String) -> Bool { access(folder, R_OK | W_OK | X_OK) == 0 }
}
