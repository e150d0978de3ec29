import Framing
import Listings

/// Next step after received bytes, or after the end of a response.
enum SourceOutcome {
  case nothing
  /// Another part is needed: request this part instead of the rest.
  case requestNextPart
  case whole
  /// Play the buffered audio to its end, without a retry.
  case giveUp(PlaybackFault)
  /// The connection failed. `mayPass`: true if a retry may succeed.
  case failed(PlaybackFault, mayPass: Bool)
  /// The response is a list, which must be requested as a whole.
  case requestList
  /// A list was received. The text of a feed is in the connection's intake.
  case list(PlaylistKind, [UInt8])
  /// An HLS list was received; nil if unreadable.
  case segments(HlsPlaylist?)
}
