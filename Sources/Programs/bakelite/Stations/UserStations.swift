import Framing
import Glibc
import Settings
import System

/// The user's own station file, in the folder of the user's configuration.
enum UserStations {
  /// The path; nil without a home.
  static var path: String? {
    UserFolder.path("XDG_CONFIG_HOME", orInHome: ".config").map { $0 + "/stations.toml" }
  }

  /// The stations and the faults of the file; empty without a file.
  static var list: StationList? {
    guard let path, isFile(path) else { return nil }
    return StationList.load(path)
  }

  /// The next steps of a user without stations.
  static let firstSteps = """
    You have no stations yet. These commands add a station, or play an address:

      bakelite find WORDS --add 1
      bakelite play URL
    """

  /// Adds a station with an unused name, and returns its number. Creates the file and its folder.
  static func add(_ station: StationSettings, to path: String) throws(SettingsError) -> Int {
    makePrivateFolder(UserFolder.parent(of: path))
    return try StationFile.edit(path, isCreating: true) { file throws(SettingsError) in
      try file.insert([station])
      return file.list.entries.first { $0.station.name == station.name }?.number ?? file.list.entries.count
    }
  }

  /// Returns a valid name that is not in `names`, perhaps with a number.
  static func freeName(_ name: String, besides names: Set<String>) -> String {
    let plain = DisplayText.clean(name, characterLimit: 90)
    guard names.contains(plain) else { return plain }
    return (2...).lazy.map { "\(plain) (\($0))" }.first { !names.contains($0) } ?? plain
  }
}
