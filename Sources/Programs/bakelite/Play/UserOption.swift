import ArgumentParser
import Framing
import Glibc
import Http
import System

/// Reads name and password from `--user`, from its file, or from the environment.
enum UserOption {
  /// Returns nil if neither the option nor `BAKELITE_USER` is set.
  static func credentials(_ option: String?) throws -> Credentials? {
    guard let given = option ?? getenv("BAKELITE_USER").map({ String(cString: $0) }) else { return nil }
    let text = given.hasPrefix("@") ? try firstLine(of: String(given.dropFirst()), for: "--user") : given
    guard let colon = text.firstIndex(of: ":") else {
      throw failure(.wrongUse, "--user or BAKELITE_USER has no colon; write it as NAME:PASSWORD.")
    }
    return Credentials(name: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
  }

  /// Returns the first line of an option's file, at most 4,095 bytes.
  static func firstLine(of path: String, for option: String) throws -> String {
    guard let file = fopen(path, "re") else {
      let reason = errnoText(errno, isCapitalized: true)
      throw failure(.wrongUse, "\(option): the file \(DisplayText.clean(path)) cannot be read: \(reason).")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 4_096)
    guard fgets(&line, Int32(line.count), file) != nil else {
      throw failure(
        .wrongUse, "\(option): the file \(DisplayText.clean(path)) is empty; write the value to its first line.")
    }
    let bytes = line.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Returns true if the path exists, also for a folder (access(2)).
func isFile(_ path: String) -> Bool { access(path, F_OK) == 0 }

func isSameFile(_ one: String, _ other: String) -> Bool {
  var (first, second) = (stat(), stat())
  guard stat(one, &first) == 0, stat(other, &second) == 0, first.st_mode & S_IFMT == S_IFREG else { return false }
  return (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
}

/// Formats a number without ".0".
func figure<Number>(_ value: Number) -> String {
  (value as? Double).flatMap { Int(exactly: $0) }.map { "\($0)" } ?? "\(value)"
}

/// Refuses an option's value outside its range.
func check<Number: Comparable>(
  _ option: String, _ value: Number?, _ range: ClosedRange<Number>, _ unit: String? = nil
) throws {
  guard let value, !range.contains(value) else { return }
  let limits = "\(figure(range.lowerBound)) and \(figure(range.upperBound))" + (unit.map { " \($0)" } ?? "")
  throw ValidationError("\(option) is \(figure(value)), and must lie between \(limits).")
}
