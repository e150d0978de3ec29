/// A box in a buffer: its type, and where its content lies (ISO 14496-12, 4.2).
struct BoxHeader {
  /// The four letters, the first one highest.
  let type: UInt32
  /// The bytes behind the header.
  let content: Range<Int>

  /// Whether it is a box of that type.
  func isA(_ type: BoxType) -> Bool { self.type == type.rawValue }
}

extension Span<UInt8> {
  /// The box at `place`, and `place` moves behind it. Nil where no whole box stands before the parent's end.
  func nextBox(at place: inout Int, in parent: Range<Int>) -> BoxHeader? {
    guard let shortSize = word32(at: place, in: parent), let type = word32(at: place + 4, in: parent) else {
      return nil
    }
    var start = place + 8
    var size = UInt64(shortSize)
    if shortSize == 1 {
      guard let longSize = word64(at: start, in: parent) else { return nil }
      start += 8
      size = longSize
    }
    if shortSize == 0 { size = UInt64(parent.upperBound - place) }
    guard size >= UInt64(start - place), size <= UInt64(parent.upperBound - place) else { return nil }
    place += Int(size)
    return BoxHeader(type: type, content: start..<place)
  }

  /// The content of the first box of that type in `parent`; nil where there is none, or no parent.
  func box(_ type: BoxType, in parent: Range<Int>?) -> Range<Int>? {
    guard let parent else { return nil }
    var place = parent.lowerBound
    while let box = nextBox(at: &place, in: parent) { if box.isA(type) { return box.content } }
    return nil
  }

  /// The 32 bits at `place`; nil where `range` or the bytes end before.
  func word32(at place: Int, in range: Range<Int>) -> UInt32? {
    guard place >= range.lowerBound, place <= Swift.min(range.upperBound, count) - 4, place >= 0 else { return nil }
    return UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
      | UInt32(self[place + 3])
  }

  /// The 64 bits at `place`; nil where `range` or the bytes end before.
  func word64(at place: Int, in range: Range<Int>) -> UInt64? {
    guard let high = word32(at: place, in: range), let low = word32(at: place + 4, in: range) else { return nil }
    return UInt64(high) << 32 | UInt64(low)
  }
}
