/// Reads a fuzzer's bytes as choices. After the last byte, each choice is the first option.
struct Recipe {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: Span<UInt8>) { self.bytes = bytes.withUnsafeBufferPointer { Array($0) } }

  /// True if all bytes are used.
  var isOver: Bool { position == bytes.count }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// Reads a number in a range, from as many bytes as its size needs.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    let width = range.upperBound - range.lowerBound + 1
    var value = Int(byte())
    var reach = 256
    while reach < width {
      value = value << 8 | Int(byte())
      reach <<= 8
    }
    return range.lowerBound + value % width
  }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }

  /// Returns the next bytes, at most `count`.
  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(bytes.count, position + count)
    defer { position = end }
    return Array(bytes[position..<end])
  }

  mutating func rest() -> [UInt8] { take(bytes.count) }

  /// Reads a short text; invalid UTF-8 is repaired.
  mutating func text(_ most: Int) -> String { String(decoding: take(number(0...most)), as: UTF8.self) }

  mutating func int64() -> Int64 { take(8).reduce(0) { $0 << 8 | Int64($1) } }

  /// Splits `count` bytes into about 30 pieces, with up to three sizes in turn.
  mutating func pieces(of count: Int) -> [Range<Int>] {
    let sizes = (0...number(0...2)).map { _ in max(count / 30, pick([1_448, 1, 2, 3, 7, 64, 417, 4_096, 65_536])) }
    var pieces: [Range<Int>] = []
    var start = 0
    while start < count {
      let end = min(count, start + sizes[pieces.count % sizes.count])
      pieces.append(start..<end)
      start = end
    }
    return pieces
  }
}

/// A random number generator with the same sequence in each run (xorshift).
struct Noise {
  private var state: UInt32

  init(_ seed: UInt8) { state = UInt32(seed) &* 0x9E37_79B1 | 1 }

  mutating func byte() -> UInt8 {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return UInt8(truncatingIfNeeded: state >> 8)
  }
}
