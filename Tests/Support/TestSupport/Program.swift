import Foundation

/// The built program, run as a child as a shell would.
public final class Program: @unchecked Sendable {
  /// What a run left behind.
  public struct Outcome: Sendable {
    /// Its exit code.
    public var code: Int32
    /// What it wrote to standard output.
    public var output: [UInt8]
    /// What it wrote to standard error.
    public var errors: String
    /// Seconds that it took.
    public var time: Double

    /// Standard output as text.
    public var outputText: String { String(decoding: output, as: UTF8.self) }

    /// The names of the events on standard output, each line of which must be JSON.
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

  /// Starts `bakelite`, or another of the programs, by another program that becomes it where one is given `by` its path
  /// and arguments; the environment is empty, and so is the input unless it is a terminal. `resolver` is a file that
  /// names other name servers.
  public init(
    _ arguments: [String], name: String = "bakelite", by others: [String] = [], environment: [String: String] = [:],
    directory: String? = nil, terminal: FileHandle? = nil, resolver: String? = nil
  ) throws {
    // In a mount namespace of its own, another file is its resolv.conf(5).
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

  /// It lies beside the test bundle.
  public static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Runs it to its end.
  public static func run(
    _ arguments: String..., environment: [String: String] = [:], directory: String? = nil, within seconds: Double = 20
  ) throws -> Outcome {
    try Program(arguments, environment: environment, directory: directory).end(within: seconds)
  }

  /// Whether it has not ended yet.
  public var isRunning: Bool { process.isRunning }

  /// Its process.
  public var identifier: Int32 { process.processIdentifier }

  /// Sends SIGINT, as Ctrl-C does.
  public func interrupt() { signal(SIGINT) }

  /// Sends a signal.
  public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Closes the reading end of its standard output.
  public func closeOutput() { output.close() }

  /// Waits until standard error says something; false when that takes too long.
  public func says(_ text: String, within seconds: Double = 10) -> Bool {
    wait(seconds) { self.errors.text.contains(text) }
  }

  /// Waits until standard output has so many bytes.
  public func hasWritten(_ count: Int, within seconds: Double = 10) -> Bool {
    wait(seconds) { self.output.byteCount >= count }
  }

  /// What it wrote to standard error so far.
  public var errorsSoFar: String { errors.text }

  /// How many threads it has.
  public var threadCount: Int { threads.count }

  /// How often a second its threads wake, counted for so many seconds from now on.
  public func wakeRate(over seconds: Double) -> Double {
    let (before, start) = (wakeUps, monotonicSeconds())
    _ = wait(seconds) { !self.process.isRunning }
    return Double(wakeUps - before) / (monotonicSeconds() - start)
  }

  /// Its anonymous memory, in KiB (RssAnon of /proc/PID/status).
  public var anonymousKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  /// Voluntary context switches of all its threads so far.
  private var wakeUps: Int { threads.reduce(0) { $0 + $1.wakes } }

  /// How often a thread has woken so far, by its name; nil where there is none.
  public func wakes(of thread: String) -> Int? { threads.first { $0.name == thread }?.wakes }

  /// Its threads, and the voluntary context switches of each so far.
  private var threads: [(name: String, wakes: Int)] {
    let tasks = "/proc/\(process.processIdentifier)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).map { task in
      let status = (try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)) ?? ""
      let lines = status.split(separator: "\n")
      func value(_ key: String) -> Substring? { lines.first { $0.hasPrefix(key) }?.split(separator: "\t").last }
      return (String(value("Name:") ?? ""), value("voluntary_ctxt_switches:").flatMap { Int($0) } ?? 0)
    }
  }

  /// Waits for its end; a program that does not end is killed, and its code is then 9.
  public func end(within seconds: Double = 20) throws -> Outcome {
    if !wait(seconds, until: { !self.process.isRunning }) { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    output.finish()
    errors.finish()
    return Outcome(
      code: process.terminationStatus, output: output.bytes, errors: errors.text, time: monotonicSeconds() - start)
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

/// Gathers what comes through a pipe.
private final class Collector: @unchecked Sendable {
  let pipe = Pipe()
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)
  private var gathered: [UInt8] = []
  private var isClosed = false

  var bytes: [UInt8] { lock.withLock { gathered } }
  var byteCount: Int { lock.withLock { gathered.count } }
  /// Made while nobody appends: ThreadSanitizer does not see that an array's owners are counted.
  var text: String { lock.withLock { String(decoding: gathered, as: UTF8.self) } }

  func begin() {
    try? pipe.fileHandleForWriting.close()
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count <= 0 { break }
        let isOver = lock.withLock {
          gathered += buffer.prefix(count)
          return isClosed
        }
        if isOver { break }
      }
      try? pipe.fileHandleForReading.close()
      done.signal()
    }
  }

  func close() { lock.withLock { isClosed = true } }
  func finish() { done.wait() }
}
