import ArgumentParser
import AudioOutput
import Framing
import Glibc
import PanelLinux
import Panel
import Settings

struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "List your stations and play them in this terminal.",
    discussion: """
      `bakelite` alone does the same. The list is \(StationFiles.own); `bakelite find WORDS --add 1` and the key "f" \
      of `play` add stations. Without a terminal on standard output, or with TERM=dumb, prints the list. While a \
      station plays, the keys of `bakelite play` work, but "/" searches and "q" returns to the list. "/" \
      searches by name or number, and Esc ends the search. Keys of the list:

      \(TerminalFrame.keys(StationListView.keys).joined(separator: "\n"))
      """)

  @Option("Play to this sink; see `bakelite play --help`.", value: "sink", completion: .list(["alsa:", "null"]))
  var output = "alsa:default"

  func validate() throws {
    guard OutputRequest(output) == nil else { return }
    throw ValidationError("--output is \"\(output)\", and must be \(OutputRequest.kinds).")
  }

  func run() throws {
    guard let list = UserStations.list, !(list.entries.isEmpty && list.problems.isEmpty) else {
      return putLine(UserStations.firstSteps)
    }
    let isDumb = UserFolder.value("TERM") == "dumb"
    if isDumb || list.entries.isEmpty || [STDIN_FILENO, STDOUT_FILENO].contains(where: { isatty($0) == 0 }) {
      return try print(list)
    }
    let screen: ListenScreen
    do throws(HardwareError) {
      let place = Self.shortened(UserStations.path ?? "")
      screen = try Interrupts.catchAfter { () throws(HardwareError) in try ListenScreen(list.entries, place: place) }
    } catch {
      throw failure(.failed, "\(error)")
    }
    for problem in list.problems { screen.complain(StationFiles.sentence(problem)) }
    while let entry = screen.choose() {
      let entries = UserStations.list?.entries ?? []
      screen.play(entry.station, of: entries)
      do { try play(entry, of: entries, on: screen) } catch let fault as any CommandFault {
        screen.complain(fault.sentence)
      }
      if Interrupts.isAsked { break }
      screen.play(nil, of: UserStations.list?.entries ?? [])
    }
    screen.end()
  }

  /// Plays a station until its end or a key.
  private func play(
    _ entry: StationList.Entry, of entries: [StationList.Entry], on screen: ListenScreen
  ) throws {
    let command = try PlayCommand.parse(["--output", output, "--", entry.station.name])
    let stage = PlayStage(display: screen, keys: screen, isList: true)
    _ = try command.play(command.lineup(entry, of: entries), on: stage)
  }

  private func print(_ list: StationList) throws {
    let row = StationRow(list.entries, width: Self.maxWidth)
    for entry in list.entries { putLine(row.line(entry, nil)) }
    for problem in list.problems { printError(StationFiles.sentence(problem)) }
    if !list.problems.isEmpty { throw Outcome(list.problems).exitCode }
  }

  /// Columns for names and addresses of any length.
  private static let maxWidth = 10_000

  /// Replaces the home at the start of a path by "~".
  private static func shortened(_ path: String) -> String {
    guard let home = UserFolder.value("HOME"), home.count > 1, path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
  }
}
