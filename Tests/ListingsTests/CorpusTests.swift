import Foundation
import Framing
import Listings
import Testing

/// Real lists, kept beside the repository and not in it.
@Suite("Lists in the wild", .enabled(if: Corpus.folder != nil, "The playlists of ../shared/corpora are not here."))
struct CorpusTests {
  @Test("all can be read", arguments: Corpus.files)
  func all(_ path: String) throws {
    let bytes = try Corpus.bytes(path)
    for kind in PlaylistKind.allCases { _ = try? entries(bytes, kind) }
    guard let kind = PlaylistKind(rawValue: URL(fileURLWithPath: path).pathExtension), !path.contains("mopidy/empty")
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
    let kind = try #require(PlaylistKind(rawValue: URL(fileURLWithPath: path).pathExtension))
    let list = try entries(Corpus.bytes(path), kind)
    #expect(list.count == count)
    if let first { #expect(list.first == first) }
  }

  @Test("may be empty", arguments: ["mopidy/empty.m3u", "mopidy/empty-ext.m3u"])
  func empty(_ path: String) throws {
    let bytes = try Corpus.bytes(path)
    #expect(throws: ListingError.empty) { try entries(bytes, .m3u) }
  }
}

private enum Corpus {
  static let folder: URL? = {
    var shared = ProcessInfo.processInfo.environment["BAKELITE_SHARED"].map { URL(fileURLWithPath: $0) }
    if shared == nil {
      let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { path, _ in path.deletingLastPathComponent() }
      shared = root.deletingLastPathComponent().appendingPathComponent("shared")
    }
    let folder = shared?.appendingPathComponent("corpora/playlists")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }()

  static let files: [String] =
    folder.flatMap { try? FileManager.default.subpathsOfDirectory(atPath: $0.path) }?
    .filter { !URL(fileURLWithPath: $0).pathExtension.isEmpty }.sorted() ?? []

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: #require(folder).appendingPathComponent(path)))
  }
}
