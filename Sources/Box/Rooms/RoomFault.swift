/// The reason why the rooms of a Snapcast server are unknown.
public enum RoomFault: Error, Equatable, Sendable {
  /// The host name cannot be resolved; the value is the result of getaddrinfo(3).
  case unknownHost(code: Int32)
  /// The connection failed; the value is the errno of connect(2).
  case unreachable(errno: Int32)
  case closed
  case silent
  /// The server does not speak Snapcast's protocol.
  case garbled
  case tooLarge
}
