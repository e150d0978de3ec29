import Glibc
import System

/// A file with data that the radio writes itself, replaced atomically.
struct KeptFile: Sendable {
  let path: String
  /// Maximum length in bytes; a longer file counts as damaged.
  let byteLimit: Int
  /// The error text if the file's bytes are invalid.
  let damage: String
  let consequence: String

  /// Reads the file and parses it with `read`. `value` is nil if the file is missing or unusable. An unusable file is
  /// renamed to `PATH.broken`, and `problem` describes the fault.
  func load<Value>(_ read: ([UInt8]) -> Value?) -> (value: Value?, problem: SettingsError?) {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return (nil, nil) }
    let bytes: [UInt8]
    do throws(SettingsError) { bytes = try SmallFile.read(path, limit: byteLimit) } catch {
      return (nil, .setAside(path, error.problem, consequence))
    }
    if let value = read(bytes) { return (value, nil) }
    return (nil, .setAside(path, damage, consequence))
  }

  /// Replaces the file (`rename(2)`). If it throws, the old file stays. The call blocks for some 10 ms.
  func save(_ text: String) throws(SettingsError) {
    try AtomicFile(path).replace(with: Array(text.utf8), mode: 0o600)
  }
}

extension SettingsError {
  /// Renames a broken file and returns the error. If `keepsOlder` is true, up to eight older broken files stay.
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
