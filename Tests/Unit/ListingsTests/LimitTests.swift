import Framing
import Listings
import Testing

@Suite("Limits")
struct LimitTests {
  @Test(
    "An empty list is reported", arguments: PlaylistKind.allCases,
    ["", " \r\n\u{0}\t", "\u{FEFF}"])
  func empty(_ kind: PlaylistKind, _ text: String) {
    #expect(throws: ListingError.empty) { try entries(text, kind) }
  }

  @Test("A list over 1 MiB is too large", arguments: PlaylistKind.allCases)
  func tooLarge(_ kind: PlaylistKind) throws {
    let line = Array("http://a/1\n".utf8)
    for count in [PlaylistParser.byteLimit + 1, 2 << 20] {
      #expect(throws: ListingError.tooLarge) { try entries(line + [UInt8](repeating: 0x20, count: count), kind) }
    }
    let blanks = [UInt8](repeating: 0x0A, count: PlaylistParser.byteLimit - line.count)
    #expect(try entries(line + blanks, .m3u).count == 1)
  }

  @Test("The first 1,000 entries count", arguments: PlaylistKind.allCases)
  func entryLimit(_ kind: PlaylistKind) throws {
    let lines = (1...1_500).map { number in
      switch kind {
      case .pls: "File\(number)=\(number)"
      case .m3u: "\(number)"
      case .xspf: "<track><location>\(number)</location></track>"
      case .asx: "<entry><ref href=\"\(number)\"/></entry>"
      case .opml: "<outline url=\"\(number)\"/>"
      case .feed: "<item><enclosure url=\"\(number)\"/></item>"
      }
    }
    let body = lines.joined(separator: "\n")
    let list =
      switch kind {
      case .xspf: "<playlist><trackList>\(body)</trackList></playlist>"
      case .opml: "<opml>\(body)</opml>"
      case .feed: "<rss><channel>\(body)</channel></rss>"
      default: body
      }
    #expect(try entries(list, kind).map(\.reference) == (1...(kind == .feed ? 500 : 1_000)).map(String.init))
  }

  @Test("A line over 4,096 bytes is dropped", arguments: PlaylistKind.allCases.filter { $0 != .feed })
  func lineLimit(_ kind: PlaylistKind) throws {
    let long = String(repeating: "x", count: 4_096)
    let spaced = String(repeating: "x", count: 4_090) + " y z"
    func list(_ words: String) -> String {
      switch kind {
      case .pls: "File1=\(words)\nTitle1=\(words)\nFile2=b"
      case .m3u: "#EXTINF:1,\(words.dropFirst(3))\n\(words)\nb"
      case .xspf:
        """
        <playlist><trackList><track><title>\(words)</title><location>\(words)</location><location>b</location>
        </track></trackList></playlist>
        """
      case .asx: "<title>\(words)</title><ref href=\"\(words)\"><ref href=\"b\">"
      case .opml, .feed: "<opml><outline text='\(words)' url='\(words)'/><outline url='b'/></opml>"
      }
    }
    #expect(try entries(list(long), kind).map(\.reference) == [long, "b"])
    #expect(try entries(list(long + "x"), kind) == [ListEntry(reference: "b")])
    #expect(try entries(list(spaced), kind).map(\.reference) == ["b"])
  }

  @Test("References and titles use at most 512 KiB of a list", arguments: [PlaylistKind.m3u, .pls])
  func textLimit(_ kind: PlaylistKind) throws {
    let long = String(repeating: "x", count: 500)
    let lines = (1...1_000).map {
      kind == .m3u ? "#EXTINF:1,\(long)\n\(long)" : "File\($0)=\(long)\nTitle\($0)=\(long)"
    }
    let list = try entries(lines.joined(separator: "\n"), kind)
    #expect(list.count == PlaylistParser.textLimit / 1_000)
  }

  @Test("A base may not expand references past the limit")
  func swellingBases() throws {
    let folder = String(repeating: "x", count: 4_000) + "/"
    let nested = "<playlist xml:base=\"\(folder)\"><trackList xml:base=\"\(folder)\"><track>"
    let list = nested + "<location>\(folder)</location><location>y</location></track></trackList></playlist>"
    #expect(try entries(list, .xspf).allSatisfy { $0.reference.utf8.count <= 4_096 })
  }

  @Test(
    "Errors are sentences",
    arguments: [
      (ListingError.empty, "The list names no station: look for another address of the station."),
      (.tooLarge, "The list is longer than a station's can be: check the address."),
      (.malformed(line: 3), "The list cannot be read at line 3: look for another address of the station."),
    ])
  func sentences(_ error: ListingError, _ sentence: String) {
    #expect(error.description == sentence)
  }
}
