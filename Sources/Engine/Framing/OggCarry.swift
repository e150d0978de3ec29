/// A packet whose pieces lie in several pages, as far as they came.
struct OggCarry {
  /// Its first bytes.
  private(set) var bytes: [UInt8] = []
  /// Its length so far, with what is not kept.
  private(set) var byteCount = 0
  /// Where the page began in which it began.
  private(set) var byteOffset = 0
  /// More of it is to come.
  private(set) var isOpen = false

  /// Whether all of it is kept.
  var isWhole: Bool { bytes.count == byteCount }

  /// A packet begins in the page at `offset`.
  mutating func begin(at offset: Int) {
    clear()
    (byteOffset, isOpen) = (offset, true)
  }

  /// Takes its next piece; of the packet `most` bytes are kept.
  mutating func add(_ piece: Span<UInt8>, isEnd: Bool, keeping most: Int) {
    for index in 0..<min(piece.count, max(0, most - bytes.count)) { bytes.append(piece[index]) }
    byteCount += piece.count
    isOpen = !isEnd
  }

  /// Forgets it. What a long one took is given back.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.count <= 65_536)
    (byteCount, isOpen) = (0, false)
  }
}
