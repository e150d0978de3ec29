/// Cuts ID3v2 tags out of the bytes of a stream of timed metadata; anything else is dropped.
///
/// The first piece of each tag holds its whole head, so that whoever takes the pieces knows where one begins.
struct TimedTagCutter {
  private enum Part {
    /// Nothing is read until a PES packet begins.
    case absent
    case head
    case body(rest: Int)
  }

  private static var headByteCount: Int { 10 }

  private var part = Part.absent
  private var head = [UInt8](repeating: 0, count: Self.headByteCount)
  private var headCount = 0

  /// Drops the rest of a tag of which bytes are missing.
  mutating func drop() { part = .absent }

  /// A PES packet begins. A tag that is not whole goes on in it, if it does not begin with one of its own.
  mutating func begin(isAligned: Bool, with bytes: Span<UInt8>) {
    if case .body = part, !isAligned, !bytes.holds("ID3") { return }
    part = .head
    headCount = 0
  }

  /// Takes the bytes that come next.
  mutating func take(_ bytes: Span<UInt8>, tag: (Span<UInt8>) -> Void) {
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
