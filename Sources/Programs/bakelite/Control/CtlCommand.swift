import ArgumentParser
import Control
import Framing
import RadioEngine
import Settings

struct CtlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Send a command to a running radio, or show its state.",
    discussion: """
      COMMAND is a command of the control protocol (see CONTROL.md). The prefix "radio_" may be omitted, except in \
      radio_find, because find is a command of MPD, and in radio_tune_found. Common commands:

        status                          show the state (--json: all values)
        keep [current|previous]         save the current or the previous song
        source [NUMBER|auto]            list the station's addresses and fallbacks, play one, or return to the usual one
        record start PATH, record stop  record the station from now on, or end the recording
        play [POSITION]                 play the current station, or the one at POSITION in the queue
        pause, stop, next, previous     control playing
        power on|off                    play, or enter standby
        sleep [MINUTES|off]             set the sleep timer, or show it
        alarm [add TIME DAYS SOURCE|…]  list the alarms, change or answer one
        tune NAME|NUMBER|ADDRESS        change the station
        rewind SECONDS, forward SECONDS, live, oldest
                                        move within the buffer: by SECONDS, to live, or to the oldest audio
        setvol 0-100, volume CHANGE     set the volume, or change it
        list                            show the queue
        add ADDRESS, delete POSITION, move FROM TO
                                        change the queue
        episodes                        list the episodes of a podcast
        episode NUMBER|next|previous    play another episode
        suspend [NAME [SECONDS]]        release the sound device for another program; exits when it is free
        resume [NAME]                   return the sound device to the radio, from NAME or from all programs
        room [NAME [0-100|mute|unmute]] list the rooms of the snapserver, or set a room's volume or mute
        events                          print all events from now on

      POSITION, FROM and TO start at 0, as in the protocol. NUMBER starts at 1. --socket may be anywhere on the line, \
      --json before the command or at the end. Words after "--" belong to the command.
      """)

  @Option("Use the radio at this socket.", value: "socket", completion: .file())
  var socket = InstalledPaths.socket

  @Flag(help: "Print the answer as one line of JSON.")
  var json = false

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("Send this command with these arguments.", valueName: "command"),
    completion: ShellWords.control)
  var words: [String]

  /// The radio's own commands, also accepted without their prefix.
  private static let own: Set = [
    "status", "events", "rewind", "forward", "live", "oldest", "tune", "select", "record", "keep", "nowplaying", "gain",
    "suspend", "resume", "reload", "press", "turn", "display", "episodes", "episode", "preset", "setting", "relocate",
    "room", "web", "power", "source", "sleep", "alarm", "directory", "browse", "recordings", "recording_play",
    "recording_delete", "recording_rename", "recording_open",
  ]
  private static let others = ["list": "playlistinfo", "prev": "previous", "current": "currentsong", "toggle": "pause"]
  private static let usual = [
    "play", "pause", "stop", "next", "previous", "seekcur", "setvol", "volume", "add", "delete", "move", "clear",
  ]

  static let names = (usual + own + others.keys).sorted()

  func validate() throws {
    if line.lacksSocket { throw ValidationError("--socket has no path; add one, such as \(socket).") }
  }

  func run() throws {
    let line = line
    guard let first = line.words.first, !["--help", "-h"].contains(first) else { throw CleanExit.helpRequest(self) }
    let name = Self.own.contains(first) ? "radio_\(first)" : Self.others[first] ?? first
    if GuestRequest.commands.contains(name) { return try lend(line, name) }
    let connection = try ControlConnection(line.socket)
    do throws(ControlConnection.Failure) { try apply(line, name, connection) } catch {
      let sentence = CtlHint.sentence(for: error, on: line.words, of: connection)
      throw failure(Self.outcome(of: error), DisplayText.line(sentence))
    }
  }

  private func apply(
    _ line: CtlLine, _ name: String, _ connection: ControlConnection
  ) throws(ControlConnection.Failure) {
    let request = Self.request(line, name)
    let lines = try connection.ask(bytes: request, waits: name == "idle")
    let shape = CtlShape([name] + line.words.dropFirst())
    if name == "radio_events" { while true { putLine(DisplayText.line(try connection.next())) } }
    let text =
      line.isJson ? CtlAnswer(lines, of: name).json(shape) : Self.text(lines.map { DisplayText.line($0) }, of: name)
    if !text.isEmpty { putLine(text) }
  }

  private func lend(_ line: CtlLine, _ name: String) throws {
    do throws(ControlConnection.Failure) {
      try GuestRequest(line.socket, clock: .machine).ask(Self.request(line, name))
    } catch {
      throw failure(Self.outcome(of: error), DisplayText.line("\(error)"))
    }
    if line.isJson { putLine(CtlAnswer([]).json(.object)) }
  }

  private static func request(_ line: CtlLine, _ name: String) -> [[UInt8]] {
    let words = RawWords.bytes(of: line.words.dropFirst())
    // A station's name may have several words.
    guard ["radio_tune", "radio_select"].contains(name), words.count > 1 else { return [Array(name.utf8)] + words }
    return [Array(name.utf8), Array(words.joined(separator: [UInt8(ascii: " ")]))]
  }

  private var line: CtlLine { CtlLine(words, socket: socket, isJson: json) }

  private static func text(_ lines: [String], of name: String) -> String {
    switch name {
    case "radio_status": CtlAnswer(lines).summary
    case "radio_episodes": CtlAnswer(lines).episodes
    default: lines.joined(separator: "\n")
    }
  }

  private static func outcome(of failure: ControlConnection.Failure) -> Outcome {
    if case .refused(let code, _) = failure, code == 2 || code == 5 { .wrongUse } else { .failed }
  }
}

/// The words typed after `ctl`: the command, and options among its words.
struct CtlLine {
  private(set) var words: [String] = []
  private(set) var socket: String
  private(set) var isJson: Bool
  /// True if `--socket` has no value.
  private(set) var lacksSocket = false

  /// Extracts `--socket` anywhere among the words, and `--json` at their end. Words after "--" belong to the command.
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
