import ArgumentParser
import Network
import Radio
import Settings

/// `bakelite stations`: the list of stations of the box.
struct StationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stations",
    abstract: "Show and change the list of stations.",
    discussion: """
      The list is the file of --file, else /etc/bakelite/stations.toml, else config/stations.toml in this folder. \
      Comments and order are kept, and the file is replaced as a whole.
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

  private static let places = ["/etc/bakelite/stations.toml", "config/stations.toml"]

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

/// `bakelite stations list`.
struct StationsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the stations, and the errors of those that cannot be used.")

  @OptionGroup var file: StationFileOption

  @Flag(help: "Print each station as a line of JSON.")
  var json = false

  func run() throws {
    let list = try file.list()
    let width = list.entries.map { $0.station.name.count }.max() ?? 0
    for entry in list.entries { print(json ? Self.json(entry) : Self.row(entry, width: width)) }
    if list.entries.isEmpty, list.problems.isEmpty {
      say("There are no stations; add one: bakelite stations add NAME URL")
    }
    if !list.problems.isEmpty { throw Outcome.wrongUse.exitCode }
  }

  private static func row(_ entry: StationList.Entry, width: Int) -> String {
    let number = String(entry.number)
    let name = entry.station.name
    return String(repeating: " ", count: max(0, 3 - number.count)) + number + "  " + name
      + String(repeating: " ", count: width - name.count) + "  " + WebAddress.redacting(entry.station.url)
  }

  private static func json(_ entry: StationList.Entry) -> String {
    var line = JsonLine()
    line.add("number", entry.number)
    line.add("name", entry.station.name)
    line.add("url", WebAddress.redacting(entry.station.url))
    line.add("gain", entry.station.gain)
    line.add("line", entry.line)
    return line.line
  }
}

/// `bakelite stations remove`.
struct StationsRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a station from the list.")

  @Argument(help: ArgumentHelp("The station's number or name.", valueName: "name-or-number"))
  var station: String

  @OptionGroup var file: StationFileOption

  func run() throws {
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

  func run() throws {
    try file.edit { file throws(SettingsError) in try file.move(try file.number(of: station), to: place) }
  }
}
