import Foundation

/// Runs a built program as a child process.
public final class Program: @unchecked Sendable {
  /// The result of a run.
  public struct Outcome: Sendable {
    /// The exit code.
    public var code: Int32
    /// The bytes on standard output.
    public var output: [UInt8]
    /// The text on standard error.
    public var errors: String
    /// Duration in seconds.
    public var time: Double

    /// Standard output as text.
    public var outputText: String { String(decoding: output, as: UTF8.self) }

    /// The names of the events on standard output. Each line must be JSON.
    public var events: [String] {
      outputText.split(separator: "\n").map { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["event"] as? String ?? "no JSON: \(line)"
      }
    }
  }

  private let process = Process()
  private let output = Collector()
  private let errors = Collector()
  private let start = monotonicSeconds()

  /// Starts `bakelite` or another built program with an empty environment.
  ///
  /// - Parameters:
  ///   - others: A command that starts the program, such as a wrapper, with its arguments.
  ///   - terminal: The terminal for input and output; nil: no input, and pipes for output.
  ///   - resolver: The file that replaces resolv.conf(5).
  public init(
    _ arguments: [String], name: String = "bakelite", by others: [String] = [], environment: [String: String] = [:],
    directory: String? = nil, terminal: FileHandle? = nil, resolver: String? = nil
  ) throws {
    // A mount namespace of its own allows another resolv.conf(5).
    let mount = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""
    let stage = resolver.map { ["/usr/bin/unshare", "-m", "/bin/sh", "-c", mount, $0] } ?? []
    let words = stage + others + [Self.folder.appendingPathComponent(name).path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    process.standardInput = terminal ?? FileHandle.nullDevice
    process.standardOutput = terminal ?? output.pipe
    process.standardError = errors.pipe
    try process.run()
    output.begin()
    errors.begin()
  }

  /// The folder of the test bundle and the programs.
  public static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs a program to its end.
  public static func run(
    _ arguments: String..., environment: [String: String] = [:], directory: String? = nil, within seconds: Double = 20
  ) throws -> Outcome {
    try Program(arguments, environment: environment, directory: directory).waitForEnd(within: seconds)
  }

  /// True if the program still runs.
  public var isRunning: Bool { process.isRunning }

  /// The process identifier.
  public var identifier: Int32 { process.processIdentifier }

  /// Sends SIGINT, like Ctrl-C.
  public func interrupt() { signal(SIGINT) }

  /// Sends a signal.
  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Closes the reading end of the standard output.
  public func closeOutput() { output.close() }

  /// Waits until standard error contains a text. Returns false on a timeout.
  public func waitForError(_ text: String, within seconds: Double = 10) -> Bool {
    wait(seconds) { self.errors.text.contains(text) }
  }

  /// Waits until standard output has `count` bytes. Returns false on a timeout.
  public func waitForOutput(_ count: Int, within seconds: Double = 10) -> Bool {
    wait(seconds) { self.output.byteCount >= count }
  }

  /// Standard error so far.
  public var errorsSoFar: String { errors.text }

  /// Number of threads.
  public var threadCount: Int { threads.count }

  /// Returns the wake-ups of all threads per second, measured over `seconds`.
  public func wakeRate(over seconds: Double) -> Double {
    let (before, start) = (wakeUps, monotonicSeconds())
    _ = wait(seconds) { !self.process.isRunning }
    return Double(wakeUps - before) / (monotonicSeconds() - start)
  }

  /// The anonymous memory in KiB (RssAnon in /proc/PID/status).
  public var anonymousKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private var wakeUps: Int { threads.reduce(0) { $0 + $1.wakes } }

  /// Returns the number of wake-ups of a thread so far; nil if the thread does not exist.
  public func wakeCount(of thread: String) -> Int? { threads.first { $0.name == thread }?.wakes }

  /// The threads with their voluntary context switches so far.
  private var threads: [(name: String, wakes: Int)] {
    let tasks = "/proc/\(process.processIdentifier)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).map { task in
      let status = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
      let lines = status.split(separator: "\n")
      func value(_ key: String) -> Substring? { lines.first { $0.hasPrefix(key) }?.split(separator: "\t").last }
      return (String(value("Name:") ?? ""), value("voluntary_ctxt_switches:").flatMap { Int($0) } ?? 0)
    }
  }

  /// Waits for the end of the program. On a timeout the program is killed, and its code is 9.
  public func waitForEnd(within seconds: Double = 20) throws -> Outcome {
    if !wait(seconds, until: { self.hasEnded }) { kill(process.processIdentifier, SIGKILL) }
    let code = reap()
    output.finish()
    errors.finish()
    return Outcome(code: code, output: output.bytes, errors: errors.text, time: monotonicSeconds() - start)
  }

  private var hasEnded: Bool { !process.isRunning || isZombie }

  /// True if the child has ended (proc(5), the state after the name in parentheses).
  private var isZombie: Bool {
    let stat = (try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? ""
    return stat.lastIndex(of: ")").map { stat[$0...].hasPrefix(") Z") } ?? false
  }

  /// Returns the exit code or the signal of the ended child. Foundation does not notice the end of a child while
  /// another process has inherited the child's descriptors.
  private func reap() -> Int32 {
    if wait(2, until: { !self.process.isRunning }) { return process.terminationStatus }
    var status: Int32 = 0
    guard waitpid(process.processIdentifier, &status, 0) > 0 else {
      process.waitUntilExit()
      return process.terminationStatus
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  private func wait(_ seconds: Double, until isDone: () -> Bool) -> Bool {
    let deadline = monotonicSeconds() + seconds
    while !isDone() {
      if monotonicSeconds() > deadline { return false }
      usleep(5_000)
    }
    return true
  }
}

private final class Collector: @unchecked Sendable {
  let pipe = Pipe()
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var received: [UInt8] = []
  private var isClosed = false

  var bytes: [UInt8] { lock.withLock { received } }
  var byteCount: Int { lock.withLock { received.count } }
  /// Created under the lock: ThreadSanitizer does not recognize the reference count of arrays.
  var text: String { lock.withLock { String(decoding: received, as: UTF8.self) } }

  func begin() {
    try? pipe.fileHandleForWriting.close()
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { break }
        let isOver = lock.withLock {
          received += buffer.prefix(count)
          return isClosed
        }
        if isOver { break }
      }
      try? pipe.fileHandleForReading.close()
      done.signal()
    }
  }

  func close() { lock.withLock { isClosed = true } }

  /// Waits for the end of the output. A process that inherited the pipe ends this wait after 5 s.
  func finish() { _ = done.wait(timeout: .now() + 5) }
}
