/// The header that a decoder needs before the segments (EXT-X-MAP; RFC 8216, 4.3.2.5).
public struct SegmentMap: Hashable, Sendable {
  /// A relative or absolute URL like `MediaSegment.address`.
  public internal(set) var address: String
  /// The header's byte range; nil for the whole resource.
  public let range: SegmentRange?
  /// The key that applied at the tag; nil if the header is not encrypted.
  public internal(set) var key: SegmentKey?

  init?(_ attributes: AttributeList, key: SegmentKey?) {
    var address: String?
    var range: SegmentRange?
    for attribute in attributes {
      switch attribute.name {
      case "URI": address = attribute.text
      case "BYTERANGE":
        guard let written = SegmentRange.Written(attribute.bytes) else { return nil }
        range = written.range(behind: 0)
      default: break
      }
    }
    guard let address else { return nil }
    (self.address, self.range, self.key) = (address, range, key)
  }
}
