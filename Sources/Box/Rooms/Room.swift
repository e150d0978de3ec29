import Framing
import Json

/// A room: a client of a Snapcast server, which plays what its group's stream sends.
public struct Room: Equatable, Sendable {
  /// What the server knows it by.
  public let id: String
  /// The room's number from 1 on; it stays the same as long as the server tells of the room.
  public internal(set) var number = 0
  /// What people call it, else its machine's name, else its id: cleaned for a display, never empty.
  public internal(set) var name = ""
  /// Whether its client is there.
  public internal(set) var isConnected = false
  /// Its volume in percent, 0 … 100.
  public internal(set) var volume = 0
  /// Whether it alone is muted.
  public internal(set) var isMutedItself = false
  /// Whether its group is muted.
  public internal(set) var isGroupMuted = false
  /// The stream that it plays, by its id.
  public internal(set) var stream = ""
  /// The hardware address of its client's network card, in small letters: "02:fc:00:00:00:01".
  public private(set) var hardwareAddress = ""
  /// The name of its client's machine.
  public private(set) var host = ""
  var group = ""

  /// Whether nothing is heard there, for either reason.
  public var isMuted: Bool { isMutedItself || isGroupMuted }

  /// An id, a name or a stream's id has so many bytes at most.
  static let longestId = 128
  private static let longestName = 40

  /// A client as the server tells it; nil where it has no id or no volume.
  init?(_ client: JsonValue) {
    guard let id = client["id"]?.string, !id.isEmpty, id.utf8.count <= Self.longestId else { return nil }
    self.id = id
    host = Self.clean(client["host"]?["name"]?.string)
    hardwareAddress = Self.clean(client["host"]?["mac"]?.string).lowercased()
    isConnected = client["connected"]?.bool ?? false
    rename(client["config"]?["name"]?.string)
    guard take(volume: client["config"]?["volume"]) else { return nil }
  }

  /// Takes the name that people gave it, nil or empty for none.
  mutating func rename(_ given: String?) {
    name = [Self.clean(given), host, Self.clean(id)].first { !$0.isEmpty } ?? "?"
  }

  /// Takes a volume as the server tells it; false where it is none.
  mutating func take(volume value: JsonValue?) -> Bool {
    guard let percent = value?["percent"]?.number, let isMuted = value?["muted"]?.bool else { return false }
    volume = Int(max(0, min(100, percent.rounded())))
    isMutedItself = isMuted
    return true
  }

  static func clean(_ text: String?) -> String {
    DisplayText.clean(text ?? "", characterLimit: longestName, byteLimit: 4 * longestName)
  }
}
