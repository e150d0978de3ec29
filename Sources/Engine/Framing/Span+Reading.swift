// How headers and tags are read.

extension Span<UInt8> {
  /// Whether the bytes of `text` stand at `offset`.
  func holds(_ text: String, at offset: Int = 0) -> Bool {
    guard offset >= 0, text.utf8.count <= count - offset else { return false }
    var index = offset
    for byte in text.utf8 {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// The number at `place`, of 1 … 4 bytes, the greatest first; `place` moves behind it. Nil at the bytes' end.
  func number(_ byteCount: Int, at place: inout Int) -> Int? {
    guard place >= 0, place <= count - byteCount else { return nil }
    var value = 0
    for index in place..<place + byteCount { value = value << 8 | Int(self[index]) }
    place += byteCount
    return value
  }

  /// The size at `place` as ID3v2 writes it, in four bytes of seven bits each; nil where a byte has more, or is not
  /// there.
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
  /// The number at `place`, of 1 … 8 bytes, the lowest first; `place` moves behind it. Nil at the bytes' end, and where
  /// the number has more than 63 bits.
  func numberLowFirst(_ byteCount: Int, at place: inout Int) -> Int? {
    guard place >= 0, byteCount <= count, place <= count - byteCount else { return nil }
    var value: UInt64 = 0
    for index in (place..<place + byteCount).reversed() { value = value << 8 | UInt64(self[index]) }
    place += byteCount
    return Int(exactly: value)
  }
}
