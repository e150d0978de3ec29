extension Span<UInt8> {
  func matches(_ text: String, at offset: Int = 0) -> Bool {
    guard offset >= 0, text.utf8.count <= count - offset else { return false }
    var index = offset
    for byte in text.utf8 {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Reads a big-endian number of 1 … 4 bytes and advances `place`. Returns nil if too few bytes remain.
  func number(_ byteCount: Int, at place: inout Int) -> Int? {
    guard place >= 0, place <= count - byteCount else { return nil }
    var value = 0
    for index in place..<place + byteCount { value = value << 8 | Int(self[index]) }
    place += byteCount
    return value
  }

  /// Reads an ID3v2 size: four bytes with seven bits each. Returns nil if a byte is missing or has its top bit set.
  func syncsafe(at place: Int) -> Int? {
    guard place >= 0, place <= count - 4 else { return nil }
    var size = 0
    for index in place..<place + 4 {
      guard self[index] < 0x80 else { return nil }
      size = size << 7 | Int(self[index])
    }
    return size
  }
}

extension Span<UInt8> {
  /// Reads a little-endian number of 1 … 8 bytes, like `number`. Returns nil also if it exceeds 63 bits.
  func littleEndianNumber(_ byteCount: Int, at place: inout Int) -> Int? {
    guard place >= 0, byteCount <= count, place <= count - byteCount else { return nil }
    var value: UInt64 = 0
    for index in (place..<place + byteCount).reversed() { value = value << 8 | UInt64(self[index]) }
    place += byteCount
    return Int(exactly: value)
  }
}
