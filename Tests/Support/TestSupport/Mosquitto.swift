import Foundation

/// A real MQTT broker (mosquitto) on a free loopback port.
public final class Mosquitto {
  private static let path = Repository.tool("mosquitto") ?? Repository.tool(at: "/usr/sbin/mosquitto")

  /// True if the broker and its clients are installed.
  public static let isInstalled =
    path != nil && Repository.tool("mosquitto_sub") != nil && Repository.tool("mosquitto_pub") != nil

  /// The port of the broker.
  public let port: Int
  /// The folder with the broker's files.
  public let folder = TemporaryFolder()
  private var process: Process?
  private let secrets: [String]

  /// Starts a broker with further settings. `secrets`: the sign-in options of its clients.
  public init(_ settings: String = "allow_anonymous true", secrets: [String] = []) throws {
    self.secrets = secrets
    port = try Self.freePort()
    let lines = ["listener \(port) 127.0.0.1", settings, "persistence false", "user \(NSUserName())", "log_type error"]
    folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "mosquitto.conf")
    try start()
  }

  deinit { signal(SIGKILL) }

  /// Starts the broker and waits until it accepts connections.
  public func start() throws {
    guard let path = Self.path else { throw POSIXError(.ENOENT) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-c", folder.path + "/mosquitto.conf"]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    self.process = process
    let end = monotonicSeconds() + 10
    while !Self.acceptsConnections(port) {
      guard process.isRunning, monotonicSeconds() < end else { throw POSIXError(.ECONNREFUSED) }
      usleep(5_000)
    }
  }

  /// Sends a signal to the broker. After SIGKILL, waits for its end.
  public func signal(_ number: Int32) {
    guard let process, process.isRunning else { return }
    kill(process.processIdentifier, number)
    if number == SIGKILL { process.waitUntilExit() }
  }

  /// Publishes a text with `mosquitto_pub`.
  public func publish(_ topic: String, _ text: String, isRetained: Bool = false) throws {
    let client = try client("mosquitto_pub", ["-t", topic, "-m", text] + (isRetained ? ["-r"] : []))
    try client.run()
    client.waitUntilExit()
    guard client.terminationStatus == 0 else { throw POSIXError(.EIO) }
  }

  /// Publishes a message for each line as fast as possible.
  public func publish(_ topic: String, lines: [String]) throws {
    let client = try client("mosquitto_pub", ["-t", topic, "-l"])
    let pipe = Pipe()
    client.standardInput = pipe
    try client.run()
    pipe.fileHandleForWriting.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    try pipe.fileHandleForWriting.close()
    client.waitUntilExit()
    guard client.terminationStatus == 0 else { throw POSIXError(.EIO) }
  }

  /// Subscribes to all topics with `mosquitto_sub`.
  public func subscribe() throws -> Subscriber {
    try Subscriber(try client("mosquitto_sub", ["-t", "#", "-F", "%r %t %p"]))
  }

  private func client(_ name: String, _ arguments: [String]) throws -> Process {
    guard let path = Repository.tool(name) else { throw POSIXError(.ENOENT) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-h", "localhost", "-p", "\(port)"] + secrets + arguments
    return process
  }

  /// A subscriber and its received messages.
  public final class Subscriber: @unchecked Sendable {
    /// A received message.
    public struct Message: Sendable {
      /// True if the broker had retained the message.
      public let isRetained: Bool
      /// The topic of the message.
      public let topic: String
      /// The text of the message.
      public let text: String
    }

    private let process: Process
    private let pipe = Pipe()
    private let lock = NSLock()
    private var bytes: [UInt8] = []

    fileprivate init(_ process: Process) throws {
      self.process = process
      process.standardOutput = pipe
      try process.run()
      try? pipe.fileHandleForWriting.close()
      Thread.detachNewThread { [self] in
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &piece, piece.count), count > 0 {
          lock.withLock { bytes += piece.prefix(count) }
        }
      }
    }

    /// Kills the subscriber.
    public func close() {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    /// All messages so far, if no text contains a line break.
    public var messages: [Message] {
      // Created under the lock: ThreadSanitizer does not recognize the reference count of arrays.
      let text = lock.withLock { String(decoding: bytes, as: UTF8.self) }
      return text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return Message(isRetained: parts[0] == "1", topic: String(parts[1]), text: String(parts[2]))
      }
    }

    /// Waits for a topic with this ending. Returns nil on a timeout.
    public func waitForTopic(endingWith end: String, within seconds: Double = 10) -> String? {
      let deadline = monotonicSeconds() + seconds
      while monotonicSeconds() < deadline {
        if let topic = messages.first(where: { $0.topic.hasSuffix(end) })?.topic { return topic }
        usleep(5_000)
      }
      return nil
    }

    /// Waits until the last message of a topic fulfils a condition. Returns false on a timeout.
    public func waitForMessage(_ topic: String, within seconds: Double = 10, _ isSo: (String) -> Bool) -> Bool {
      let end = monotonicSeconds() + seconds
      while messages.last(where: { $0.topic == topic }).map({ isSo($0.text) }) != true {
        guard monotonicSeconds() < end else { return false }
        usleep(5_000)
      }
      return true
    }
  }

  /// Returns a free port of the loopback address.
  public static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return try bind(descriptor)
  }

  /// Binds a socket to a free loopback port and returns the port.
  static func bind(_ descriptor: Int32) throws -> Int {
    var (address, size) = (Self.loopback(0), socklen_t(MemoryLayout<sockaddr_in>.size))
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, size) | getsockname(descriptor, $0, &size)
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  private static func acceptsConnections(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
