import ArgumentParser
import Glibc
import Station
import System
import Units

struct StationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "station",
    abstract: "Serve files as a small internet radio station, for demos and tests.",
    discussion: """
      Serves MP3 and AAC (ADTS) files over HTTP like Icecast, in a loop and in real time: a burst first, then at the \
      file's bit rate. Players receive ICY titles on request. Each file is a mount: demo.mp3 is at /demo.mp3, its \
      playlists at /demo.mp3.m3u and /demo.mp3.pls. The page / lists all mounts.

      Ctrl-C ends the command.
      """)

  @Argument(
    help: ArgumentHelp("Files to serve. A folder means all its .mp3 and .aac files.", valueName: "file-or-folder"),
    completion: .file())
  var paths: [String]

  @Option(parsing: .unconditional, help: "Listen on this TCP port, 0 to 65535; 0 selects a free port.")
  var port: UInt16 = 8700

  @Option(
    help: """
      Listen on this numeric address; 0.0.0.0 means all addresses. The default is reachable from this machine only.
      """)
  var address = "127.0.0.1"

  @Option("Send a new listener this many bytes at once, 0 to 16777216.", value: "bytes", parsing: .unconditional)
  var burst = 65_536

  @Option(
    "Send metadata after this many bytes of audio, 0 to 16777216; 0 sends no titles.", value: "bytes",
    parsing: .unconditional)
  var metaint = 16_000

  @Option(
    help: ArgumentHelp(
      "Read titles from this file. Each line has the start in seconds, a tab or space, and the title.",
      discussion: "Default: the name of the file that plays.", valueName: "file"),
    completion: .file())
  var titles: String?

  @Option("Send this name of the station. Default: each file's name.", value: "text")
  var name: String?

  @Option("Send this genre.", value: "text")
  var genre = "Various"

  func run() throws {
    let cues = try titles.map { try Self.cues(at: $0) } ?? []
    let server = try StationServer(mounts: try Mount.all(at: paths, titles: cues), options: options)
    Self.stopOnSignal(server)
    for mount in server.mounts {
      printNote("Serving \(mount.name) (\(mount.format.codec), \(mount.bitRate)) at \(server.url(of: mount))")
    }
    try server.run()
  }

  func validate() throws {
    guard Self.isNumeric(address) else {
      throw ValidationError("--address is \"\(address)\", and must be a numeric address, such as 127.0.0.1.")
    }
    try check("--burst", burst, 0...(16 << 20), "bytes")
    try check("--metaint", metaint, 0...(16 << 20), "bytes")
  }

  private static func isNumeric(_ address: String) -> Bool {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    var found: UnsafeMutablePointer<addrinfo>?
    defer { if let found { freeaddrinfo(found) } }
    return getaddrinfo(address, nil, &hints, &found) == 0
  }

  private var options: StationOptions {
    var options = StationOptions()
    options.address = address
    options.port = port
    options.burst = ByteCount(burst)
    options.metadataInterval = ByteCount(metaint)
    options.name = name
    options.genre = genre
    return options
  }

  private static func cues(at path: String) throws(StationError) -> [TitleCue] {
    try TitleCue.list(String(decoding: FileBytes.read(path, limit: 1 << 20), as: UTF8.self), path: path)
  }

  /// Stops the server on SIGINT and SIGTERM. Only a separate thread receives them (`sigwait`).
  private static func stopOnSignal(_ server: StationServer) {
    var signals = Self.endingSignals
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let isStarted = OwnedThread.detach("signals") {
      var (signals, signal) = (StationCommand.endingSignals, Int32(0))
      sigwait(&signals, &signal)
      server.stop()
    }
    if !isStarted { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  private static var endingSignals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    return signals
  }
}
