/// An HLS playlist (RFC 8216, 4).
public enum HlsPlaylist: Hashable, Sendable {
  /// A media playlist: the segments of one stream.
  case media(SegmentList)
  /// A master playlist: variants of one programme, each with its own media playlist.
  case master(VariantList)
}
