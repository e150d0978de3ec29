import Framing
import Json

/// A stream of a Snapcast server. Texts are cleaned for a display.
public struct RoomStream: Equatable, Sendable {
  /// The playback state, as reported by the stream's control script.
  public enum Playback: String, Sendable {
    case playing, paused, stopped
  }

  /// The id on the server.
  public let id: String
  /// True if the server receives audio for the stream.
  public private(set) var isPlaying = false
  /// The playback state; nil without a control script.
  public private(set) var playback: Playback?
  /// The audible title; empty if unknown.
  public private(set) var title = ""
  /// The artists, separated by commas.
  public private(set) var artist = ""
  /// The station: the MPD name from the control script; the album if that name is empty.
  public private(set) var station = ""

  /// The station; the cleaned id if the station is unknown.
  public var name: String { station.isEmpty ? Self.clean(id) : station }

  init?(_ stream: JsonValue) {
    guard let id = stream["id"]?.string, !id.isEmpty, id.utf8.count <= Room.maxIdLength else { return nil }
    self.id = id
    isPlaying = stream["status"]?.string == "playing"
    apply(stream["properties"])
  }

  mutating func apply(_ properties: JsonValue?) {
    playback = (properties?["playbackStatus"]?.string).flatMap { Playback(rawValue: $0) }
    let metadata = properties?["metadata"]
    title = Self.clean(metadata?["title"]?.string)
    let artists = metadata?["artist"]?.elements?.prefix(Self.maxArtists).compactMap(\.string)
    artist = Self.clean((artists ?? [metadata?["artist"]?.string].compactMap { $0 }).joined(separator: ", "))
    station = Self.clean(metadata?["name"]?.string)
    if station.isEmpty { station = Self.clean(metadata?["album"]?.string) }
  }

  private static let maxArtists = 8

  private static func clean(_ text: String?) -> String { DisplayText.clean(text ?? "", characterLimit: 256) }
}
