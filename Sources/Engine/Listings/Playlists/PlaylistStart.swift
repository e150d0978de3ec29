import Units

/// A playlist's requested start (EXT-X-START; RFC 8216, 4.3.5.2).
public struct PlaylistStart: Hashable, Sendable {
  /// The distance from the first segment's start, or if negative from the last segment's end; at most ±10⁹ s.
  public let offset: StreamTime
  /// True if the playlist asks to skip the audio before the offset in the same segment.
  let isPrecise: Bool

  init?(_ attributes: AttributeList) {
    var offset: StreamTime?
    var isPrecise = false
    for attribute in attributes {
      switch attribute.name {
      case "TIME-OFFSET": offset = attribute.bytes.time
      case "PRECISE": isPrecise = attribute.isYes
      default: break
      }
    }
    guard let offset else { return nil }
    (self.offset, self.isPrecise) = (offset, isPrecise)
  }
}
