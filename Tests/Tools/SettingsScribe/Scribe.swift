import Glibc
import Settings

/// Changes stations and state in an endless loop, for a test that kills the process: `SettingsScribe FOLDER`. Writes a
/// byte to standard output at the start of each iteration.
@main
enum Scribe {
  static func main() throws {
    let folder = CommandLine.arguments[1]
    let file = StateFile(folder: folder)
    var state = file.load().content ?? SavedState()
    while write(STDOUT_FILENO, ".", 1) == 1 {
      let number = (state.volume + 1) % 100
      try StationFile.edit(folder + "/stations.toml", isCreating: false) { file throws(SettingsError) in
        let new = file.list.entry("New")
        if let new, !number.isMultiple(of: 2) { try file.remove(new.number) }
        if new == nil, number.isMultiple(of: 2) {
          try file.insert([StationSettings(name: "New", url: "http://new.example/")], at: number % 3 + 1)
        }
      }
      state.volume = number
      state.stationName = String(repeating: "x", count: number * 40)
      try file.save(state)
    }
  }
}
