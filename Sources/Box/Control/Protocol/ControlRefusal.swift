import Units

/// The reason for refusing a command, with MPD's error code and message.
public struct ControlRefusal: Error, Equatable, Sendable {
  /// MPD's error codes.
  public enum Code: Int, Sendable {
    case argument = 2
    case password = 3
    case permission = 4
    case unknown = 5
    case notFound = 50
    case full = 51
    case system = 52
    case notPlaying = 55
    case exists = 56
  }

  /// The error code.
  public let code: Code
  /// The message for the client.
  public let message: String

  /// Creates a refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let badIndex = ControlRefusal(.argument, "Bad song index")
  static let noSong = ControlRefusal(.notFound, "No such song")
  static let notPlaying = ControlRefusal(.notPlaying, "Not playing")
  static let noDatabase = ControlRefusal(.notFound, "No database")
  static let noDirectory = ControlRefusal(.notFound, "No such directory")
  /// The station directory named an address in a network that the directory must not reach.
  public static let outsideReach = ControlRefusal(
    .permission,
    "The station directory gives an address in your own network for this station; Bakelite does not play it.")
  /// The queue has no room.
  public static let queueFull = ControlRefusal(.full, "Playlist is too large")

  /// Returns the `ACK` line for the command at an index in its list. Removes secrets from addresses in the message.
  func line(to command: String, at index: Int) -> String {
    "ACK [\(code.rawValue)@\(index)] {\(command)} \(ControlAnswer.oneLine(StationAddress.redacting(message)))\n"
  }
}
