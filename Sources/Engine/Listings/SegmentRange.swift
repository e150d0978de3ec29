/// A part of what an address holds (EXT-X-BYTERANGE; RFC 8216, 4.3.2.2).
public struct SegmentRange: Hashable, Sendable {
  /// The first byte, 0 … 2⁶¹.
  public let offset: Int64
  /// So many bytes, 1 … 2⁶⁰.
  public let length: Int64

  /// The byte behind the last.
  var end: Int64 { offset + length }

  /// What a tag says: "length@offset" or "length".
  struct Written {
    let length: Int64
    /// Nil where untold.
    let offset: Int64?

    /// Nil where it tells no length, or none above 0.
    init?(_ text: ArraySlice<UInt8>) {
      let parts = text.split(at: UInt8(ascii: "@"))
      guard let length = (parts?.before ?? text).smallNumber, length > 0 else { return nil }
      self.length = length
      offset = parts?.behind.smallNumber
      if parts != nil, offset == nil { return nil }
    }

    /// The part itself; where no offset is told it begins at `next`.
    func range(behind next: Int64) -> SegmentRange { SegmentRange(offset: offset ?? next, length: length) }
  }
}
