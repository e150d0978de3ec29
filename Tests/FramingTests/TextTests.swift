import Framing
import Testing
import SeededRandom

struct MetadataTextTests {
  @Test(
    arguments: [
      (Array("Björk – Jóga".utf8), "Björk – Jóga"),
      ([0x42, 0x6A, 0xF6, 0x72, 0x6B], "Björk"),
      ([0x80, 0x92, 0x99, 0x9F], "€’™Ÿ"),
      ([0x81, 0x8D, 0x8F, 0x90, 0x9D], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xFF, 0xFE, 0x41, 0x00, 0xAC, 0x20], "A€"),
      ([0xFE, 0xFF, 0x00, 0x41, 0x20, 0xAC], "A€"),
      ([0xFF, 0xFE, 0x41], ""),
      ([0xFF, 0xFE, 0x00, 0xD8], "\u{FFFD}"),
      ([0xC3, 0x28], "Ã("),
      ([], ""),
    ] as [([UInt8], String)])
  func choosesTheEncoding(bytes: [UInt8], text: String) {
    #expect(MetadataText.decode(bytes.span) == text)
  }

  @Test func anyBytesBecomeFitText() {
    var random = SeededGenerator(9)
    var unfit = 0
    for _ in 0..<100_000 {
      let bytes = random.bytes(Int.random(in: 0...24, using: &random))
      let text = DisplayText.clean(MetadataText.decode(bytes.span))
      unfit += text.unicodeScalars.count { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
      _ = TrackTitle.split(text)
    }
    #expect(unfit == 0)
  }
}

struct DisplayTextTests {
  @Test(
    arguments: [
      ("  a \t\r\n b  ", "a b"),
      ("a\u{2028}b\u{2029}c\u{85}d\u{A0}e\u{3000}f", "a b c d e f"),
      ("\u{1B}[31mred\u{7}\u{0}\u{9B}", "[31mred"),
      ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}e", "abcde"),
      ("\u{FEFF}a\u{200B}b\u{2060}c\u{AD}d", "abcd"),
      ("a\u{E000}b\u{E0041}c\u{10FFFD}d", "abcd"),
      ("Кино — 日本語 🎵 é", "Кино — 日本語 🎵 é"),
      ("\u{202E}\u{7}\u{200B}", ""),
      ("a \u{7} b", "a b"),
      ("", ""),
    ] as [(String, String)])
  func keepsWhatADisplayMayShow(text: String, cleaned: String) {
    #expect(DisplayText.clean(text) == cleaned)
  }

  @Test(arguments: [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF] as [UInt32])
  func noncharactersGo(code: UInt32) throws {
    #expect(DisplayText.clean("a\(try #require(Unicode.Scalar(code)))b") == "ab")
  }

  @Test func isCutAtItsLimits() {
    #expect(DisplayText.clean(String(repeating: "a", count: 5000)).count == 1024)
    #expect(DisplayText.clean(String(repeating: "日", count: 5000), characterLimit: 5000).utf8.count == 4080)
    #expect(DisplayText.clean("ab cd", characterLimit: 3) == "ab")
    #expect(DisplayText.clean("ab cd", characterLimit: 4) == "ab c")
    #expect(DisplayText.clean("aé", byteLimit: 2) == "a")
    #expect(DisplayText.clean("a", characterLimit: 0) == "")
  }
}

struct TrackTitleTests {
  @Test(
    arguments: [
      ("Artist - Title", "Artist", "Title"),
      ("A - B - C", "A", "B - C"),
      ("A – B", "A", "B"),
      ("A — B - C", "A", "B - C"),
      ("Jay-Z - 99 Problems", "Jay-Z", "99 Problems"),
      ("Jay-Z", nil, "Jay-Z"),
      ("- Title", nil, "- Title"),
      ("Artist -", nil, "Artist -"),
      (" - ", nil, "-"),
      ("", nil, ""),
    ] as [(String, String?, String)])
  func splitsAtTheFirstDash(text: String, artist: String?, track: String) {
    let split = TrackTitle.split(text)
    #expect(split.artist == artist)
    #expect(split.track == track)
  }
}
