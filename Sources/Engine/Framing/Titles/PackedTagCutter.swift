/// Finds ID3v2 tags before and between the packets of packed audio (RFC 8216, 3.4). One thread at a time.
public struct PackedTagCutter {
  /// The last bytes, if they may begin a header.
  private var head: [UInt8] = []
  /// Remaining bytes of the current tag.
  private var rest = 0

  private static let headByteCount = 10

  /// Creates a cutter for the start of a segment.
  public init() { head.reserveCapacity(Self.headByteCount) }

  /// Processes bytes up to the end of a tag, and passes the tag in pieces, first its whole header. Returns the number
  /// of processed bytes, and true if these end a tag.
  public mutating func process(_ bytes: Span<UInt8>, tag: (Span<UInt8>) -> Void) -> (count: Int, endsTag: Bool) {
    var place = 0
    while place < bytes.count {
      if rest > 0 {
        let count = min(rest, bytes.count - place)
        tag(bytes.extracting(place..<place + count))
        place += count
        rest -= count
        if rest == 0 { return (place, true) }
        continue
      }
      let byte = bytes[place]
      place += 1
      guard !head.isEmpty || byte == UInt8(ascii: "I") else { continue }
      head.append(byte)
      guard let count = tagByteCount() else { continue }
      tag(head.span)
      head.removeAll(keepingCapacity: true)
      rest = count - Self.headByteCount
      if rest == 0 { return (place, true) }
    }
    return (bytes.count, false)
  }

  /// Returns the length of a tag whose header is complete. Drops leading bytes that begin no header.
  private mutating func tagByteCount() -> Int? {
    while !head.isEmpty {
      let isPossible = zip(head, "ID3".utf8).allSatisfy { $0 == $1 }
      if isPossible, head.count < Self.headByteCount { return nil }
      if isPossible, case .found(let tag) = MetadataTag.search(head.span, at: 0) { return tag.byteCount }
      head.removeFirst()
    }
    return nil
  }
}
