/// The titles that wait for their packet: the last ICY title, and the tags of a container. A value.
struct WaitingTitles {
  private var tagged: StationTitle?
  private var sent: StationTitle?
  /// Position of the ICY title in the audio, in bytes.
  private var place = 0
  private var isFirst = true

  /// Appends an ICY title.
  mutating func append(_ title: StationTitle, at place: Int) { (sent, self.place) = (title, place) }

  mutating func append(tags title: StationTitle) { tagged = title }

  /// Returns the title that begins with a packet. `range`: bytes of the packet; nil if unknown.
  ///
  /// An ICY title begins with the packet around its block. Of two titles for one packet, the container's is returned.
  /// An ICY title within the packet, or before the first packet, then waits for the next packet. Tags without a title
  /// only clear a title.
  mutating func next(_ range: Range<Int>?) -> StationTitle? {
    defer { isFirst = false }
    let hasArrived = sent != nil && (range.map { place < $0.upperBound } ?? true)
    guard let tags = tagged.take(), !hasArrived || !tags.text.isEmpty else { return hasArrived ? sent.take() : nil }
    let isLater = isFirst || range.map { place > $0.lowerBound } ?? false
    if hasArrived, !isLater { sent = nil }
    return tags
  }
}

/// Estimates the position of packets in Ogg pages, whose packets have only the offset of their page.
struct PagedPlace {
  /// Minimum length of a page's header.
  private static let headByteCount = 28

  private var page = -1
  private var end = 0

  /// Returns the bytes of the next packet. The position may be too low by the rest of the page's header, and by a
  /// packet that began on an earlier page.
  mutating func next(page: Int, byteCount: Int) -> Range<Int> {
    if page != self.page { (self.page, end) = (page, page + Self.headByteCount) }
    let start = end
    end += byteCount
    return start..<end
  }
}
