import Framing
import Http
import Listings

/// Next step after received bytes, or after the end of a response.
enum SourceOutcome {
  case nothing
  /// The head decides the kind of the source.
  case decide(HttpHead)
  /// The next part or the whole address must be requested at once.
  case reopen
  /// The resolver does not know the host: the name is looked up by other means.
  case unknownHost
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
