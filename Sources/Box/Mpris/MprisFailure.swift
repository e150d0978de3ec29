/// The reason for the end of a connection to a bus.
public enum MprisFailure: Equatable, Sendable {
  /// The bus closed the connection.
  case ended
  /// The bus sent too much, or no messages.
  case flooded
  /// The bus accepts no messages.
  case stuck
  /// The bus refused the sign-in or the names.
  case refused

  /// Returns the event in words, without a full stop.
  public func words(about bus: MprisBus) -> String {
    switch self {
    case .ended: "The \(bus.name) closed the connection"
    case .flooded: "The \(bus.name) sent too many or too long messages"
    case .stuck: "The \(bus.name) accepts no messages"
    case .refused: "The \(bus.name) refused the connection"
    }
  }
}
