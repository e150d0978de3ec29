import Glibc
import System

/// Files that are read completely.
public enum SmallFile {
  /// Reads a file (`WholeFile`). Throws if the path is not readable, is not a regular file, or has more than `limit`
  /// bytes. A pipe never blocks the call.
  public static func read(_ path: String, limit: Int) throws(SettingsError) -> [UInt8] {
    do throws(WholeFile.Problem) { return try WholeFile.read(path, limit: limit) } catch {
      switch error {
      case .unreadable(let code): throw SettingsError(path, cannot: "read", errno: code)
      case .noFile: throw SettingsError(path, "it is no file")
      case .tooLong: throw SettingsError(path, "it is longer than \(limit) bytes; is it the right file?")
      }
    }
  }

  /// Reads the first line of a file with a secret. `place`: an absolute path, or the name of a service credential from
  /// systemd (`LoadCredential=`, systemd.exec(5)).
  static func secret(_ place: String) throws(SettingsError) -> String {
    if place.contains("/") { return try firstLine(place) }
    guard let folder = getenv("CREDENTIALS_DIRECTORY") else {
      throw SettingsError(
        place,
        "it names a credential, but the service has no credentials; put the secret into /etc/credstore/\(place), for "
          + "which the unit needs LoadCredential=, or name a file by a path that begins with /")
    }
    return try firstLine("\(String(cString: folder))/\(place)")
  }

  static func firstLine(_ path: String) throws(SettingsError) -> String {
    String(decoding: try read(path, limit: 4_096).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }
}
