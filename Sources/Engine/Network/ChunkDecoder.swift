/// Takes the chunks of a body apart (RFC 9112, 7.1). libcurl would pass over extensions and trailers without end, and
/// say nothing of them.
struct ChunkDecoder {
  /// What is wrong with a body.
  enum Fault: Error {
    /// A chunk does not begin, or end, as one does.
    case malformed
    /// What stands around the chunks is out of all proportion.
    case flooded
  }

  private enum State {
    /// In the digits of a length.
    case length
    /// Behind them, up to the end of the line.
    case lineEnd
    case data
    /// Behind a chunk, up to the end of the line.
    case dataEnd
    /// Behind the last chunk.
    case trailer
  }

  private var state = State.length
  private var digits = 0
  /// Bytes of the chunk that have not come.
  private var left: UInt64 = 0
  /// Bytes of chunks, and bytes around them.
  private var (content, frame): (UInt64, UInt64) = (0, 0)

  /// A chunk of one byte has five around it.
  private static let mostFramePerByte: UInt64 = 8
  private static let allowance: UInt64 = 65_536
  private static let mostDigits = 16

  /// Where the next bytes of a chunk lie among `bytes`, looked for from `place` on, which goes behind them; nil where
  /// there are no more.
  mutating func next(in bytes: UnsafeRawBufferPointer, from place: inout Int) throws(Fault) -> Range<Int>? {
    while place < bytes.count {
      if state == .data {
        let start = place
        let count = Int(min(left, UInt64(bytes.count - place)))
        (left, content, place) = (left - UInt64(count), content &+ UInt64(count), place + count)
        if left == 0 { state = .dataEnd }
        return start..<place
      }
      try takeFrame(bytes[place])
      place += 1
    }
    return nil
  }

  /// The last bytes of a chunk that were found come again.
  mutating func putBack(_ range: Range<Int>) {
    (left, content, state) = (left + UInt64(range.count), content &- UInt64(range.count), .data)
  }

  private mutating func takeFrame(_ byte: UInt8) throws(Fault) {
    frame &+= 1
    guard frame <= Self.allowance || (frame - Self.allowance) / Self.mostFramePerByte <= content else { throw .flooded }
    let isEnd = byte == UInt8(ascii: "\n")
    switch state {
    case .length:
      if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
        guard digits < Self.mostDigits else { throw .malformed }
        (left, digits) = (left << 4 | UInt64(digit), digits + 1)
      } else {
        guard digits > 0 else { throw .malformed }
        state = .lineEnd
        if isEnd { beginChunk() }
      }
    case .lineEnd: if isEnd { beginChunk() }
    case .dataEnd:
      guard isEnd || byte == UInt8(ascii: "\r") else { throw .malformed }
      if isEnd { (state, digits) = (.length, 0) }
    case .trailer, .data: break
    }
  }

  private mutating func beginChunk() { state = left == 0 ? .trailer : .data }
}
