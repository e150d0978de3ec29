/// An incomplete packet that continues in the next page.
struct OggCarry {
  private(set) var bytes: [UInt8] = []
  /// Length so far in bytes, including bytes that are not retained.
  private(set) var byteCount = 0
  private(set) var byteOffset = 0
  private(set) var isOpen = false

  var isWhole: Bool { bytes.count == byteCount }

  mutating func begin(at offset: Int) {
    clear()
    (byteOffset, isOpen) = (offset, true)
  }

  mutating func add(_ piece: Span<UInt8>, isEnd: Bool, keeping most: Int) {
    for index in 0..<min(piece.count, max(0, most - bytes.count)) { bytes.append(piece[index]) }
    byteCount += piece.count
    isOpen = !isEnd
  }

  /// Discards the packet and releases the memory of a packet above 64 KiB.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.count <= 65_536)
    (byteCount, isOpen) = (0, false)
  }
}
