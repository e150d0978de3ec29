import Units

/// Why a command is refused, in MPD's numbers and words.
public struct ControlRefusal: Error, Equatable, Sendable {
  /// MPD's numbers.
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

  /// The number.
  public let code: Code
  /// The words.
  public let message: String

  /// A refusal with a number and words.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let badIndex = ControlRefusal(.argument, "Bad song index")
  static let noSong = ControlRefusal(.notFound, "No such song")
  static let notPlaying = ControlRefusal(.notPlaying, "Not playing")
  static let noDatabase = ControlRefusal(.notFound, "No database")
  static let noDirectory = ControlRefusal(.notFound, "No such directory")
  /// What a directory named leads into a network that it has no business in.
  public static let outsideReach = ControlRefusal(
    .permission, "The station directory names an address of your own network there; such a one is not played.")
  /// The queue has no room.
  public static let queueFull = ControlRefusal(.full, "Playlist is too large")

  /// The line that answers the command at an index of its list; an address in what the client said keeps no secret.
  func line(to command: String, at index: Int) -> String {
    "ACK [\(code.rawValue)@\(index)] {\(command)} \(ControlAnswer.oneLine(StationAddress.redacting(message)))\n"
  }
}
