import Glibc
import Settings

/// Where `bakelited` finds its files, and what it uses instead of what the settings say.
struct LaunchOptions: Equatable {
  /// `bakelite.toml`; nil: the usual place, where the defaults do when it is not there.
  var configPath: String?
  /// `stations.toml`; nil: beside `bakelite.toml`.
  var stations: String?
  /// Another board than the configuration names.
  var board: String?
  /// The folder of board files; nil: the usual ones.
  var boards: String?
  /// Another sink than the configuration's device, such as `null`.
  var output: String?

  /// What the settings say.
  func configuration() throws(SettingsErrors) -> Configuration {
    if configPath == nil, access(InstalledPaths.settings, F_OK) != 0 { return Configuration() }
    return try Configuration(path: configPath ?? InstalledPaths.settings)
  }

  /// The settings as the file says them now; nil and the first problem where it cannot be read, which is logged.
  func readAgain() -> (settings: Configuration?, problem: String?) {
    do throws(SettingsErrors) { return (try configuration(), nil) } catch {
      log(.error, "\(error.description)\nThe settings stay as they were.")
      return (nil, error.all.first?.description)
    }
  }

  /// The stations' file.
  var stationsPath: String {
    stations ?? (configPath ?? InstalledPaths.settings).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast()
      .map { $0 + "/" }.joined() + "stations.toml"
  }

  /// Where board files are looked for.
  var boardFolders: [String] { boards.map { [$0] } ?? InstalledPaths.boards }
}
