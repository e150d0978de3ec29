import SeededRandom
import Testing

@testable import Json

struct LineBufferTests {
  /// Lines of a buffer that receives bytes in pieces of `sizes`, in turn.
  private func lines(
    _ bytes: [UInt8], sizes: [Int] = [1_000_000], longest: Int = 8
  ) throws(LineBuffer.Overlong) -> [String] {
    var (buffer, lines, start) = (LineBuffer(longest: longest), [String](), 0)
    for turn in 0... where start < bytes.count {
      let end = min(bytes.count, start + sizes[turn % sizes.count])
      buffer.append(bytes.span.extracting(start..<end))
      while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
      start = end
      if start == bytes.count { break }
    }
    return lines
  }

  @Test("Lines are equal in any pieces, without a carriage return before the line feed")
  func pieces() throws {
    let bytes = Array("ab\r\n\r\n\n1234567\n12345678\r\na\rb\nrest".utf8)
    let whole = ["ab", "", "", "1234567", "12345678", "a\rb"]
    for size in 1...bytes.count { #expect(try lines(bytes, sizes: [size]) == whole) }
    var random = SeededGenerator(1)
    for _ in 0..<100 {
      let sizes = (0..<5).map { _ in Int.random(in: 1...9, using: &random) }
      #expect(try lines(bytes, sizes: sizes) == whole)
    }
  }

  @Test("An overlong line is refused, complete or not", arguments: [1, 3, 100])
  func overlong(_ size: Int) {
    for text in ["123456789\n", "1234567890", "a\n123456789\r\nb\n", String(repeating: "x", count: 1_000)] {
      #expect(throws: LineBuffer.Overlong()) { try lines(Array(text.utf8), sizes: [size]) }
    }
  }
}
