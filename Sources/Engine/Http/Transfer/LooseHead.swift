/// Lines of a response's head that libcurl refuses to parse, such as a header without a colon.
struct LooseHead {
  /// True after the last line of the head.
  private(set) var isComplete = false
  /// Number of bytes in the current piece that precede the body.
  private(set) var lead = 0
  private var line: [UInt8] = []

  /// Passes each line of a piece to `parse`, until `parse` returns nil or true: the head failed, or is complete.
  /// Returns false if the head failed. A piece that libcurl delivers again after a pause is skipped up to the body.
  mutating func read(_ piece: UnsafeRawBufferPointer, parse: (UnsafeRawBufferPointer) -> Bool?) -> Bool {
    guard !isComplete else { return true }
    var place = 0
    while place < piece.count {
      let rest = piece[place...]
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        line += rest
        return line.count <= HeadReader.maxBytes
      }
      line += piece[place...end]
      place = end + 1
      defer { line.removeAll(keepingCapacity: true) }
      guard let isEnd = line.withUnsafeBytes({ parse($0) }) else { return false }
      if isEnd {
        (isComplete, lead) = (true, place)
        return true
      }
    }
    return true
  }

  /// Ends the piece: the next piece has only body.
  mutating func endPiece() { lead = 0 }
}
