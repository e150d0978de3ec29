import Units

/// A playlist's requested start (EXT-X-START; RFC 8216, 4.3.5.2).
public struct PlaylistStart: Hashable, Sendable {
  /// The distance from the first segment's start, or if negative from the last segment's end; at most ±10⁹ s.
  public let offset: StreamTime
  /// True if the playlist asks to skip the audio before the offset in the same segment.
  let isPrecise: Bool

  init?(_ attributes: AttributeList) {
    guard let offset = attributes["TIME-OFFSET"]?.bytes.time else { return nil }
    self.offset = offset
    isPrecise = attributes["PRECISE"]?.isYes == true
  }
}
