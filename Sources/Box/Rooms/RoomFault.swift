/// The reason why the rooms of a Snapcast server are unknown.
public enum RoomFault: Equatable, Sendable {
  /// The name cannot be resolved; the value is the result of getaddrinfo(3).
  case unknownHost(code: Int32)
  /// The connection failed; the value is the errno of connect(2).
  case unreachable(errno: Int32)
  /// The server closed the connection.
  case closed
  /// The server did not reply to a request.
  case silent
  /// The server does not speak Snapcast's protocol.
  case garbled
  /// A message exceeds the limits.
  case tooLarge
}
