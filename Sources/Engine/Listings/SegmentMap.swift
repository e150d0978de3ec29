/// Where the header stands that segments need before them (EXT-X-MAP; RFC 8216, 4.3.2.5).
public struct SegmentMap: Hashable, Sendable {
  /// A relative or absolute URL as `MediaSegment.address` is.
  public internal(set) var address: String
  /// The part of it that is the header; nil: all of it.
  public let range: SegmentRange?
  /// How the header is encrypted: by the key that stood before the tag; nil where it is not.
  public internal(set) var key: SegmentKey?

  /// What a tag says; nil where it tells no address, or a range that cannot be.
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
