import Foundation
import Network
import RadioEngine
import System

#if canImport(Testing)
  import Testing
#endif

/// Records the events of radios and the notices of net threads, for `Tests/Tools/Traces/compare.py`.
///
/// `BAKELITE_TRACE` names a folder. Each radio and each net thread appends to a file in it: a JSON object per event, on
/// a line. Without the variable, nothing is recorded.
public final class EventTrace: Sendable {
  private static let folder = ProcessInfo.processInfo.environment["BAKELITE_TRACE"]
  /// Number of files for each test.
  private static let counts = Locked<[String: Int]>([:])
  private let path: String

  /// Creates an empty file for the current test; nil without `BAKELITE_TRACE`. `name`: the name on a thread that runs
  /// outside a test; another file with this name is overwritten.
  init?(_ kind: String, name: String? = nil) {
    guard let folder = Self.folder else { return nil }
    let name = name.map { Self.fileName($0) } ?? Self.nextName
    path = "\(folder)/\(name).\(kind)"
    guard FileManager.default.createFile(atPath: path, contents: nil) else { fatalError("\(path) cannot be written") }
  }

  /// Records all future events of a radio. `name`: see `init`.
  public static func record(_ radio: Radio, as name: String? = nil) {
    guard let trace = EventTrace("radio", name: name) else { return }
    radio.addObserver { event, time in trace.append(event.json(at: time)) }
  }

  /// Records a notice, with the time in seconds.
  func append(_ notice: NetNotice, at time: Double) {
    let text = if case .listed = notice { "listed" } else { "\(notice)" }
    let members: [String: Any] = ["t": time, "event": String(text.prefix { $0 != "(" }), "notice": text]
    guard let line = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys) else { return }
    append(String(decoding: line, as: UTF8.self))
  }

  /// Opens the file for each line, so that tests which count open descriptors see no difference.
  private func append(_ line: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = "\(line)\n".withCString { write(descriptor, $0, strlen($0)) }
    close(descriptor)
  }

  // MARK: Names

  /// The current test with its arguments, and the number of this file.
  private static var nextName: String {
    let name = fileName(testName)
    let number = counts.withLock { counts in
      counts[name, default: 0] += 1
      return counts[name, default: 0]
    }
    return "\(name)-\(number)"
  }

  private static var testName: String {
    #if canImport(Testing)
      guard let test = Test.current else { return "no test" }
      // Without the place in the source.
      let name = "\(test.id)".split(separator: "/").filter { !$0.contains(".swift:") }.joined(separator: ".")
      let arguments = arguments(of: Test.Case.current as Any)
      // The module of a type may change.
      return name + arguments.map { " " + $0.replacing(/\b[A-Z]\w*\.(?=[A-Z])/, with: "") }.joined(separator: ",")
    #else
      return "no test"
    #endif
  }

  /// Returns the arguments of a test case by reflection, because they are not public.
  private static func arguments(of value: Any, depth: Int = 0) -> [String] {
    guard depth < 5 else { return [] }
    return Mirror(reflecting: value).children.flatMap { child in
      guard child.label == "arguments" else { return arguments(of: child.value, depth: depth + 1) }
      return Mirror(reflecting: child.value).children.compactMap { argument in
        Mirror(reflecting: argument.value).children.first { $0.label == "value" }.map { "\($0.value)" }
      }
    }
  }

  /// Returns a file name for a test. A long name, or a name with many replaced characters, ends with its checksum.
  private static func fileName(_ name: String) -> String {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;=+-_()[]@ ")
    let shown = String(name.prefix(160).map { allowed.contains($0) ? $0 : "_" })
    guard shown != name else { return shown }
    let checksum = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\(shown)~\(String(checksum, radix: 16))"
  }
}
