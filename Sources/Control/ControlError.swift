import Glibc

/// Why the control socket cannot be served.
public enum ControlError: Error, Equatable, CustomStringConvertible {
  /// The path is longer than a socket's can be.
  case pathTooLong(String)
  /// Another radio serves it.
  case taken(String)
  /// A file is there that is no socket.
  case notASocket(String)
  /// The system refuses: `bind(2)`, `listen(2)`.
  case refused(String, errno: Int32)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .pathTooLong(let path): "The control socket's path \(path) is too long; choose one of 107 bytes at most."
    case .taken(let path): "Another radio serves the control socket \(path); stop it, or choose another path."
    case .notASocket(let path): "\(path) is a file and no control socket; choose another path."
    case .refused(let path, let code):
      "The control socket \(path) cannot be served: \(String(cString: strerror(code))); choose another path."
    }
  }
}
