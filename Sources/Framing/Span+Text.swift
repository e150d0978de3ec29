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
}
