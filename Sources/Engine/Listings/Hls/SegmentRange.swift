/// A byte range (EXT-X-BYTERANGE; RFC 8216, 4.3.2.2).
public struct SegmentRange: Hashable, Sendable {
  /// The first byte, 0 … 2⁶¹.
  public let offset: Int64
  /// The number of bytes, 1 … 2⁶⁰ − 1.
  public let length: Int64

  /// The index after the last byte.
  var end: Int64 { offset + length }

  struct Written {
    let length: Int64
    let offset: Int64?

    /// Parses "length@offset" or "length"; nil if the length is not positive or the offset is unreadable.
    init?(_ text: ArraySlice<UInt8>) {
      let parts = text.split(at: UInt8(ascii: "@"))
      guard let length = (parts?.before ?? text).smallNumber, length > 0 else { return nil }
      self.length = length
      offset = parts?.behind.smallNumber
      if parts != nil, offset == nil { return nil }
    }

    func range(behind next: Int64) -> SegmentRange { SegmentRange(offset: offset ?? next, length: length) }
  }
}
