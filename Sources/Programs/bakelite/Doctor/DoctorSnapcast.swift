import Glibc
import Rooms
import Settings

/// Checks Snapcast's server and client, on a box that serves rooms and on a room.
struct DoctorSnapcast {
  enum Pipe: Equatable {
    case absent
    /// A file of another kind.
    case other
    case pipe(PipeRights)
  }

  enum File: Equatable {
    case read(SnapserverSettings)
    case absent
    case unreadable(why: String)
  }

  /// The setting `[audio] output`.
  let output: Configuration.Audio.Output
  let settings: SnapcastSettings
  var settingsPath = InstalledPaths.settings
  /// The JSON-RPC port in the server's file; nil if it is disabled.
  var filePort: Int? = usualPort
  var isReachable = false
  var isOffline = false
  var pipe = Pipe.absent
  /// The rights of snapserver, which reads the pipe; nil if unknown.
  var reader: ProcessRights?
  /// The id of the radio's group; nil if it does not exist.
  var radioGroup: gid_t?
  var hasServer = false
  var hasClient = false
  /// Process ids; nil if the program does not run.
  var serverProcess: Int?
  var clientProcess: Int?
  var file = File.absent
  var filePath = Self.usualFile
  var overrides: [String] = []
  var hasScript = false

  static let usualPort = 1_705
  /// Debian's path of the server's configuration.
  static let usualFile = "/etc/snapserver.conf"
  static let folder = "/usr/share/bakelite/snapcast/etc"
  static let group = "audio"
  static let user = "_snapserver"
  static let script = "bakelite-control"

  var server: (host: String, port: Int)? {
    settings.server.map { ($0.host, $0.port.map { Int($0) } ?? Self.usualPort) }
  }

  /// True if this box has the radio, which decodes. A room plays what the radio's box has decoded.
  var decodes: Bool { output != .room }

  /// True if this box plays rooms' sound on its own card.
  var isRoom: Bool { output == .room || hasClient }

  /// One finding per check; empty for a box that plays to its own card.
  var findings: [DoctorFinding] {
    switch output {
    case .alsa: []
    case .snapcast: [feed, configuration, running, room]
    case .room: [running, room]
    }
  }

  // MARK: The pipe

  private var feed: DoctorFinding {
    let (subject, path) = ("pipe", settings.pipe)
    switch pipe {
    case .absent: return .problem(subject, "There is no pipe \(path) from the radio to snapserver.", mend: makingPipe)
    case .other:
      return .problem(
        subject, "\(path) is not a pipe, so the radio cannot write to it.",
        mend: "sudo rm \(path.shellWord) && \(makingPipe)")
    case .pipe(let rights):
      guard let radioGroup, rights.lets(radioGroup, read: true, write: true) else {
        return .problem(
          subject, "The radio is in the group \(Self.group), which may not read and write \(path).", mend: makingPipe)
      }
      guard let reader else {
        return .ok(subject, "\(path) exists and the group \(Self.group) may write it; no program reads it yet.")
      }
      guard rights.lets(reader) else {
        return .problem(subject, "snapserver's user may not read \(path).", mend: makingPipe)
      }
      return .ok(subject, "\(path) exists: the group \(Self.group) may write it, snapserver may read it.")
    }
  }

  private var makingPipe: String {
    guard settings.pipe == Configuration().snapcast.pipe else {
      let path = settings.pipe.shellWord
      return "sudo mkfifo \(path); sudo chown \(Self.user):\(Self.group) \(path); sudo chmod 660 \(path)"
    }
    let name = "bakelite-snapcast.conf"
    return "sudo cp \(Self.folder)/tmpfiles.d/\(name) /etc/tmpfiles.d && sudo systemd-tmpfiles --create \(name)"
  }

  // MARK: The server

  private var configuration: DoctorFinding {
    let subject = "snapserver"
    switch file {
    case .absent where !hasServer:
      return .problem(subject, "snapserver is not installed.", mend: "sudo apt install snapserver snapclient")
    case .absent: return .problem(subject, "\(filePath) does not exist.", mend: copying)
    case .unreadable(let why): return .skipped(subject, "\(filePath) cannot be read: \(why).")
    case .read(let server):
      guard overrides.isEmpty else {
        let words = overrides.joined(separator: " ")
        return .skipped(
          subject, "snapserver was started with \(words), which override \(filePath): compare them with [snapcast].")
      }
      return judge(server)
    }
  }

  /// The command that installs the package's configuration and keeps a backup of Debian's.
  private var copying: String {
    "sudo cp --backup=numbered \(Self.folder)/snapserver.conf \(filePath.shellWord) "
      + "&& sudo systemctl restart snapserver"
  }

  private func judge(_ server: SnapserverSettings) -> DoctorFinding {
    let subject = "snapserver"
    let editing = "sudo nano \(filePath.shellWord) && sudo systemctl restart snapserver"
    guard let place = server.sources.firstIndex(where: { $0.scheme == "pipe" && $0.path == settings.pipe }) else {
      return .problem(subject, "\(filePath) has no source that reads \(settings.pipe).", mend: copying)
    }
    let source = server.sources[place]
    let format = source.format ?? server.format
    guard format == "48000:16:2" else {
      return .problem(
        subject, "The source \"\(source.name)\" has the sampleformat \(format); the radio writes 48000:16:2.",
        mend: editing)
    }
    guard let milliseconds = server.bufferMilliseconds else {
      return .problem(subject, "buffer in \(filePath) is not a number.", mend: editing)
    }
    guard milliseconds == settings.bufferMilliseconds else {
      return .problem(
        subject,
        "buffer in \(filePath) is \(milliseconds), but [snapcast] buffer_ms is \(settings.bufferMilliseconds): titles "
          + "and position are wrong by the difference.",
        mend: "write buffer_ms = \(milliseconds) below [snapcast] in \(settingsPath), then restart the radio")
    }
    guard let script = source.script else {
      return .problem(
        subject, "The source \"\(source.name)\" has no control script, so rooms show no title and cannot pause.",
        mend: "add &controlscript=\(Self.script) to its line: \(editing)")
    }
    guard hasScript else {
      return .problem(
        subject, "The control script \(script) does not exist, so snapserver does not start.",
        mend: script == Self.script
          ? "reinstall the package of Bakelite, which contains /usr/share/snapserver/plug-ins/\(script)"
          : "write controlscript=\(Self.script), which the package of Bakelite contains: \(editing)")
    }
    var finding = DoctorFinding.ok(
      subject, "\(filePath) reads the pipe as the radio writes it, with a buffer of \(milliseconds) ms.")
    if place > 0 { finding.details = ["New rooms play \"\(server.sources[0].name)\", which is the first source."] }
    return finding
  }

  /// Checks that the server runs and responds, and that its script may connect to the radio.
  private var running: DoctorFinding {
    let subject = "rooms"
    guard output == .snapcast else {
      return answer(of: "The snapserver", is: "check that the box of the snapserver is on")
    }
    guard let process = serverProcess else {
      return .problem(
        subject, "snapserver does not run.",
        mend: "sudo systemctl enable --now snapserver; journalctl -u snapserver -n 20")
    }
    if let reader, let radioGroup, reader.user != 0, !reader.groups.contains(radioGroup) {
      return .problem(
        subject,
        "snapserver (process \(process)) is not in the group \(Self.group), so its script cannot connect to the radio.",
        mend: copyingUnit("snapserver"))
    }
    guard filePort != nil else {
      return .problem(
        subject, "[tcp] in \(filePath) is off, so the rooms cannot be shown or set.",
        mend: "write enabled = true there: sudo nano \(filePath.shellWord) && sudo systemctl restart snapserver")
    }
    return answer(of: "snapserver (process \(process)) runs, and", is: "journalctl -u snapserver -n 20")
  }

  /// Checks that a server responds at the configured address. `hint`: additional advice.
  private func answer(of name: String, is hint: String) -> DoctorFinding {
    let subject = "rooms"
    guard let server else {
      return .ok(subject, "[snapcast] server is empty, so rooms are not shown.")
    }
    let place = "\(server.host), port \(server.port)"
    if isReachable { return .ok(subject, "\(name) answers at \(place).") }
    if isOffline, !DoctorNetwork.isThisMachine(server.host) { return .offline(subject) }
    let port = output == .snapcast ? filePort ?? Self.usualPort : Self.usualPort
    let host = output == .snapcast ? "127.0.0.1" : "HOST"
    return .problem(
      subject, "\(name) does not answer at \(place).",
      mend: "write server = \"\(host):\(port)\" below [snapcast] in \(settingsPath); \(hint)")
  }

  /// Returns the command that activates the package's lines for a unit.
  private func copyingUnit(_ name: String) -> String {
    "sudo cp -r \(Self.folder)/systemd/system/\(name).service.d /etc/systemd/system && sudo systemctl daemon-reload "
      + "&& sudo systemctl restart \(name)"
  }

  // MARK: The client

  private var room: DoctorFinding {
    let subject = "this room"
    guard hasClient else {
      let install = "sudo apt install snapclient && \(copyingUnit("snapclient"))"
      guard output == .room else {
        var finding = DoctorFinding.ok(subject, "snapclient is not installed: this box itself plays nothing.")
        finding.mend = install + "   # makes this box a room too"
        return finding
      }
      return .problem(subject, "snapclient is not installed, so this box plays nothing.", mend: install)
    }
    guard let process = clientProcess else {
      return .problem(
        subject, "snapclient does not run, so this box plays nothing.",
        mend: copyingUnit("snapclient") + "; journalctl -u snapclient -n 20")
    }
    return .ok(subject, "snapclient (process \(process)) plays what the server sends.")
  }
}
