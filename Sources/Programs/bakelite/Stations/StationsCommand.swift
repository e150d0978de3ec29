import ArgumentParser
import Framing
import RadioEngine
import Settings
import System

struct StationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stations",
    abstract: "Show and change the list of stations.",
    discussion: """
      The list is the first of these files: --stations; for changes, the file of the radio at --socket; \
      \(InstalledPaths.stations), if you may write there; \(StationFiles.own); \(InstalledPaths.stations); \
      \(StationFiles.ofSources) in the current folder. Changes made on the box apply too; \
      they are in owner.toml in the folder of the radio's state. Each command edits the file that contains the \
      station, keeps its comments and order, and makes a running radio reload it.
      """,
    subcommands: [
      StationsListCommand.self, StationsAddCommand.self, StationsRemoveCommand.self, StationsMoveCommand.self,
      StationsImportCommand.self, StationsExportCommand.self,
    ])
}

struct StationsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the stations, and the errors of unusable entries.")

  @OptionGroup var file: StationFileOption

  @Flag(help: "Print each station as a line of JSON.")
  var json = false

  func run() throws {
    let files = try StationFiles(file)
    let (list, owner, presets) = try files.presets()
    for problem in list.problems { printError(StationFiles.sentence(problem)) }
    let health = files.health
    let width = presets.map { $0.station.name.count }.max() ?? 0
    for (place, preset) in presets.enumerated() {
      let entry = preset.isOwn ? nil : list.entries.first { $0.station.name == preset.station.name }
      // The file's own numbers include unusable entries.
      let number = owner.changesPresets ? place + 1 : entry?.number ?? place + 1
      if json {
        let path = preset.isOwn ? files.owner?.path ?? "" : files.path
        putLine(Self.json(number, preset.station, path, entry?.line, health))
      } else {
        putLine(Self.row(number, preset, health, width: width))
      }
    }
    if presets.isEmpty, list.problems.isEmpty {
      printNote("There are no stations; add one: bakelite stations add NAME URL")
    }
    if !list.problems.isEmpty { throw Outcome(list.problems).exitCode }
  }

  /// Formats a station, with the address it may have moved to and its other addresses.
  private static func row(
    _ place: Int, _ preset: OwnerSettings.Preset, _ health: PresetHealth, width: Int
  ) -> String {
    let (number, name) = (String(place), preset.station.name)
    let before = String(repeating: " ", count: max(0, 3 - number.count))
    let behind = String(repeating: " ", count: width - name.count)
    var row = "\(before)\(number)  \(name)\(behind)  \(preset.station.url)"
    if preset.isOwn { row += "  (owner.toml)" }
    if let question = health[preset.station.url]?.question { row += "  moved? \(question.url)" }
    for other in preset.station.alternatives { row += "  also \(other.url)" }
    return row
  }

  private static func json(
    _ number: Int, _ station: StationSettings, _ file: String, _ place: Int?, _ health: PresetHealth
  ) -> String {
    var line = JsonLine()
    line.add("number", number)
    line.add("name", station.name)
    line.add("url", station.url.description)
    line.add("gain", station.gain)
    line.add("file", file)
    line.add("line", place)
    if !station.alternatives.isEmpty { line.add("alternatives", station.alternatives.map(\.url.description)) }
    if let question = health[station.url]?.question { line.add("moved", question.url.description) }
    return line.line
  }
}

struct StationsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a station from the list.")

  @Argument(
    help: ArgumentHelp("The station's number or name.", valueName: "name-or-number"), completion: ShellWords.stations)
  var station: String

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  func run() throws {
    let files = try StationFiles(file, of: radio)
    let (number, name) = try files.change(station) { preset, list in
      guard !preset.isOwn else { return try files.edit(.remove(preset.station.name), over: list) }
      try files.edit { file throws(SettingsError) in try file.remove(try file.number(named: preset.station.name)) }
    } inFile: { file, number throws(SettingsError) in
      try file.remove(number)
    }
    printNote(name.map { "Removed station \(number), \"\($0)\"." } ?? "Removed station \(number).")
    radio.reload(of: files)
  }
}

struct StationsMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a station to another number; the stations between move by one.")

  @Argument(
    help: ArgumentHelp("The station's number or name.", valueName: "name-or-number"), completion: ShellWords.stations)
  var station: String

  @Argument(help: ArgumentHelp("The station's new number, from 1.", valueName: "number"))
  var place: Int

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  func run() throws {
    let files = try StationFiles(file, of: radio)
    let (_, name) = try files.change(station) { preset, list in
      try files.edit(.move(preset.station.name, to: place), over: list)
    } inFile: { file, number throws(SettingsError) in
      try file.move(number, to: place)
    }
    printNote(name.map { "\"\($0)\" is now station \(place)." } ?? "The station is now station \(place).")
    radio.reload(of: files)
  }
}
