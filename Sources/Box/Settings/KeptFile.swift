import Glibc
import System

/// A file in which a radio keeps something of its own; it is whole at any moment.
struct KeptFile: Sendable {
  let path: String
  /// A longer file is no such file.
  let byteLimit: Int
  /// What is said of a file with other bytes than were written.
  let damage: String
  /// What follows where it cannot be used.
  let consequence: String

  /// What it holds, as `read` makes it of its bytes; nil where there is no file, or none that can be used. `problem` is
  /// a sentence in that case, and the file is set aside as `PATH.broken`.
  func load<Value>(_ read: ([UInt8]) -> Value?) -> (value: Value?, problem: SettingsError?) {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return (nil, nil) }
    let bytes: [UInt8]
    do throws(SettingsError) { bytes = try SmallFile.read(path, limit: byteLimit) } catch {
      return (nil, .setAside(path, error.problem, consequence))
    }
    if let value = read(bytes) { return (value, nil) }
    return (nil, .setAside(path, damage, consequence))
  }

  /// Replaces what it holds (`rename(2)`); some 10 ms on an SD card, so not on a thread that may not wait.
  ///
  /// - Throws: `SettingsError` where it cannot be written; what it held before then stays.
  func save(_ text: String) throws(SettingsError) {
    try AtomicFile(path).replace(with: Array(text.utf8), mode: 0o600)
  }
}

extension SettingsError {
  /// Gives a broken file another name, for whoever wants to look at it, and says so. With `keepsOlder` up to eight that
  /// were set aside before stay.
  static func setAside(
    _ path: String, _ problem: String, _ consequence: String, keepsOlder: Bool = false
  ) -> SettingsError {
    let names = ["\(path).broken"] + (2...9).map { "\(path).broken-\($0)" }
    let name: String = names.first { !keepsOlder || access($0, F_OK) != 0 } ?? names[0]
    let isMoved = rename(path, name) == 0
    let fate = isMoved ? "it is kept as \(name)" : "it cannot be set aside (\(errnoText(errno, isCapitalized: true)))"
    return SettingsError(path, "\(problem); \(fate), and \(consequence)")
  }
}
