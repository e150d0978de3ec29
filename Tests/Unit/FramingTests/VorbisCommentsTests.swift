import Testing

@testable import Framing

struct VorbisCommentsTests {
  private static func tags(_ bytes: [UInt8]) -> StreamTags { VorbisComments(bytes.span).tags }
  private static func tags(_ texts: [String]) -> StreamTags { tags(OggBytes.comments(texts)) }

  @Test("Title, artists and album are read by names in any case")
  func names() {
    let tags = Self.tags(["title=A=B", "Artist=Eins", "DATE=2001", "ARTIST=Zwei", "album=C", "TITLE=No", "ALBUM=No"])
    #expect(tags == StreamTags(title: "A=B", artist: "Eins, Zwei", album: "C"))
    #expect(Self.tags(["TITLE=Artist - Title"]) == StreamTags(title: "Artist - Title"))
  }

  @Test(
    "Other comments are ignored",
    arguments: ["TITLE", "TITLE=", "TITLE= \u{7}", "TITLES=x", "XTITLE=x", "", "=", "DITLE=x"])
  func others(text: String) {
    #expect(Self.tags([text]).isEmpty)
    #expect(Self.tags([text, "TITLE=y"]).title == "y")
  }

  @Test("Names ignore case only in letters")
  func cases() {
    // 0x54 and 0x74 are T and t; 0x14 is a control character that differs in one more bit.
    let control = OggBytes.row(OggBytes.numbers(0, 1, 7), [0x14], Array("ITLE=x".utf8))
    #expect(Self.tags(control).isEmpty)
    #expect(Self.tags(["tItLe=x"]).title == "x")
  }

  @Test("Text is fit for display: no controls, valid, limited")
  func text() {
    #expect(Self.tags(["TITLE=a\u{1B}[2J\u{202E}b\n c"]).title == "a[2Jb c")
    #expect(Self.tags(["TITLE=" + String(repeating: "ä", count: 4_000)]).title?.count == 256)
    let latin = OggBytes.row(OggBytes.numbers(0, 1, 7), Array("TITLE=".utf8), [0xE4])
    #expect(Self.tags(latin).title == "ä")
  }

  @Test("Comments may arrive in pieces, with pictures")
  func pieces() {
    let picture = "METADATA_BLOCK_PICTURE=" + String(repeating: "A", count: 100_000)
    let bytes = OggBytes.comments([picture, "TITLE=One", "", picture, "ARTIST=Two", "ALBUM=" + picture])
    for step in [1, 3, 255, 4_096, 70_000] {
      var comments = VorbisComments()
      for place in stride(from: 0, to: bytes.count, by: step) {
        comments.process(bytes.span.extracting(place..<min(bytes.count, place + step)))
      }
      #expect(comments.tags.title == "One" && comments.tags.artist == "Two" && comments.tags.album?.count == 256)
    }
    let cut = Self.tags(["TITLE=x" + String(repeating: "ä", count: 4_000)])
    #expect(cut.title == "x" + String(repeating: "ä", count: 255))
  }

  @Test("An artist counts once, up to four artists")
  func artists() {
    #expect(Self.tags(["ARTIST=A", "ARTIST=A", "ARTIST=B"]).artist == "A, B")
    #expect(Self.tags((1...9).map { "ARTIST=\($0)" }).artist == "1, 2, 3, 4")
  }

  @Test("A truncation leaves the earlier comments")
  func cuts() {
    let bytes = OggBytes.comments(["TITLE=One", "ARTIST=Two"])
    for count in bytes.indices {
      let tags = Self.tags(Array(bytes[..<count]))
      #expect(tags == StreamTags(title: count < 25 ? nil : "One"), "\(count)")
    }
  }

  @Test("Impossible lengths and counts end the comments")
  func hostile() {
    let title = OggBytes.low(7, 4) + Array("TITLE=x".utf8)
    #expect(Self.tags(OggBytes.numbers(0, 0xFFFF_FFFF) + title).title == "x")
    let empty = [UInt8](repeating: 0, count: 4 * 20_000)
    #expect(Self.tags(OggBytes.row(OggBytes.numbers(0, 20_001), empty, title)).isEmpty)
    #expect(Self.tags(OggBytes.numbers(0xFFFF_FFFF, 1) + title).isEmpty)
    #expect(Self.tags(OggBytes.numbers(0, 2, 0xFFFF_FFFF) + title).isEmpty)
    #expect(Self.tags(OggBytes.numbers(0, 0) + title).isEmpty)
    let some = [UInt8](repeating: 0, count: 40_000)
    #expect(Self.tags(OggBytes.row(OggBytes.numbers(0, 0xFFFF_FFFF), some, title)).title == "x")
  }
}
