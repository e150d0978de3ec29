import Units

/// Where a playlist asks to be played from (EXT-X-START; RFC 8216, 4.3.5.2).
public struct PlaylistStart: Hashable, Sendable {
  /// From the begin of the first segment on; negative: back from the end of the last one. At most 10⁹ s both ways.
  public let offset: StreamTime
  /// Whether sound before it, in its own segment, is to be left out.
  let isPrecise: Bool

  /// What the tag says; nil where it tells no offset.
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
