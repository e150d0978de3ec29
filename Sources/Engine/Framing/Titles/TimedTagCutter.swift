/// Extracts ID3v2 tags from timed metadata and drops all other bytes. The first piece of a tag has its whole header.
struct TimedTagCutter {
  private enum Part {
    /// All bytes are dropped until the next PES packet.
    case absent
    case head
    case body(rest: Int)
  }

  private static var headByteCount: Int { 10 }

  private var part = Part.absent
  private var head = [UInt8](repeating: 0, count: Self.headByteCount)
  private var headCount = 0

  mutating func drop() { part = .absent }

  /// Starts a PES packet. An incomplete tag continues in it, unless the packet starts a new tag.
  mutating func begin(isAligned: Bool, with bytes: Span<UInt8>) {
    if case .body = part, !isAligned, !bytes.matches("ID3") { return }
    part = .head
    headCount = 0
  }

  mutating func process(_ bytes: Span<UInt8>, tag: (Span<UInt8>) -> Void) {
    var place = 0
    while place < bytes.count {
      switch part {
      case .absent: return
      case .head:
        head[headCount] = bytes[place]
        headCount += 1
        place += 1
        guard headCount == Self.headByteCount else { continue }
        headCount = 0
        guard head[0] == UInt8(ascii: "I"), case .found(let found) = MetadataTag.search(head.span, at: 0) else {
          return drop()
        }
        tag(head.span)
        part = found.byteCount > Self.headByteCount ? .body(rest: found.byteCount - Self.headByteCount) : .head
      case .body(let rest):
        let count = min(rest, bytes.count - place)
        tag(bytes.extracting(place..<place + count))
        place += count
        part = rest == count ? .head : .body(rest: rest - count)
      }
    }
  }
}
