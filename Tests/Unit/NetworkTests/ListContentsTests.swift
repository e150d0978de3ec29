import Framing
import Listings
import Testing
import Units

@testable import Http
@testable import Network

struct ListContentsTests {
  private static func base() throws -> WebAddress { try WebAddress("http://a/lists/list.m3u") }

  @Test("A list's references are relative to the list, each with its title")
  func list() throws {
    let text = "#EXTM3U\n#EXTINF:7,One\none.mp3\n/two.mp3\nftp://b/three.mp3\nhttp://c/four.mp3\n"
    let list = ListContents(Array(text.utf8), .m3u, at: try Self.base())
    let urls = ["http://a/lists/one.mp3", "http://a/two.mp3", "http://c/four.mp3"] as [StationAddress]
    #expect(list.entries.map(\.address.url) == urls && list.items.map(\.url) == urls)
    #expect(list.entries.map(\.title) == ["One", nil, nil] && list.items.map(\.title) == ["One", nil, nil])
    #expect(list.items.map(\.seconds) == [7, nil, nil])
    #expect(list.title == nil)
  }

  @Test("A title that is its entry's address with a password is dropped")
  func secrets() throws {
    let text = "#EXTM3U\n#EXTINF:-1,http://me:secret@b/\nhttp://me:secret@b/\n"
    let list = ListContents(Array(text.utf8), .m3u, at: try Self.base())
    #expect(list.entries.count == 1 && list.entries[0].title == nil)
  }

  @Test("Episodes keep the order of the feed if one has no date or two have the same date")
  func partlyDated() throws {
    func order(_ dates: [Int64?]) throws -> [String] {
      let episodes = dates.enumerated().map { Episode(reference: "http://a/\($0).mp3", date: $1, identifier: "\($0)") }
      return ListContents(Feed(episodes: episodes), at: try Self.base()).items.map(\.identifier)
    }
    #expect(try order([10, nil, 30]) == ["0", "1", "2"])
    #expect(try order([10, 30, 30, 20]) == ["1", "2", "3", "0"])
  }

  @Test("An unknown encoding is reported if the text is invalid as UTF-8")
  func unknownEncoding() throws {
    func name(_ title: [UInt8]) throws -> String? {
      let head = "<?xml version='1.0' encoding='x-martian'?><playlist><trackList><track><location>x</location><title>"
      let text = Array(head.utf8) + title + Array("</title></track></trackList></playlist>".utf8)
      return ListContents(text, .xspf, at: try Self.base()).unknownEncoding
    }
    #expect(try name([0xE9]) == "x-martian")
    #expect(try name([0xC3, 0xA9]) == nil)
  }

  @Test("Variants are relative to their list, in the order to try them")
  func variants() throws {
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
      /high.m3u8
      """
    var reader = HlsPlaylistReader()
    reader.append(Array(text.utf8).span)
    guard case .master(let list) = try reader.finish() else { return #expect(Bool(false), "the text is a master list") }
    let entries = ListContents(list.choice(), at: try Self.base()).entries
    #expect(entries.map(\.address.url) == ["http://a/high.m3u8", "http://a/lists/low.m3u8"])
  }

  @Test("A feed reports its unknown encoding")
  func unknownFeedEncoding() throws {
    var feed = Feed(episodes: [Episode(reference: "http://a/1.mp3")])
    #expect(ListContents(feed, at: try Self.base()).unknownEncoding == nil)
    feed.unknownEncoding = "x-martian"
    #expect(ListContents(feed, at: try Self.base()).unknownEncoding == "x-martian")
  }

  @Test("Content that is not a list names nothing")
  func none() throws {
    let list = ListContents([], .pls, at: try Self.base())
    #expect(list.entries.isEmpty && list.items.isEmpty)
    let feed = ListContents(nil, at: try Self.base())
    #expect(feed.items.isEmpty && feed.title == nil)
  }

  @Test(
    "A podcast starts with its newest episode; a story starts with its first part, by date if known",
    arguments: [
      (false, true, [1, 3, 2]), (false, false, [1, 2, 3]), (true, true, [2, 3, 1]), (true, false, [3, 2, 1]),
    ])
  func feed(isSerial: Bool, isDated: Bool, expected: [Int]) throws {
    let dates = [30, 10, 20] as [Int64]
    let text = (1...3).map { number in
      let date = isDated ? "<pubDate>Fri, \(dates[number - 1]) Oct 2026 06:00:00 +0000</pubDate>" : ""
      return "<item><guid>\(number)</guid>\(date)<enclosure url='\(number).mp3' type='audio/mpeg'/></item>"
    }
    let itself = "<item><guid>4</guid><enclosure url='list.m3u' type='audio/mpeg'/></item>"
    let type = isSerial ? "<itunes:type>serial</itunes:type>" : ""
    let whole =
      "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel><title>Talk</title>\(type)"
      + text.joined() + itself + "</channel></rss>"
    var reader = FeedReader()
    reader.append(Array(whole.utf8).span)
    let list = ListContents(try reader.finish(), at: try Self.base())
    #expect(list.title == "Talk" && list.entries.isEmpty)
    #expect(list.items.map(\.identifier) == expected.map { "\($0)" })
    #expect(list.items.map(\.url) == expected.map { StationAddress("http://a/lists/\($0).mp3") })
  }
}
