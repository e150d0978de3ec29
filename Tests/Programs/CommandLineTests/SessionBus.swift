import Foundation
import TestSupport
import Testing

/// A real session bus (dbus-daemon) with its command-line clients.
final class SessionBus {
  private static let path = Repository.tool("dbus-daemon")

  /// True if the bus and its clients are installed.
  static let isInstalled = path != nil && Repository.tool("dbus-send") != nil && Repository.tool("dbus-monitor") != nil

  static let advice: Comment = "dbus is not here: apt-get install dbus-daemon dbus-bin"

  /// The first name of a player.
  static let player = "org.mpris.MediaPlayer2.bakelite"

  let folder = TemporaryFolder()
  let address: String
  private var process = Process()
  private let kind: [String]

  /// Starts a bus and waits until it accepts connections. `configuration`: its rules, with ADDRESS for its address; nil
  /// for a session bus.
  init(_ configuration: String? = nil) throws {
    address = "unix:path=\(folder.path)/bus"
    if let rules = configuration?.replacing("ADDRESS", with: address) {
      kind = ["--config-file=\(folder.write(Array(rules.utf8), to: "bus.conf"))"]
    } else {
      kind = ["--session", "--address=\(address)"]
    }
    try start()
  }

  /// Starts the bus, also after `stop`, and waits until it accepts connections.
  func start() throws {
    process = Process()
    unlink(folder.path + "/bus")
    process.executableURL = URL(fileURLWithPath: try Self.path.orThrow())
    process.arguments = kind + ["--nofork", "--nopidfile", "--print-address"]
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
    try process.run()
    guard !pipe.fileHandleForReading.availableData.isEmpty else { throw POSIXError(.ECONNREFUSED) }
  }

  deinit { stop() }

  /// Kills the bus.
  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The environment of a program on this bus.
  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

  /// Runs a client; returns its output with the errors.
  func run(_ tool: String, _ arguments: String...) -> String { output(of: tool, arguments) }

  /// Runs a client with these arguments; returns its output with the errors.
  func output(of tool: String, _ arguments: [String]) -> String {
    guard let path = Repository.tool(tool) else { return "\(tool) is not installed" }
    let (client, pipe) = (Process(), Pipe())
    client.executableURL = URL(fileURLWithPath: path)
    client.arguments = arguments
    client.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    (client.standardOutput, client.standardError) = (pipe, pipe)
    guard (try? client.run()) != nil else { return "\(tool) does not start" }
    let words = pipe.fileHandleForReading.readDataToEndOfFile()
    client.waitUntilExit()
    return String(decoding: words, as: UTF8.self)
  }

  /// Calls a method of the player.
  @discardableResult
  func call(_ method: String, _ arguments: String..., name: String = SessionBus.player) -> String {
    let target = ["--session", "--print-reply", "--reply-timeout=5000", "--dest=\(name)", "/org/mpris/MediaPlayer2"]
    return output(of: "dbus-send", target + ["org.mpris.MediaPlayer2.\(method)"] + arguments)
  }

  /// Reads a property of the player, such as "Player.Volume" or "Identity".
  func property(_ property: String, name: String = SessionBus.player) -> String {
    let parts = property.split(separator: ".")
    let interface = "org.mpris.MediaPlayer2" + (parts.count > 1 ? ".Player" : "")
    let target = ["--session", "--print-reply", "--reply-timeout=5000", "--dest=\(name)", "/org/mpris/MediaPlayer2"]
    let text = output(
      of: "dbus-send",
      target + ["org.freedesktop.DBus.Properties.Get", "string:\(interface)", "string:\(parts.last ?? "")"])
    // The first line is the head of the reply.
    return text.hasPrefix("Error") ? text : text.split(separator: "\n").dropFirst().joined(separator: "\n")
  }

  /// Sets a property of the player.
  @discardableResult
  func set(_ property: String, _ value: String) -> String {
    let target = ["--session", "--print-reply", "--dest=\(Self.player)", "/org/mpris/MediaPlayer2"]
    return output(
      of: "dbus-send",
      target + [
        "org.freedesktop.DBus.Properties.Set", "string:org.mpris.MediaPlayer2.Player", "string:\(property)",
        "variant:\(value)",
      ])
  }

  /// Polls a property until it contains words. Returns false after 10 s.
  func waitFor(_ property: String, _ words: String, name: String = SessionBus.player) -> Bool {
    waitFor(property, name: name) { $0.contains(words) }
  }

  /// Polls a property until it fulfils a condition. Returns false after 10 s.
  func waitFor(_ property: String, name: String = SessionBus.player, _ isSo: (String) -> Bool) -> Bool {
    let end = monotonicSeconds() + 10
    while !isSo(self.property(property, name: name)) {
      guard monotonicSeconds() < end else { return false }
    }
    return true
  }

  /// The position of the player in seconds.
  var position: Double {
    Double(property("Player.Position").split(separator: " ").last.map { String($0) } ?? "").map { $0 / 1e6 } ?? -1
  }

  /// Records signals until its end.
  final class Monitor {
    private let process = Process()
    private let path: String

    init(_ bus: SessionBus, _ rule: String) throws {
      path = bus.folder.write([], to: "signals")
      process.executableURL = URL(fileURLWithPath: try Repository.tool("dbus-monitor").orThrow())
      process.arguments = ["--session", rule]
      process.environment = bus.environment
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The bus reports the monitor's own name first.
      guard shows("NameAcquired") else { throw POSIXError(.ETIMEDOUT) }
    }

    deinit {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// Waits for words in the signals. Returns false after 10 s.
    func shows(_ words: String) -> Bool {
      let end = monotonicSeconds() + 10
      while !text.contains(words) {
        guard monotonicSeconds() < end else { return false }
        usleep(10_000)
      }
      return true
    }

    var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }
  }
}

/// A bus that a test writes: a Unix socket whose connections run a script.
final class FakeBus {
  let address: String
  private let folder = TemporaryFolder()
  private let listener: Int32

  init(_ script: @escaping @Sendable (Int32) -> Void) throws {
    let path = folder.path + "/bus"
    address = "unix:path=" + path
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    guard withUnixAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 4) == 0 else {
      throw POSIXError(.EADDRINUSE)
    }
    Thread.detachNewThread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        script(connection)
        close(connection)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}

extension Optional {
  fileprivate func orThrow() throws -> Wrapped {
    guard let self else { throw POSIXError(.ENOENT) }
    return self
  }
}
