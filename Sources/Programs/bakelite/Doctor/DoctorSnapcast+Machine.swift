import Glibc
import Rooms
import Settings

extension DoctorSnapcast {
  /// Checks this machine. Waits at most one second for the server's connection.
  static func find(_ configuration: Configuration, settings path: String?) -> DoctorSnapcast {
    var look = DoctorSnapcast(output: configuration.audio.output, settings: configuration.snapcast)
    guard look.output != .alsa else { return look }
    if let path { look.settingsPath = path }
    look.hasServer = isFile("/usr/bin/snapserver")
    look.hasClient = isFile("/usr/bin/snapclient")
    look.clientProcess = ProcFile.processes(called: "snapclient").first
    if look.output == .snapcast { look.findServer() }
    look.isReachable = look.server.map { LocalConnection.open($0.host, $0.port).isOpen } ?? false
    return look
  }

  private mutating func findServer() {
    pipe = Self.look(at: settings.pipe)
    radioGroup = getgrnam(Self.group)?.pointee.gr_gid
    serverProcess = ProcFile.processes(called: "snapserver").first { Self.isTrusted($0) }
    reader = serverProcess.flatMap { ProcessRights(status: ProcFile.text("/proc/\($0)/status")) }
    reader = reader ?? ProcessRights(user: Self.user)
    if let serverProcess { read(words: ProcFile.words("/proc/\(serverProcess)/cmdline")) }
    do throws(SettingsError) {
      let server = SnapserverSettings(try SmallFile.read(filePath, limit: 262_144))
      file = .read(server)
      filePort = server.port
      hasScript = script(of: server).map { isFile($0) } ?? false
    } catch {
      file = isFile(filePath) ? .unreadable(why: error.problem) : .absent
    }
  }

  /// Returns true for a process of root, the server's user or this user. Any user may give a process any name.
  private static func isTrusted(_ process: Int) -> Bool {
    guard let user = ProcessRights(status: ProcFile.text("/proc/\(process)/status"))?.user else { return false }
    return user == 0 || user == getuid() || user == ProcessRights(user: Self.user)?.user
  }

  /// Parses a server's command line for another configuration file and for options that override it.
  mutating func read(words: [String]) {
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if ["-c", "--config"].contains(word), let path = rest.popFirst() {
        filePath = path
      } else if word.hasPrefix("--config=") {
        filePath = String(word.dropFirst("--config=".count))
      } else if word.hasPrefix("--stream.") || word.hasPrefix("--tcp.") {
        overrides.append(word)
      }
    }
  }

  /// Returns the path of the source's control script; nil if it has none.
  private func script(of server: SnapserverSettings) -> String? {
    guard let name = server.sources.first(where: { $0.scheme == "pipe" && $0.path == settings.pipe })?.script else {
      return nil
    }
    return name.hasPrefix("/") ? name : "\(server.scripts)/\(name)"
  }

  private static func look(at path: String) -> Pipe {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return .absent }
    guard facts.st_mode & S_IFMT == S_IFIFO else { return .other }
    return .pipe(PipeRights(mode: facts.st_mode & 0o777, owner: facts.st_uid, group: facts.st_gid))
  }
}
