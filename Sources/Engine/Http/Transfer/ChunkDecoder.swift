/// Decoder of chunked bodies (RFC 9112, 7.1). libcurl's own decoder skips endless extensions and trailers silently.
struct ChunkDecoder {
  enum Fault: Error {
    case malformed
    case flooded
  }

  private enum State {
    case length
    case lineEnd
    case data
    case dataEnd
    case trailer
  }

  private var state = State.length
  private var digits = 0
  private var left: UInt64 = 0
  private var (content, frame): (UInt64, UInt64) = (0, 0)

  /// Maximum number of other bytes for each byte of data, in addition to `allowance`. A chunk of one byte has five
  /// other bytes.
  private static let maxFramePerByte: UInt64 = 8
  private static let allowance: UInt64 = 65_536
  private static let maxDigits = 16

  /// Returns the next range of data from `place` on, and moves `place` past the range; nil at the end of `bytes`.
  mutating func next(in bytes: UnsafeRawBufferPointer, from place: inout Int) throws(Fault) -> Range<Int>? {
    while place < bytes.count {
      if state == .data {
        let start = place
        let count = Int(min(left, UInt64(bytes.count - place)))
        (left, content, place) = (left - UInt64(count), content &+ UInt64(count), place + count)
        if left == 0 { state = .dataEnd }
        return start..<place
      }
      try processFrame(bytes[place])
      place += 1
    }
    return nil
  }

  /// True after the last chunk.
  var isComplete: Bool { state == .trailer }

  /// Undoes the last `next`: the bytes of `range` will be passed again.
  mutating func putBack(_ range: Range<Int>) {
    (left, content, state) = (left + UInt64(range.count), content &- UInt64(range.count), .data)
  }

  private mutating func processFrame(_ byte: UInt8) throws(Fault) {
    frame &+= 1
    guard frame <= Self.allowance || (frame - Self.allowance) / Self.maxFramePerByte <= content else { throw .flooded }
    let isEnd = byte == UInt8(ascii: "\n")
    switch state {
    case .length:
      if let digit = Character(Unicode.Scalar(byte)).hexDigitValue {
        guard digits < Self.maxDigits else { throw .malformed }
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
