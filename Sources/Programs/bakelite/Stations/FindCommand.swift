import ArgumentParser
import Directory
import DirectoryClient
import Framing
import Glibc
import Http
import RadioEngine
import Settings
import System
import Units

struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find stations by words, country, tag, language or codec; play a station or add it as a preset.",
    discussion: """
      Searches a local copy of the directory radio-browser.info. `bakelite find --update` downloads the copy, some \
      megabytes; searches then use no network. A station matches if each word is the start of a word in its name, \
      tags, country, state or languages. Stations with the most votes come first. Without words and options, lists the \
      most popular stations.

      The copy is the file in [directory] path. If you may not write there, it is bakelite/directory in \
      $XDG_CACHE_HOME or ~/.cache. If both exist and are readable, the newer one is searched.

      --add changes the first of these files: --stations; the file of the radio at --socket; \
      \(InstalledPaths.stations), if you may write there; \(StationFiles.own). `bakelite` alone lists the \
      stations of the last file.
      """)

  @Argument(help: ArgumentHelp("Words to search for, in any order.", valueName: "words"))
  var words: [String] = []

  @OptionGroup(title: "Which stations")
  var filter: FindFilterOptions

  @Option("List at most this many stations, 1 to 1000.", value: "number")
  var limit = 20

  @Flag(help: "Print each station as a line of JSON.")
  var json = false

  @Flag(
    help: """
      Play the first station, or the station of --add: on the radio at --socket if it runs, otherwise in this process.
      """)
  var play = false

  @Option(
    "Add the station with this number in the list as a preset, 1 to 1000.", value: "number", parsing: .unconditional)
  var add: Int?

  @Option(
    "With --play, play in this process to this sink; see `bakelite play --help`.", value: "sink",
    completion: .list(["alsa:", "raw:", "wav:", "null"]))
  var output: String?

  @OptionGroup(title: "The directory")
  var directory: FindDirectoryOptions

  @OptionGroup(title: "Presets and radio")
  var target: FindTargetOptions

  func validate() throws {
    try check("--limit", limit, 1...1_000)
    if let add, !(1...1_000).contains(add) {
      throw ValidationError("--add is \(add), and must be a number of the list, 1 to 1000.")
    }
    if directory.update, !words.isEmpty || play || add != nil || json || !filter.isEmpty {
      throw ValidationError("--update only downloads the directory; search in a second command.")
    }
    if json, play || add != nil { throw ValidationError("--json only prints a list; omit --play and --add.") }
    if output != nil, !play { throw ValidationError("--output requires --play.") }
  }

  func run() throws {
    if directory.update { return try update() }
    let settings = try directory.settings()
    let place = DirectoryPlace(settings.directory)
    let (stations, source) = try found(place)
    guard play || add != nil else { return list(stations) }
    let number = add ?? 1
    guard number <= stations.count else {
      throw failure(.failed, "There is no station \(number) in the list; it has \(stations.count).")
    }
    let station = stations[number - 1]
    let choice = FindChoice(station: station, source: source)
    if add != nil { try choice.keep(target.files, target.radio) }
    if play { try choice.play(target.radio, output: output, click(station, of: source, place, settings)) }
  }

  private func update() throws {
    let report = try UpdateReport(path: directory.request)
    try report.run {
      let settings = try directory.settings()
      try FindUpdate(DirectoryPlace(settings.directory), settings, directory, report).run()
    }
  }

  private var query: DirectoryQuery {
    DirectoryQuery(
      words.joined(separator: " "), country: filter.country, language: filter.language, tag: filter.tag,
      codec: filter.codec)
  }

  /// Returns the matching stations, and the address of their directory. Fails if no station matches.
  private func found(_ place: DirectoryPlace) throws -> ([DirectoryEntry], source: StationAddress) {
    let most = max(limit, add ?? 1)
    guard !directory.online else {
      let stations = try online(most)
      guard !stations.isEmpty else {
        throw failure(
          .failed, "No station matches; with --online, all words together must be a part of the name: use fewer words.")
      }
      return (stations, StationAddress(directory.mirror ?? "").withoutSecrets)
    }
    let copy = try place.open()
    let matches = copy.search(query, limit: most)
    guard !matches.ranks.isEmpty else { throw failure(.failed, FindMiss(query: query, copy: copy).sentence) }
    if matches.total > matches.ranks.count, isatty(STDOUT_FILENO) == 1, !json, !play, add == nil {
      printNote("\(matches.total) stations match; these are the first \(matches.ranks.count) (change with --limit).")
    }
    if matches.isMisspelt { printNote("No exact match; these stations have a similar spelling:") }
    return (matches.ranks.map { copy[$0] }, StationAddress(copy.source))
  }

  private func online(_ most: Int) throws -> [DirectoryEntry] {
    Interrupts.catchAfter {}
    let search: OnlineSearch
    do throws(NetworkError) {
      search = try OnlineSearch(agent: Version.userAgent, clock: .machine) { Interrupts.isAsked }
    } catch {
      throw failure(.failed, error.sentence(for: ""))
    }
    let servers = directory.servers()
    do throws(ServerFailure) { return try search.run(query, limit: most, from: servers) } catch {
      throw failure(.failed, error.sentence(for: servers.last?.address ?? ""))
    }
  }

  /// Returns the report to the directory, and records it as sent. Nil if the owner forbids it, if a report was sent
  /// within a day, if it cannot be recorded, or if the copy is from a private server.
  private func click(
    _ station: DirectoryEntry, of source: StationAddress, _ place: DirectoryPlace, _ settings: FindSettings
  ) -> Click? {
    guard directory.online || DirectoryServer.isOwn(source), settings.countsClicks, let uuid = station.uuid,
      let path = place.clicks,
      ClickLog(path: path).recordClick(uuid, at: Int64(Clock.machine.wallSeconds()))
    else { return nil }
    let click = StationClick(uuid, agent: Version.userAgent, clock: .machine)
    return Click(click, clock: .machine, mirror: directory.mirror)
  }

  private func list(_ stations: [DirectoryEntry]) {
    if json {
      for (place, station) in stations.enumerated() { putLine(FindListing.json(station, number: place + 1)) }
    } else if isatty(STDOUT_FILENO) == 1 {
      for line in FindListing.table(stations, width: TextColumns.ofTerminal(STDOUT_FILENO)) { putLine(line) }
    } else {
      for (place, station) in stations.enumerated() { putLine(FindListing.line(station, number: place + 1)) }
    }
  }
}
