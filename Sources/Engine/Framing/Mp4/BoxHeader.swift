/// Type and content range of a box in a buffer (ISO 14496-12, 4.2).
struct BoxHeader {
  /// Four-character code, first character in the highest byte.
  let type: UInt32
  let content: Range<Int>

  func isA(_ type: BoxType) -> Bool { self.type == type.rawValue }
}

extension Span<UInt8> {
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

  func box(_ type: BoxType, in parent: Range<Int>?) -> Range<Int>? {
    guard let parent else { return nil }
    var place = parent.lowerBound
    while let box = nextBox(at: &place, in: parent) { if box.isA(type) { return box.content } }
    return nil
  }

  func word32(at place: Int, in range: Range<Int>) -> UInt32? {
    guard place >= range.lowerBound, place <= Swift.min(range.upperBound, count) - 4, place >= 0 else { return nil }
    return UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
      | UInt32(self[place + 3])
  }

  func word64(at place: Int, in range: Range<Int>) -> UInt64? {
    guard let high = word32(at: place, in: range), let low = word32(at: place + 4, in: range) else { return nil }
    return UInt64(high) << 32 | UInt64(low)
  }
}
