import Framing
import Listings
import Testing

@Suite("Lists in the wild", .corpora)
struct PlaylistFileTests {
  @Test("all can be read", arguments: Corpora.files("playlists").filter { !$0.kind.isEmpty })
  func all(_ path: String) throws {
    let bytes = try Corpora.bytes(path)
    for kind in PlaylistKind.allCases { _ = try? entries(bytes, kind) }
    guard let kind = PlaylistKind(rawValue: path.kind), !path.contains("mopidy/empty")
    else { return }
    #expect(try !entries(bytes, kind).isEmpty)
  }

  @Test(
    "give their stations",
    arguments: [
      ("clementine/pls_one.pls", 1, ListEntry(reference: "filename%20with%20spaces.mp3", title: "Title", seconds: 123)),
      (
        "clementine/pls_somafm.pls", 4,
        ListEntry(
          reference: "http://streamer-dtc-aa05.somafm.com:80/stream/1018",
          title: "SomaFM: Groove Salad (#1 128k mp3): A nicely chilled plate of ambient beats and grooves.")
      ),
      ("clementine/test.asx", 1, ListEntry(reference: "http://example.com/foo.mp3", title: "Foo")),
      ("clementine/test.xspf", 1, ListEntry(reference: "http://example.com/foo.mp3", title: "Foo", seconds: 60)),
      (
        "iprd/us.m3u", 1_000,
        ListEntry(reference: "http://sarcheshmeh.icdndhcp.com:18452/stream", title: "Radio Sarcheshmeh")
      ),
      ("iprd/gb.m3u", 503, nil),
      ("iprd/jp.m3u", 35, nil),
      ("mopidy/comment-ext.m3u", 1, ListEntry(reference: "song1.mp3", title: "Song #1")),
      ("mopidy/encoding-ext.m3u", 1, ListEntry(reference: "æøå.mp3", title: "æøå")),
      ("mopidy/two-ext.m3u", 2, ListEntry(reference: "song1.mp3", title: "Song #1")),
      (
        "icecast-metadata-js-vintage/Dublab MP3 128.m3u", 1,
        ListEntry(reference: "http://dublab.out.airtime.pro/dublab_b")
      ),
    ] as [(String, Int, ListEntry?)])
  func known(_ path: String, _ count: Int, _ first: ListEntry?) throws {
    let kind = try #require(PlaylistKind(rawValue: path.kind))
    let list = try entries(Corpora.bytes("playlists/" + path), kind)
    #expect(list.count == count)
    if let first { #expect(list.first == first) }
  }

  @Test("may be empty", arguments: ["mopidy/empty.m3u", "mopidy/empty-ext.m3u"])
  func empty(_ path: String) throws {
    let bytes = try Corpora.bytes("playlists/" + path)
    #expect(throws: ListingError.empty) { try entries(bytes, .m3u) }
  }

  private func entries(_ bytes: [UInt8], _ kind: PlaylistKind) throws(ListingError) -> [ListEntry] {
    try PlaylistParser.entries(of: bytes.span, kind: kind)
  }
}
