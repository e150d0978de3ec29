import Glibc
import System

/// Errors that prevent serving the control protocol.
public enum ControlError: Error, Equatable, CustomStringConvertible {
  case pathTooLong(String)
  case taken(String)
  case notASocket(String)
  /// The group does not exist (`getgrnam(3)`).
  case noGroup(String)
  case badAddress(String)
  case needsPassword(String)
  /// The system refused `bind(2)` or `listen(2)`.
  case refused(String, errno: Int32)

  /// A sentence for users.
  public var description: String {
    switch self {
    case .pathTooLong(let path): "The control socket's path \(path) is too long; choose one of 107 bytes at most."
    case .taken(let path): "Another radio serves the control socket \(path); stop it, or choose another path."
    case .notASocket(let path): "\(path) is a file and no control socket; choose another path."
    case .noGroup(let name):
      "There is no group \(name) for the control socket; create it, or name another group."
    case .badAddress(let text):
      "\(text) is not an address to listen on; write a numeric address and a port, such as 127.0.0.1:6600 or "
        + "[::1]:6600."
    case .needsPassword(let address):
      "Everybody in the network could control this radio at \(address), because it has no password; set a password, "
        + "or listen on 127.0.0.1 only."
    case .refused(let place, let code):
      "Clients cannot be served at \(place): \(errnoText(code, isCapitalized: true)); choose another place."
    }
  }
}
