import Framing
import Json

/// A room: a client of a Snapcast server, which plays the stream of its group.
public struct Room: Equatable, Sendable {
  /// The id on the server.
  public let id: String
  /// The room's number, from 1. The number stays the same while the server reports the room.
  public internal(set) var number = 0
  /// The room's name in the server's settings; if empty, the machine's name; if that is empty, the id. Cleaned for a
  /// display; never empty.
  public internal(set) var name = ""
  /// True if the client is connected.
  public internal(set) var isConnected = false
  /// The volume in percent, 0 … 100.
  public internal(set) var volume = 0
  /// True if the room is muted, not only its group.
  public internal(set) var isMutedItself = false
  /// True if the group is muted.
  public internal(set) var isGroupMuted = false
  /// The id of the room's stream.
  public internal(set) var stream = ""
  /// The hardware address of the client's network card, in lower case: "02:fc:00:00:00:01".
  public private(set) var hardwareAddress = ""
  /// The name of the client's machine.
  public private(set) var host = ""
  var group = ""

  /// True if the room or its group is muted.
  public var isMuted: Bool { isMutedItself || isGroupMuted }

  /// Maximum length in bytes of the id of a room, group or stream.
  static let maxIdLength = 128
  private static let maxNameLength = 40

  /// Parses a client; nil without an id or a volume.
  init?(_ client: JsonValue) {
    guard let id = client["id"]?.string, !id.isEmpty, id.utf8.count <= Self.maxIdLength else { return nil }
    self.id = id
    host = Self.clean(client["host"]?["name"]?.string)
    hardwareAddress = Self.clean(client["host"]?["mac"]?.string).lowercased()
    isConnected = client["connected"]?.bool ?? false
    rename(client["config"]?["name"]?.string)
    guard apply(volume: client["config"]?["volume"]) else { return nil }
  }

  mutating func rename(_ given: String?) {
    name = [Self.clean(given), host, Self.clean(id)].first { !$0.isEmpty } ?? "?"
  }

  mutating func apply(volume value: JsonValue?) -> Bool {
    guard let percent = value?["percent"]?.number, let isMuted = value?["muted"]?.bool else { return false }
    volume = Int(max(0, min(100, percent.rounded())))
    isMutedItself = isMuted
    return true
  }

  static func clean(_ text: String?) -> String {
    DisplayText.clean(text ?? "", characterLimit: maxNameLength, byteLimit: 4 * maxNameLength)
  }
}
