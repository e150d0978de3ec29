import Glibc
import System

/// Why the control protocol cannot be served.
public enum ControlError: Error, Equatable, CustomStringConvertible {
  /// The path is longer than a socket's can be.
  case pathTooLong(String)
  /// Another radio serves it.
  case taken(String)
  /// A file is there that is no socket.
  case notASocket(String)
  /// There is no such group (`getgrnam(3)`).
  case noGroup(String)
  /// It is no address and port.
  case badAddress(String)
  /// Other machines could reach it, and no password keeps them out.
  case needsPassword(String)
  /// The system refuses: `bind(2)`, `listen(2)`.
  case refused(String, errno: Int32)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .pathTooLong(let path): "The control socket's path \(path) is too long; choose one of 107 bytes at most."
    case .taken(let path): "Another radio serves the control socket \(path); stop it, or choose another path."
    case .notASocket(let path): "\(path) is a file and no control socket; choose another path."
    case .noGroup(let name): "There is no group \(name) to let into the control socket; create it, or name another."
    case .badAddress(let text):
      "\(text) is no address to listen on; write a numeric address and a port, such as 127.0.0.1:6600 or [::1]:6600."
    case .needsPassword(let address):
      "Everybody in the network could drive this radio at \(address), since there is no password; set one, or listen "
        + "on 127.0.0.1 only."
    case .refused(let place, let code):
      "Clients cannot be served at \(place): \(errnoText(code, isCapitalized: true)); choose another place."
    }
  }
}
