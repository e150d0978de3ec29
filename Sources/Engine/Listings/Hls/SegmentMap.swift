/// The header that a decoder needs before the segments (EXT-X-MAP; RFC 8216, 4.3.2.5).
public struct SegmentMap: Hashable, Sendable {
  /// A relative or absolute URL like `MediaSegment.address`.
  public internal(set) var address: String
  /// The header's byte range; nil for the whole resource.
  public let range: SegmentRange?
  /// The key that applied at the tag; nil if the header is not encrypted.
  public internal(set) var key: SegmentKey?

  init?(_ attributes: AttributeList, key: SegmentKey?) {
    guard let address = attributes["URI"]?.text else { return nil }
    let written = attributes["BYTERANGE"].map { SegmentRange.Written($0.bytes) }
    if case .some(nil) = written { return nil }
    (self.address, self.key) = (address, key)
    range = written??.range(behind: 0)
  }
}
