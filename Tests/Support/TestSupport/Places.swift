import Foundation

/// The repository that the tests were built from.
public enum Repository {
  /// Its root: the nearest folder above this file that has a manifest.
  public static let root: String = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  /// Where a program of this machine is (`PATH`); nil where it is not.
  public static func tool(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A path, where a program lies there.
  static func tool(at path: String) -> String? { FileManager.default.isExecutableFile(atPath: path) ? path : nil }

  /// The bytes of a file of the repository.
  public static func bytes(_ path: String) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else { fatalError("\(path) is missing") }
    return Array(data)
  }

  /// A file of the repository as text.
  public static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}

/// A folder of a test's own, gone when the test is over.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// An empty folder.
  public init() {
    path = NSTemporaryDirectory() + "/bakelite-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Puts a file into it; its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(bytes))
    return path + "/" + name
  }

  /// What a file in it holds.
  public func bytes(of name: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: path + "/" + name) ?? Data())
  }
}

/// What this process has taken from the kernel.
public enum ProcessState {
  /// Open descriptors.
  public static var descriptorCount: Int { count("/proc/self/fd") }
  /// Threads of the engine, by their names.
  public static var engineThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("bk-") == true
    }
  }

  /// Seconds of a processor that the engine's threads of a name took, in hundredths (proc_pid_stat(5)).
  public static func threadSeconds(_ name: String) -> Double {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.reduce(0) { sum, task in
      let text = (try? String(contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8)) ?? ""
      guard let end = text.lastIndex(of: ")"), text[..<end].hasSuffix("(\(name)") else { return sum }
      return sum + text[end...].split(separator: " ").dropFirst(12).prefix(2).reduce(0) { $0 + (Double($1) ?? 0) / 100 }
    }
  }

  private static func count(_ folder: String) -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count
  }
}
