import Glibc
import System

/// Data that the radio writes itself into a file of its own.
package protocol KeptContent: Sendable {
  /// The file's name in the state folder, its limit and its error texts.
  static var place: KeptPlace { get }
  /// The text of the file.
  var fileText: String { get }

  /// Reads a file. Nil if the bytes are invalid.
  init?(_ bytes: [UInt8])
}

/// The name, limit and error texts of a `KeptFile`.
package struct KeptPlace: Sendable {
  let name: String
  /// Maximum length in bytes; a longer file counts as damaged.
  let byteLimit: Int
  /// The error text if the file's bytes are invalid.
  let damage: String
  let consequence: String
}

/// A file in the folder of `[state] path`, replaced atomically. Only its owner can read it.
package struct KeptFile<Content: KeptContent>: Sendable {
  package let path: String
  private let place = Content.place

  /// Uses the file in a folder, which must exist before `save`.
  package init(folder: String) { path = "\(folder)/\(place.name)" }

  /// Reads the file. `content` is nil if the file is missing or unusable. An unusable file is renamed to `PATH.broken`,
  /// and `problem` describes the fault.
  package func load() -> (content: Content?, problem: SettingsError?) {
    guard access(path, F_OK) == 0 || errno != ENOENT else { return (nil, nil) }
    let bytes: [UInt8]
    do throws(SettingsError) { bytes = try SmallFile.read(path, limit: place.byteLimit) } catch {
      return (nil, .setAside(path, error.problem, place.consequence))
    }
    if let content = Content(bytes) { return (content, nil) }
    return (nil, .setAside(path, place.damage, place.consequence))
  }

  /// Reads the file, but does not rename a broken file. Nil if no usable file exists.
  package func peek() -> Content? {
    (try? SmallFile.read(path, limit: place.byteLimit)).flatMap { Content($0) }
  }

  /// Replaces the file (`rename(2)`), or removes the file (`unlink(2)`) if `content` is nil. If it throws, the old file
  /// stays. The call blocks for some 10 ms.
  package func save(_ content: Content?) throws(SettingsError) {
    if let content { return try AtomicFile(path).replace(with: Array(content.fileText.utf8), mode: 0o600) }
    guard unlink(path) == 0 || errno == ENOENT else { throw SettingsError(path, cannot: "removed", errno: errno) }
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
