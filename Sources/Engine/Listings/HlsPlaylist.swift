/// An HLS playlist (RFC 8216, 4).
public enum HlsPlaylist: Hashable, Sendable {
  /// A media playlist: the segments of one stream.
  case media(SegmentList)
  /// A master playlist: the same programme in several forms, each with a playlist of its own.
  case master(VariantList)
}
