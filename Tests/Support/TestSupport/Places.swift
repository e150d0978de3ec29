import Foundation

/// The repository of the tests.
public enum Repository {
  /// The root: the nearest folder above this file with a manifest.
  public static let root: String = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  /// Returns the path of an installed program (`PATH`); nil if it is not installed.
  public static func tool(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Returns `path` if it is an executable file, else nil.
  static func tool(at path: String) -> String? { FileManager.default.isExecutableFile(atPath: path) ? path : nil }

  /// Returns the bytes of a file in the repository.
  public static func bytes(_ path: String) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: root + "/" + path) else { fatalError("\(path) is missing") }
    return Array(data)
  }

  /// Returns a file in the repository as text.
  public static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }
}

/// A folder for a test, deleted with the object.
public final class TemporaryFolder: Sendable {
  /// The path of the folder.
  public let path: String

  /// Creates an empty folder.
  public init() {
    path = NSTemporaryDirectory() + "/bakelite-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(bytes))
    return path + "/" + name
  }

  /// Returns the bytes of a file; empty if it does not exist.
  public func bytes(of name: String) -> [UInt8] {
    Array(FileManager.default.contents(atPath: path + "/" + name) ?? Data())
  }
}

/// Kernel resources of this process.
public enum ProcessState {
  /// Number of open descriptors.
  public static var descriptorCount: Int { count("/proc/self/fd") }
  /// Number of threads with names of the engine ("bk-…").
  public static var engineThreadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("bk-") == true
    }
  }

  /// Returns the processor time of all threads with a name, in seconds with a resolution of 1/100 s (proc_pid_stat(5)).
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
