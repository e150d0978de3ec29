import ArgumentParser
import Control
import Framing
import RadioEngine
import Settings

/// `bakelite ctl`: one command to a running radio.
struct CtlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Control a running radio, or ask what it does.",
    discussion: """
      The command is one of the control protocol, which CONTROL.md lists; you may leave out "radio_". The usual ones:

        status                       show the state (--json: all values)
        play [POSITION], pause, stop, next, previous
        tune NAME|NUMBER|ADDRESS     change the station
        rewind SECONDS, forward SECONDS, live, oldest
        setvol 0-100, volume CHANGE
        list, add ADDRESS, delete POSITION, move FROM TO
        episodes                     list the episodes of a podcast
        episode NUMBER|next|previous play one of them
        events                       print all events from now on

      POSITION, FROM and TO start at 0, as in the protocol; the NUMBER of a station or episode starts at 1. --socket \
      may stand anywhere on the line, --json before the command or at the end; what follows "--" is the command's own.
      """)

  @Option(help: "The radio's socket.")
  var socket = InstalledPaths.socket

  @Flag(help: "Print the answer as one line of JSON.")
  var json = false

  @Argument(
    parsing: .captureForPassthrough, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
  var words: [String]

  /// The radio's own commands, which are known without their prefix too.
  private static let own: Set = [
    "status", "events", "rewind", "forward", "live", "oldest", "tune", "select", "record", "keep", "nowplaying", "gain",
    "suspend", "resume", "reload", "press", "turn", "display", "episodes", "episode", "preset", "setting",
  ]
  private static let others = ["list": "playlistinfo", "prev": "previous", "current": "currentsong", "toggle": "pause"]

  func validate() throws {
    if line.lacksSocket { throw ValidationError("--socket names no socket; give it a path, such as \(socket).") }
  }

  func run() throws {
    let line = line
    let (words, isJson) = (line.words, line.isJson)
    guard let first = words.first, !["--help", "-h"].contains(first) else {
      throw CleanExit.helpRequest(self)
    }
    do throws(ControlConnection.Failure) {
      let connection = try ControlConnection(line.socket)
      let name = Self.own.contains(first) ? "radio_\(first)" : Self.others[first] ?? first
      let request = [Array(name.utf8)] + RawWords.bytes(of: words.dropFirst())
      let lines = try connection.ask(bytes: request, waits: name == "idle")
      if name == "radio_events" { return try follow(connection) }
      let text = isJson ? CtlAnswer(lines).json : Self.text(lines.map { DisplayText.line($0) }, of: name)
      if !text.isEmpty { putLine(text) }
    } catch {
      say("bakelite ctl: \(DisplayText.line("\(error)"))")
      throw Self.outcome(of: error).exitCode
    }
  }

  private var line: CtlLine { CtlLine(words, socket: socket, isJson: json) }

  /// An answer for people.
  private static func text(_ lines: [String], of name: String) -> String {
    switch name {
    case "radio_status": CtlAnswer(lines).summary
    case "radio_episodes": CtlAnswer(lines).episodes
    default: lines.joined(separator: "\n")
    }
  }

  private func follow(_ connection: ControlConnection) throws(ControlConnection.Failure) {
    while true { putLine(DisplayText.line(try connection.next())) }
  }

  /// Refused for its words, it was wrong use.
  private static func outcome(of failure: ControlConnection.Failure) -> Outcome {
    if case .refused(let code, _) = failure, code == 2 || code == 5 { .wrongUse } else { .failed }
  }
}

/// What was typed behind `ctl`: the command, and the options among its words.
struct CtlLine {
  /// The command and its arguments.
  private(set) var words: [String] = []
  /// The radio's socket.
  private(set) var socket: String
  /// Whether the answer is printed as JSON.
  private(set) var isJson: Bool
  /// Whether `--socket` was the last word.
  private(set) var lacksSocket = false

  /// Takes `--socket` out of the words wherever it stands, and `--json` at their end; what follows "--" stays.
  init(_ typed: [String], socket: String, isJson: Bool) {
    (self.socket, self.isJson) = (socket, isJson)
    let (option, own) = ("--socket", typed.firstIndex(of: "--") ?? typed.endIndex)
    var rest = typed[..<own]
    while let word = rest.popFirst() {
      if word == option {
        if let path = rest.popFirst() { self.socket = path } else { lacksSocket = true }
      } else if word.hasPrefix(option + "=") {
        self.socket = String(word.dropFirst(option.count + 1))
      } else {
        words.append(word)
      }
    }
    if words.last == "--json", own == typed.endIndex {
      words.removeLast()
      self.isJson = true
    }
    words += typed[own...].dropFirst()
  }
}
