/// Why nothing is known of a Snapcast server's rooms.
public enum RoomFault: Equatable, Sendable {
  /// Its name leads nowhere: what getaddrinfo(3) answered.
  case unknownHost(code: Int32)
  /// Nobody answers there: what connect(2) answered.
  case unreachable(errno: Int32)
  /// It ended the connection.
  case closed
  /// It left a request unanswered.
  case silent
  /// What it sends is not of Snapcast.
  case garbled
  /// A message of it is longer, or holds more, than is read.
  case tooLarge
}
