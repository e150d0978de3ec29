import ArgumentParser
import Control
import Framing
import Glibc
import Network
import RadioEngine
import Settings
import System

/// `bakelite stations`: the list of stations of the box.
struct StationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stations",
    abstract: "Show and change the list of stations.",
    discussion: """
      The list is the file of --file, else \(InstalledPaths.stations), else \(StationFileOption.ofSources) in this \
      folder. Comments and order are kept, and the file is replaced as a whole. What the box was told at run time \
      counts too: it lies in owner.toml, in the folder of the radio's state. Each command edits the file that a \
      station comes from, and has a running radio read it.
      """,
    subcommands: [
      StationsListCommand.self, StationsAddCommand.self, StationsRemoveCommand.self, StationsMoveCommand.self,
      StationsImportCommand.self, StationsExportCommand.self,
    ])
}

/// Which file of stations is meant, and how its errors end the program.
struct StationFileOption: ParsableArguments {
  @Option(
    name: .customLong("file"),
    help: ArgumentHelp("The file of stations to use.", valueName: "path"), completion: .file(extensions: ["toml"]))
  var path: String?

  @Option(
    name: .customLong("owner"),
    help: ArgumentHelp(
      "The file of what the box was told at run time. The default, without --file, is the box's.", valueName: "path"),
    completion: .file(extensions: ["toml"]))
  var ownerPath: String?

  /// The file of stations in the folder of the sources.
  static let ofSources = "config/stations.toml"
  private static let places = [InstalledPaths.stations, ofSources]

  /// What the box was told at run time; nil where a file by itself is meant.
  func owner() throws -> OwnerFile? {
    if let ownerPath { return OwnerFile(path: ownerPath) }
    guard path == nil, try place() == Self.places[0] else { return nil }
    let configuration = try? Configuration(path: InstalledPaths.settings)
    return OwnerFile(folder: (configuration ?? Configuration()).statePath)
  }

  /// The presets in order, and which file each comes from; what is wrong is said.
  func presets() throws -> (list: StationList, owner: OwnerSettings, presets: [OwnerSettings.Preset]) {
    let list = try list()
    let owner = try ownerSettings()
    return (list, owner, owner.presets(over: list.entries.map(\.station)))
  }

  private func ownerSettings() throws -> OwnerSettings {
    guard let file = try owner() else { return OwnerSettings() }
    do throws(SettingsErrors) { return try file.load() } catch {
      say("bakelite: \(error)")
      throw Outcome.wrongUse.exitCode
    }
  }

  /// The number of the station of a name, as `stations list` has it.
  func number(of name: String) throws -> Int {
    let (list, owner) = (StationList.load(try place()), try ownerSettings())
    let index = owner.presets(over: list.entries.map(\.station)).firstIndex { $0.station.name == name } ?? 0
    let entry = list.entries.first { $0.station.name == name }
    return owner.changesPresets ? index + 1 : entry?.number ?? index + 1
  }

  /// Changes what the box was told at run time.
  func edit(_ change: OwnerChange, over list: StationList) throws {
    guard let file = try owner() else { return }
    do throws(SettingsErrors) { try file.edit(change, over: list.entries.map(\.station)) } catch {
      say("bakelite: \(error)")
      throw Outcome.failed.exitCode
    }
  }

  /// The preset that a person means by its number or its name; nil where the box was told nothing about presets: then
  /// the file's own numbers count.
  func presetIfTold(_ text: String) throws -> (preset: OwnerSettings.Preset, list: StationList)? {
    guard try ownerSettings().changesPresets else { return nil }
    let (list, _, presets) = try presets()
    let named = presets.firstIndex { $0.station.name.lowercased() == text.lowercased() }
    let numbered = Int(text).map { $0 &- 1 }.flatMap { presets.indices.contains($0) ? $0 : nil }
    if let named, let numbered, named != numbered {
      say("bakelite: Station \(named + 1) is called \(text), so that number is not clear; say \(named + 1).")
      throw Outcome.failed.exitCode
    }
    if let place = named ?? numbered { return (presets[place], list) }
    say("bakelite: There is no station \(text); they are 1 to \(presets.count).")
    throw Outcome.failed.exitCode
  }

  /// The file asked for, or the first that is there.
  func place() throws -> String {
    if let found = path ?? Self.places.first(where: isFile) { return found }
    say("bakelite: There is neither \(Self.places.joined(separator: " nor ")); name a file with --file.")
    throw Outcome.failed.exitCode
  }

  /// The stations that can be used; what is wrong is said.
  func list() throws -> StationList {
    let list = StationList.load(try place())
    for problem in list.problems { say("bakelite: \(problem)") }
    return list
  }

  /// Changes the file; only one that was asked for by name is begun where it is not there.
  func edit<Result>(_ change: (inout StationFile) throws(SettingsError) -> Result) throws -> Result {
    let place = try place()
    do throws(SettingsError) {
      return try StationFile.edit(place, isCreating: path != nil, change)
    } catch {
      say("bakelite: \(error)")
      throw (error.line == nil ? Outcome.failed : .wrongUse).exitCode
    }
  }
}

/// Which running radio is told that its stations changed.
struct RunningRadioOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The socket of the running radio, which reads its stations again. The default is \(InstalledPaths.socket), if \
      there.
      """, valueName: "socket"))
  var socket: String?

  /// Has a radio that runs read its stations again; says so where the file is one of its own, or why it does not.
  func tell(of file: StationFileOption) {
    do throws(ControlConnection.Failure) {
      let answer = CtlAnswer(try ControlConnection(socket ?? InstalledPaths.socket).ask(["radio_reload"]))
      let own = [try? file.place(), try? file.owner()?.path].compactMap { $0 }.map(absolutePath)
      guard [answer["file"], answer["owner"]].contains(where: { $0.map { own.contains($0) } == true }) else { return }
      say(DisplayText.line("The running radio has read its stations: \(answer["stations"] ?? "0")."))
      if let problem = answer["problem"] { say(DisplayText.line("bakelite: \(problem)")) }
    } catch {
      switch error {
      case .noRadio(_, ENOENT) where socket == nil, .noRadio(_, ECONNREFUSED) where socket == nil: break
      // A radio of `bakelite play` has no list of stations.
      case .refused(code: 5, message: _): break
      default: say(DisplayText.line("bakelite: The running radio was not told of it. \(error)"))
      }
    }
  }
}

/// `bakelite stations list`.
struct StationsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the stations, and the errors of those that cannot be used.")

  @OptionGroup var file: StationFileOption

  @Flag(help: "Print each station as a line of JSON.")
  var json = false

  func run() throws {
    let (list, owner, presets) = try file.presets()
    let width = presets.map { $0.station.name.count }.max() ?? 0
    let (path, ownerPath) = (try file.place(), try file.owner()?.path ?? "")
    for (place, preset) in presets.enumerated() {
      let entry = preset.isOwn ? nil : list.entries.first { $0.station.name == preset.station.name }
      // The file's own numbers count those that cannot be used.
      let number = owner.changesPresets ? place + 1 : entry?.number ?? place + 1
      if json {
        putLine(Self.json(number, preset.station, preset.isOwn ? ownerPath : path, entry?.line))
      } else {
        putLine(Self.row(number, preset, width: width))
      }
    }
    if presets.isEmpty, list.problems.isEmpty {
      say("There are no stations; add one: bakelite stations add NAME URL")
    }
    if !list.problems.isEmpty { throw Outcome.wrongUse.exitCode }
  }

  private static func row(_ place: Int, _ preset: OwnerSettings.Preset, width: Int) -> String {
    let number = String(place)
    let name = preset.station.name
    return String(repeating: " ", count: max(0, 3 - number.count)) + number + "  " + name
      + String(repeating: " ", count: width - name.count) + "  " + preset.station.url.description
      + (preset.isOwn ? "  (owner.toml)" : "")
  }

  private static func json(_ number: Int, _ station: StationSettings, _ file: String, _ place: Int?) -> String {
    var line = JsonLine()
    line.add("number", number)
    line.add("name", station.name)
    line.add("url", station.url.description)
    line.add("gain", station.gain)
    line.add("file", file)
    line.add("line", place)
    return line.line
  }
}

/// `bakelite stations remove`.
struct StationsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a station from the list.")

  @Argument(help: ArgumentHelp("The station's number or name.", valueName: "name-or-number"))
  var station: String

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  func run() throws {
    try remove()
    radio.tell(of: file)
  }

  private func remove() throws {
    if let (preset, list) = try file.presetIfTold(station) {
      let name = preset.station.name
      if preset.isOwn { return try file.edit(.remove(name), over: list) }
      return try file.edit { file throws(SettingsError) in try file.remove(try file.number(named: name)) }
    }
    try file.edit { file throws(SettingsError) in try file.remove(try file.number(of: station)) }
  }
}

/// `bakelite stations move`.
struct StationsMoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Give a station another number; those between move by one.")

  @Argument(help: ArgumentHelp("The station's number or name.", valueName: "name-or-number"))
  var station: String

  @Argument(help: ArgumentHelp("The station's new number.", valueName: "number"))
  var place: Int

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  func run() throws {
    try move()
    radio.tell(of: file)
  }

  private func move() throws {
    if let (preset, list) = try file.presetIfTold(station) {
      return try file.edit(.move(preset.station.name, to: place), over: list)
    }
    try file.edit { file throws(SettingsError) in try file.move(try file.number(of: station), to: place) }
  }
}
