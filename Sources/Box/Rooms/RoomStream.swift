import Framing
import Json

/// What a Snapcast server plays in rooms: one of its streams. Its texts are cleaned for a display.
public struct RoomStream: Equatable, Sendable {
  /// Whether the stream's source plays, as its control script tells.
  public enum Playback: String, Sendable {
    case playing, paused, stopped
  }

  /// What the server knows it by.
  public let id: String
  /// Whether sound comes.
  public private(set) var isPlaying = false
  /// What the source says of itself; nil where nothing does.
  public private(set) var playback: Playback?
  /// The title that is heard; empty where none is told.
  public private(set) var title = ""
  /// Who plays it, with commas between.
  public private(set) var artist = ""
  /// The station, which a script tells as MPD's name or, where there is none, as the album.
  public private(set) var station = ""

  /// What people call it: its station, else its id, which may hold anything.
  public var name: String { station.isEmpty ? Self.clean(id) : station }

  /// A stream as the server tells it; nil where it has no id.
  init?(_ stream: JsonValue) {
    guard let id = stream["id"]?.string, !id.isEmpty, id.utf8.count <= Room.longestId else { return nil }
    self.id = id
    isPlaying = stream["status"]?.string == "playing"
    take(stream["properties"])
  }

  /// Takes what its control script tells, all of it anew.
  mutating func take(_ properties: JsonValue?) {
    playback = (properties?["playbackStatus"]?.string).flatMap { Playback(rawValue: $0) }
    let metadata = properties?["metadata"]
    title = Self.clean(metadata?["title"]?.string)
    let artists = metadata?["artist"]?.elements?.prefix(Self.mostArtists).compactMap(\.string)
    artist = Self.clean((artists ?? [metadata?["artist"]?.string].compactMap { $0 }).joined(separator: ", "))
    station = Self.clean(metadata?["name"]?.string)
    if station.isEmpty { station = Self.clean(metadata?["album"]?.string) }
  }

  private static let mostArtists = 8

  private static func clean(_ text: String?) -> String { DisplayText.clean(text ?? "", characterLimit: 256) }
}
