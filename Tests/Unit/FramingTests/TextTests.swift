import Framing
import SeededRandom
import Testing

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

  @Test(
    arguments: [
      ("  a \t b ", "  a   b "), ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}e\u{1B}[2J", "abcde[2J"),
      ("a\u{2028}b\n", "a b "), (String(repeating: "é ", count: 3_000), String(repeating: "é ", count: 3_000)),
    ])
  func aLineKeepsItsBlanks(text: String, shown: String) { #expect(DisplayText.line(text) == shown) }

  @Test(
    arguments: [
      ("a\nb\u{1B}c\u{9B}d\u{85}e\u{2028}f\u{7F}g", "a b c d e f g", "abcdefg"),
      ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}e", "abcde", "abcde"),
      ("Кино — 日本語 👨‍👩‍👧 é", "Кино — 日本語 👨‍👩‍👧 é", "Кино — 日本語 👨‍👩‍👧 é"), ("", "", ""),
    ] as [(String, String, String)])
  func oneLineHasNoControls(text: String, blanked: String, bare: String) {
    #expect(DisplayText.oneLine(text, blank: " ") == blanked && DisplayText.oneLine(text) == bare)
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

/// Titles in the tags of files (R6.7).
@Suite struct Id3ReaderTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var artist: String? = "Björk"
  }

  /// A frame of ID3v2.3 or ID3v2.4, or of ID3v2.2 if the name has three letters.
  private static func frame(_ name: String, _ body: [UInt8], flags: UInt8 = 0, isSyncSafe: Bool = false) -> [UInt8] {
    let (count, bits) = (name.utf8.count == 3 ? 3 : 4, isSyncSafe ? 7 : 8)
    let size = (0..<count).map { UInt8(body.count >> ((count - 1 - $0) * bits) & (isSyncSafe ? 0x7F : 0xFF)) }
    return Array(name.utf8) + size + (count == 3 ? [] : [0, flags]) + body
  }

  private static func tag(_ version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
    var tag = Build.id3(content, version: version)
    tag[5] = flags
    return tag
  }

  private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  private static let picture = [UInt8](repeating: 0xFF, count: 3_000)
  private static let latin: [UInt8] = [0, 0x42, 0x6A, 0xF6, 0x72, 0x6B, 0]
  private static let song: [UInt8] = [3] + Array("Jóga".utf8)
  private static let stuffed: [UInt8] = [0, 0, 0, 11, 1, 0xFF, 0, 0xFE, 0x4A, 0, 0xF3, 0, 0x67, 0, 0x61, 0]

  static let rows: [Row] = [
    Row(testDescription: "2.2", bytes: tag(2, frame("PIC", picture) + frame("TP1", latin) + frame("TT2", song))),
    Row(
      testDescription: "2.3, UTF-16, behind a picture",
      bytes: tag(
        3,
        frame("APIC", picture) + frame("TIT2", [1, 0xFF, 0xFE] + utf16("Jóga\0", isLittle: true))
          + frame("TPE1", [1, 0xFE, 0xFF] + utf16("Björk", isLittle: false)))),
    Row(
      testDescription: "2.4, many values, and a size in seven bits",
      bytes: tag(
        4,
        frame("COMM", [UInt8](repeating: 0x41, count: 300), isSyncSafe: true)
          + frame("TPE1", [3] + Array("Björk\0\0Other".utf8), isSyncSafe: true)
          + frame("TIT2", [2] + utf16("Jóga", isLittle: false), isSyncSafe: true)), artist: "Björk, Other"),
    Row(
      testDescription: "2.4, stuffed, with the length of its data",
      bytes: tag(4, frame("TIT2", stuffed, flags: 0x03, isSyncSafe: true) + frame("TPE1", latin, isSyncSafe: true))),
    Row(
      testDescription: "2.3, stuffed as a whole, an extended header",
      bytes: tag(
        3, flags: 0xC0,
        [0, 0, 0, 6, 0, 0, 0, 0, 0, 0] + frame("PRIV", [1, 0xFF, 2]).flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
          + frame("TIT2", song) + frame("TPE1", latin))),
    Row(testDescription: "no artist, then padding", bytes: tag(3, frame("TIT2", song) + [0, 0, 0, 0]), artist: nil),
    Row(
      testDescription: "2.3, names of 2.2 with a zero",
      bytes: tag(3, frame("PIC\0", picture) + frame("TP1\0", latin) + frame("TT2\0", song))),
    Row(
      testDescription: "2.3, names of 2.2 with a space",
      bytes: tag(3, frame("TAL ", latin) + frame("TP1 ", latin) + frame("TT2 ", song))),
    Row(
      testDescription: "2.4, names of 2.2 with a zero",
      bytes: tag(4, frame("TP1\0", latin, isSyncSafe: true) + frame("TT2\0", song, isSyncSafe: true))),
    Row(
      testDescription: "2.3, frames of 2.2",
      bytes: tag(3, frame("TP1", latin) + frame("PIC", picture) + frame("TT2", song))),
    Row(
      testDescription: "2.3, frames of both versions",
      bytes: tag(3, frame("TCO", latin) + frame("TPE1", latin) + frame("TT2", song))),
    Row(
      testDescription: "what is compressed is passed over",
      bytes: tag(3, frame("TPE1", latin, flags: 0x80) + frame("TIT2", song)), artist: nil),
  ]

  @Test("Title and artist are read, for any tag format and pieces", arguments: rows)
  func reads(row: Row) {
    for part in [1, 2, 7, 1_000, row.bytes.count + 9] {
      var reader = Id3Reader()
      let bytes = row.bytes + [0xFF, 0xFB, 0x90, 0x44]
      for start in stride(from: 0, to: bytes.count, by: part) {
        reader.append(Array(bytes[start..<min(bytes.count, start + part)]).span)
      }
      #expect(reader.title == "Jóga" && reader.artist == row.artist && reader.isFinished)
    }
  }

  @Test("A damaged tag is harmless, and other data ends at once")
  func damage() {
    var random = SeededGenerator(3)
    for row in Self.rows {
      for _ in 0..<200 {
        var bytes = row.bytes
        bytes[Int.random(in: 0..<min(60, bytes.count), using: &random)] = UInt8.random(in: 0...255, using: &random)
        var reader = Id3Reader()
        reader.append(bytes.span)
        #expect((reader.title?.count ?? 0) <= 1_100)
      }
    }
    var reader = Id3Reader()
    reader.append(([0xFF, 0xFB, 0x90, 0x44, 0, 0, 0, 0, 0, 0, 0] as [UInt8]).span)
    #expect(reader.isFinished && reader.title == nil)
  }

  @Test("ID3v1 at a file's end is read")
  func last() {
    func field(_ text: String) -> [UInt8] { Array(text.utf8) + [UInt8](repeating: 0, count: 30 - text.utf8.count) }
    func last(_ bytes: [UInt8]) -> [String?]? { Id3Reader.parseLastTag(in: bytes.span).map { [$0.title, $0.artist] } }
    let tag = Array("TAG".utf8) + field("Song") + field("Band") + [UInt8](repeating: 0, count: 65)
    #expect(last(tag) == ["Song", "Band"] && last([1, 2, 3] + tag) == ["Song", "Band"])
    #expect(last(Array(tag.dropLast())) == nil && last(Build.id3v1) == nil)
  }
}
