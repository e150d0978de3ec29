import Foundation
import Glibc
import System

/// A real Snapcast server with clients that discard their audio. All processes end with this object.
public final class SnapcastHouse: @unchecked Sendable {
  /// True if this machine has both programs.
  public static let isHere = Repository.tool("snapserver") != nil && Repository.tool("snapclient") != nil

  /// The port for JSON-RPC.
  public let port: Int
  /// The pipe from which the server reads audio.
  public var pipe: String { folder.path + "/feed" }
  private let streamPort: Int
  private let folder = TemporaryFolder()
  private var options: [String] = []
  private var server: Process?
  private var clients: [String: Process] = [:]

  /// Starts a server with one stream, "Bakelite", and waits until it accepts connections. `script`: the path of the
  /// stream's control script.
  public init(script: String? = nil) throws {
    (port, streamPort) = (try Loopback.freePort(), try Loopback.freePort())
    let control = script.map { "&controlscript=\($0)" } ?? ""
    let settings = """
      [server]
      datadir = \(folder.path)
      [http]
      enabled = false
      [tcp]
      bind_to_address = 127.0.0.1
      port = \(port)
      [stream]
      bind_to_address = 127.0.0.1
      port = \(streamPort)
      source = pipe://\(folder.path)/feed?name=Bakelite&sampleformat=48000:16:2&codec=pcm\(control)

      """
    folder.write(Array(settings.utf8), to: "snapserver.conf")
    try start()
  }

  /// Starts a server with a configuration and waits until it accepts connections. Options replace its ports and folder.
  public init(settings: String) throws {
    (port, streamPort) = (try Loopback.freePort(), try Loopback.freePort())
    folder.write(Array(settings.utf8), to: "snapserver.conf")
    options = [
      "--server.datadir=\(folder.path)", "--tcp.port=\(port)", "--tcp.bind_to_address=127.0.0.1",
      "--stream.port=\(streamPort)", "--stream.bind_to_address=127.0.0.1",
    ]
    try start()
  }

  deinit { for process in Array(clients.values) + [server].compactMap({ $0 }) { Self.end(process, SIGKILL) } }

  /// Starts the server and waits until it accepts connections.
  public func start() throws {
    server = try Self.run("snapserver", ["--config", folder.path + "/snapserver.conf"] + options)
    let end = monotonicSeconds() + 10
    while monotonicSeconds() < end {
      if let connection = Loopback.connection(to: port) {
        close(connection)
        return try restartClients()
      }
      usleep(10_000)
    }
    throw POSIXError(.ETIMEDOUT)
  }

  /// Restarts all clients: the file player of snapclient 0.26 sometimes hangs after a server's end.
  private func restartClients() throws {
    for id in Array(clients.keys) {
      killClient(id)
      try addClient(id)
    }
  }

  /// Kills the server and waits for its end.
  public func stop() {
    if let server { Self.end(server, SIGKILL) }
    server = nil
  }

  /// Stops the server's process (SIGSTOP) or continues it (SIGCONT).
  public func setFrozen(_ isFrozen: Bool) {
    if let server { kill(server.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }
  }

  /// Starts a client with a host identifier.
  public func addClient(_ id: String) throws {
    clients[id] = try Self.run(
      "snapclient",
      ["-h", "127.0.0.1", "-p", "\(streamPort)", "--hostID", id, "--player", "file:filename=/dev/null"])
  }

  /// Kills a client.
  public func killClient(_ id: String) { if let client = clients.removeValue(forKey: id) { Self.end(client, SIGKILL) } }

  /// Sends a request as another program of the house. Returns the whole response; nil after 5 s without data.
  public func request(_ method: String, _ parameters: String = "{}") -> [String: Any]? {
    guard let connection = Loopback.connection(to: port) else { return nil }
    defer { close(connection) }
    let line = Array(#"{"id":1,"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#.utf8) + [13, 10]
    _ = line.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    while true {
      // Notifications for other clients may precede the response.
      for line in bytes.split(separator: 10) where bytes.last == 10 {
        let answer = (try? JSONSerialization.jsonObject(with: Data(line))) as? [String: Any]
        if answer?["id"] as? Int == 1 { return answer }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  /// Returns a client's volume from the server; nil if the server does not know the client.
  public func volume(of id: String) -> (percent: Int, isMuted: Bool)? {
    let result = request("Client.GetStatus", #"{"id":"\#(id)"}"#)?["result"] as? [String: Any]
    let config = (result?["client"] as? [String: Any])?["config"] as? [String: Any]
    guard let volume = config?["volume"] as? [String: Any], let percent = volume["percent"] as? Int,
      let isMuted = volume["muted"] as? Bool
    else { return nil }
    return (percent, isMuted)
  }

  /// Writes audio that sounds silent into the pipe until the feed is closed. Returns nil if the pipe cannot be opened.
  public func play() -> Feed? { Feed(pipe) }

  /// Audio for the server's pipe.
  public final class Feed: Sendable {
    private let isEnding = Locked(false)

    fileprivate init?(_ path: String) {
      // Opened for reading too: opening a pipe without a reader would fail, and the server reopens it at times.
      let pipe = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard pipe >= 0 else { return nil }
      Thread.detachNewThread { [isEnding] in
        let piece = [UInt8](repeating: 1, count: 9_600)
        while !isEnding.withLock({ $0 }) {
          _ = write(pipe, piece, piece.count)
          usleep(50_000)
        }
        Glibc.close(pipe)
      }
    }

    /// Stops the feed.
    public func close() { isEnding.withLock { $0 = true } }
  }

  private static func run(_ name: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Repository.tool(name) ?? name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func end(_ process: Process, _ signal: Int32) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
  }
}
