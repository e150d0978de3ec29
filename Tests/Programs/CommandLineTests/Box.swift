import Foundation
import TestSupport

/// Runs `bakelited` with its own files and a simulated service manager.
final class Box {
  let folder = TemporaryFolder()
  let manager: ServiceListener
  let punctuality = Punctuality()
  private(set) var program: Program?
  /// Keeps the library's file while the program loads the library.
  private var shim: Shim?

  /// Writes the settings and stations. `settings` may contain top-level keys.
  init(_ settings: String = "", stations: [(name: String, url: String)] = []) throws {
    manager = try ServiceListener(folder.path + "/notify")
    let own = """

      [state]
      path = "\(folder.path)"

      [control]
      socket = "\(socket)"

      """
    folder.write(Array((settings + own).utf8), to: "bakelite.toml")
    write(stations)
  }

  func write(_ stations: [(name: String, url: String)]) {
    let text = stations.map { "[[station]]\nname = \"\($0.name)\"\nurl = \"\($0.url)\"\n" }.joined(separator: "\n")
    folder.write(Array(text.utf8), to: "stations.toml")
  }

  /// Starts the box. PCM goes to the file `pcm` unless `sink` names another output.
  @discardableResult
  func start(
    _ sink: String? = nil, by others: [String] = [], watchdog: Int = 0,
    boards: String = Repository.root + "/boards", preload: Shim? = nil,
    environment more: [String: String] = [:], terminal: FileHandle? = nil, resolver: String? = nil
  ) throws -> Program {
    var environment = ["NOTIFY_SOCKET": folder.path + "/notify"].merging(more) { $1 }
    if watchdog > 0 { environment["WATCHDOG_USEC"] = String(watchdog) }
    if let preload { environment["LD_PRELOAD"] = preload.path }
    shim = preload
    let program = try Program(
      [
        "--config", folder.path + "/bakelite.toml", "--boards", boards, "--output", sink ?? "raw:\(folder.path)/pcm",
      ], name: "bakelited", by: others, environment: environment, terminal: terminal, resolver: resolver)
    self.program = program
    return program
  }

  func switchOff() throws -> Program.Outcome {
    guard let program else { preconditionFailure("a box is started before it is switched off") }
    program.signal(SIGTERM)
    return try program.waitForEnd(within: 5)
  }

  /// Sets the clock of a box that was started with `Shim("clock")` to `seconds` ahead. Returns a new client, because
  /// the box disconnects clients after a minute of silence.
  func skip(to seconds: Int) throws -> ControlPeer {
    folder.write(Array("\(seconds)".utf8), to: "ahead")
    return try ControlPeer(socket)
  }

  var socket: String { folder.path + "/socket" }

  var pcmCount: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + "/pcm")
    return (attributes?[.size] as? Int) ?? 0
  }

  func fileBecomes(_ file: String, within seconds: Double = 20, _ isSo: (String) -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isSo(String(decoding: folder.bytes(of: file), as: UTF8.self)) {
      guard monotonicSeconds() < deadline else { return false }
      usleep(10_000)
    }
    return true
  }

  var savedURL: String? {
    state.split(separator: "\n").first { $0.hasPrefix("station_url=") }.map { String($0.dropFirst(12)) }
  }

  var state: String { String(decoding: folder.bytes(of: "state"), as: UTF8.self) }
}

/// The service manager's end of `sd_notify(3)`.
final class ServiceListener {
  private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
  private(set) var words: [String] = []
  private(set) var all: [String] = []

  init(_ path: String) throws {
    let code = withUnixAddress(path) { bind(descriptor, $0, $1) }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  deinit { close(descriptor) }

  func discardMessages() {
    _ = receives("never", within: 0.2)
    words = []
  }

  /// Waits for a message with `text`, and removes all messages up to this one.
  func receives(_ text: String, within seconds: Double = 10) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let place = words.firstIndex(where: { $0.contains(text) }) {
        words.removeFirst(place + 1)
        return true
      }
      let left = deadline - monotonicSeconds()
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left * 1_000) + 1) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return false }
      words.append(String(decoding: bytes.prefix(count), as: UTF8.self))
      all.append(words[words.count - 1])
    }
  }
}

/// A preloaded library (`LD_PRELOAD`) that replaces system calls, built from a source in Tests/Support/Shims.
struct Shim {
  /// True if clang is available and no sanitizer is active; sanitizers preload their own library.
  static let works = Repository.tool("clang") != nil && !Sanitizer.isOn

  var path: String { folder.path + "/shim.so" }
  private let folder = TemporaryFolder()

  /// Builds the shim. `libraries` are linked to it.
  init(_ name: String, libraries: [String] = []) throws {
    try self.init(["-shared", "-fPIC"], name, libraries)
  }

  /// Builds a program instead, and passes `path` to its caller.
  init(program name: String) throws { try self.init([], name, []) }

  private init(_ options: [String], _ name: String, _ libraries: [String]) throws {
    guard let compiler = Repository.tool("clang") else { throw POSIXError(.ENOENT) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments =
      options + ["-O1", "-o", path, "\(Repository.root)/Tests/Support/Shims/\(name).c"] + libraries.map { "-l\($0)" }
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
  }
}

final class Terminal {
  let program: FileHandle
  private var side: Int32
  private var text = ""

  init() throws {
    var (side, program): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&side, &program, nil, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
    self.side = side
    self.program = FileHandle(fileDescriptor: program, closeOnDealloc: true)
  }

  deinit { hangUp() }

  /// Closes the terminal without sending a signal to another process.
  func hangUp() {
    if side >= 0 { close(side) }
    side = -1
  }

  /// Flags for keys (`c_lflag` in tcgetattr(3)).
  var modes: tcflag_t {
    var settings = termios()
    tcgetattr(program.fileDescriptor, &settings)
    return settings.c_lflag
  }

  func press(_ keys: String) { _ = Array(keys.utf8).withUnsafeBytes { write(side, $0.baseAddress, $0.count) } }

  /// Waits until the program draws `words`, and removes all text up to them.
  func shows(_ words: String, within seconds: Double = 10) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let found = text.firstRange(of: words) {
        text.removeSubrange(..<found.upperBound)
        return true
      }
      let left = deadline - monotonicSeconds()
      var poll = pollfd(fd: side, events: Int16(POLLIN), revents: 0)
      guard left > 0, Glibc.poll(&poll, 1, Int32(left * 1_000) + 1) > 0 else { return false }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(side, &bytes, bytes.count)
      guard count > 0 else { return false }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }
}
