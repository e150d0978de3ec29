import Listings
import Testing

@Suite("The text of a list")
struct EncodingTests {
  private static let list = "#EXTINF:-1,Zürich – 日本\nhttp://a/1\n"

  @Test(
    "is read in its encoding",
    arguments: [
      Array(list.utf8),
      marked([0xEF, 0xBB, 0xBF], Array(list.utf8)),
      marked([0xFF, 0xFE], utf16(list)),
      marked([0xFE, 0xFF], utf16(list, bigEndian: true)),
      utf16(list),
      utf16(list, bigEndian: true),
      marked([0xFF, 0xFE], utf16(list)) + [0x41],
    ])
  func unicode(_ bytes: [UInt8]) throws {
    #expect(try entries(bytes, .m3u).first == ListEntry(reference: "http://a/1", title: "Zürich – 日本"))
  }

  private static func marked(_ mark: [UInt8], _ text: [UInt8]) -> [UInt8] { mark + text }

  @Test("is windows-1252 where it is not UTF-8")
  func windows1252() throws {
    let title: [UInt8] = Array(0x80...0xFF)
    let expected =
      "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ"
      + String(String.UnicodeScalarView((0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) }))
    #expect(try entries(Array("#EXTINF:1,".utf8) + title + Array("\nx".utf8), .m3u).first?.title == expected)
  }

  @Test("is decoded alike for every kind", arguments: ["utf-8", "ISO-8859-1", "windows-1252"])
  func declared(_ name: String) throws {
    let list = """
      <?xml version="1.0" encoding="\(name)"?>
      <playlist><trackList><track><location>x</location><title>Caf
      """
    let rest = "</title></track></trackList></playlist>"
    #expect(try entries(Array(list.utf8) + [0xE9] + Array(rest.utf8), .xspf).first?.title == "Café")
    #expect(try entries([0xFF, 0xFE] + utf16(list + "é" + rest), .xspf).first?.title == "Café")
    #expect(
      try entries(Array("<title>Caf".utf8) + [0xE9] + Array("</title><ref href=x>".utf8), .asx).first?.title == "Café")
    #expect(try entries(Array("File1=x\nTitle1=Caf".utf8) + [0xE9], .pls).first?.title == "Café")
  }

  @Test("may end its lines in any way", arguments: ["\n", "\r", "\r\n", "\n\r", "\r\r\n", "\n \u{0} \n"])
  func lineEnds(_ end: String) throws {
    let lines = ["#EXTM3U", "#EXTINF:9,One", "http://a/1", "http://a/2"]
    let expected = [ListEntry(reference: "http://a/1", title: "One", seconds: 9), ListEntry(reference: "http://a/2")]
    #expect(try entries(lines.joined(separator: end), .m3u) == expected)
    #expect(try entries(end + lines.joined(separator: end) + end, .m3u) == expected)
    #expect(try entries("[playlist]\(end)File1=a\(end)File2=b", .pls).map(\.reference) == ["a", "b"])
  }
}
