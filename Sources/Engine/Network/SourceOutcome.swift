import Framing
import Listings

/// What follows on bytes of an answer, or on its end, as the source says that they belong to.
enum SourceOutcome {
  case nothing
  /// What is wanted next is asked for, instead of what comes.
  case askMore
  /// The last byte is there.
  case whole
  /// What is held plays to its end, and that is all.
  case giveUp(PlaybackFault)
  /// The connection did not do, which may pass by itself or not.
  case failed(PlaybackFault, mayPass: Bool)
  /// It is a list, which is asked for as a whole.
  case askList
  /// It was a list; the text of a feed is with the connection.
  case list(PlaylistKind, [UInt8])
  /// It was a list of HLS; nil where it could not be read.
  case segments(HlsPlaylist?)
}
