import Framing
import SeededRandom
import Testing

struct PackedTagCutterTests {
  private static func tag(_ body: [UInt8], version: UInt8 = 4) -> [UInt8] {
    Array("ID3".utf8) + [version, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 127)] + body
  }

  /// Returns the tags, and the position after each tag.
  private func cut(_ bytes: [UInt8], step: Int) -> (tags: [[UInt8]], ends: [Int]) {
    var cutter = PackedTagCutter()
    var (tags, ends): ([[UInt8]], [Int]) = ([], [])
    var tag: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let piece = Array(bytes[place..<min(bytes.count, place + step)])
      let (count, endsTag) = cutter.process(piece.span) { bytes in tag += (0..<bytes.count).map { bytes[$0] } }
      place += count
      guard endsTag else { continue }
      tags.append(tag)
      ends.append(place)
      tag = []
    }
    return (tags, ends)
  }

  @Test(
    "Tags at the start and between packets are found, in pieces of any size", arguments: [1, 2, 3, 7, 10, 11, 1_000])
  func found(step: Int) {
    let (one, two, empty) = (
      Self.tag([1, 2, 3]), Self.tag([UInt8](repeating: 73, count: 300), version: 3), Self.tag([])
    )
    let sound: [UInt8] = [0xFF, 0xF1, 0x49, 0x49, 0x44, 0x49, 0x44, 0x33, 0xFF, 0, 0, 0, 0, 0, 0, 0]
    let bytes = one + two + sound + empty + sound + one
    let result = cut(bytes, step: step)
    #expect(result.tags == [one, two, empty, one])
    let ends = [13, 323, 323 + 26, 323 + 26 + 29]
    #expect(result.ends == ends)
  }

  @Test("Other bytes end, and no piece is lost")
  func hostile() {
    var random = SeededGenerator(12)
    let letters = Array("ID3".utf8) + [2, 4, 0, 0xFF]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
      #expect(cut(bytes, step: 5).tags == cut(bytes, step: 60).tags)
    }
  }
}
