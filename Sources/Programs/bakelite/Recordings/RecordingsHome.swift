import Glibc
import Settings
import System

/// A folder of recordings, and the radio that uses the folder.
struct RecordingsHome: Equatable {
  let folder: String
  /// The control socket of the radio; nil for a folder of the user.
  var socket: String?
  /// The radio's recording settings; nil for a folder of the user.
  var radio: Configuration.Recording?
  /// True if a box has other recordings, which this user may not change.
  var hidesBox = false

  /// The user's own folder; nil without a home. `environment`: returns an environment variable.
  static func own(_ environment: (String) -> String? = UserFolder.value) -> String? {
    UserFolder.path("XDG_DATA_HOME", orInHome: ".local/share", environment).map { $0 + "/recordings" }
  }

  /// Returns the folder of a settings file, with the socket of its radio.
  init(settings path: String) throws(SettingsErrors) {
    let configuration = try Configuration(path: path, replacesValues: true)
    (folder, radio) = (configuration.recording.path, configuration.recording)
    socket = configuration.control.socket.isEmpty ? nil : configuration.control.socket
  }

  init(folder: String, socket: String? = nil, hidesBox: Bool = false) {
    (self.folder, self.socket, self.hidesBox) = (folder, socket, hidesBox)
  }

  /// Returns a folder, with its radio if the folder is that of the installed box.
  static func named(_ folder: String, installed: String = InstalledPaths.settings) -> RecordingsHome {
    guard isFile(installed), let box = try? RecordingsHome(settings: installed),
      absolutePath(box.folder) == absolutePath(folder)
    else { return RecordingsHome(folder: folder) }
    return box
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
