import System
import Units

enum PasswordFileError: Error, Equatable, CustomStringConvertible {
  case unreadable(String, errno: Int32)
  case noHash(String)
  case unwritable(String, errno: Int32)

  var description: String {
    switch self {
    case .unreadable(let path, let code):
      "The password file \(path) cannot be read: \(errnoText(code)); \(Self.writing(path)) writes it."
    case .noHash(let path): "The password file \(path) contains no password hash; \(Self.writing(path)) writes one."
    case .unwritable(let path, let code):
      "The password file \(path) cannot be written: \(errnoText(code)); use sudo, or name another by --password-file."
    }
  }

  private static func writing(_ path: String) -> String {
    "`bakelite web --set-password\(path == Defaults.webPasswordFile ? "" : " --password-file \(path)")`"
  }
}
