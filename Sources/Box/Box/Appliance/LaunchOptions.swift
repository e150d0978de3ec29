import Glibc
import Settings

/// The options of `bakelited`: paths of its files, and values that replace settings.
struct LaunchOptions: Equatable {
  /// Path of `bakelite.toml`; nil for the installed path. If the installed file is missing, the settings are the
  /// defaults.
  var configPath: String?
  /// Path of `stations.toml`; nil for the folder of `bakelite.toml`.
  var stations: String?
  var board: String?
  /// The folder of board files; nil for the installed folders.
  var boards: String?
  var output: String?

  func configuration() throws(SettingsErrors) -> Configuration {
    if configPath == nil, access(InstalledPaths.settings, F_OK) != 0 { return Configuration() }
    return try Configuration(path: configPath ?? InstalledPaths.settings, replacesValues: true)
  }

  /// Rereads the settings. If that fails, logs the errors and returns the first.
  func readAgain() -> (settings: Configuration?, problem: String?) {
    do throws(SettingsErrors) { return (try configuration(), nil) } catch {
      log(.error, "\(error.description)\nThe settings stay as they were.")
      return (nil, error.all.first?.description)
    }
  }

  var stationsPath: String {
    stations ?? (configPath ?? InstalledPaths.settings).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast()
      .map { $0 + "/" }.joined() + "stations.toml"
  }

  var boardFolders: [String] { boards.map { [$0] } ?? InstalledPaths.boards }
}
