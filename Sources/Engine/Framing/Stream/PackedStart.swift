/// The first bytes of a segment of packed audio, after its ID3 tags (RFC 8216, 3.4). AC-3 and E-AC-3 are refused here,
/// because both contain false headers of MPEG audio.
struct PackedStart {
  private var gathered: [UInt8] = []
  /// Bytes of the current tag that are still to come.
  private var tagByteCount = 0
  private var isOver = false
  private(set) var refusal: RefusedCodec?

  /// Bytes needed for the header of a tag.
  private static let headerByteCount = 10

  mutating func read(_ bytes: Span<UInt8>) {
    var place = 0
    while place < bytes.count, !isOver {
      let passed = min(tagByteCount, bytes.count - place)
      tagByteCount -= passed
      place += passed
      guard place < bytes.count else { return }
      gathered.append(bytes[place])
      place += 1
      if gathered.count == Self.headerByteCount { judge() }
    }
  }

  private mutating func judge() {
    let head = gathered
    gathered = []
    if case .found(let tag) = MetadataTag.search(head.span, at: 0), head[0] == UInt8(ascii: "I") {
      tagByteCount = tag.byteCount - Self.headerByteCount
      return
    }
    isOver = true
    refusal = Signature.dolby(head.span)
  }
}
