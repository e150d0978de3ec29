import Listings
import Testing

@Suite("M3U")
struct M3uTests {
  @Test(
    "M3U gives each line except comments",
    arguments: [
      Case("http://a/1", ["http://a/1"]),
      Case("#EXTM3U\nhttp://a/1\n", ["http://a/1"]),
      Case(
        "  # note\n\t http://a/1 \n\n\nlive/2.mp3\n../3.mp3\n/4.mp3",
        ["http://a/1", "live/2.mp3", "../3.mp3", "/4.mp3"]),
      Case("//host/x\nHTTPS://A/b", ["//host/x", "HTTPS://A/b"]),
      Case("C:\\a.mp3\nd:/b.mp3\n\\\\server\\c.mp3\nfolder\\d.mp3\nC:\nhttp://a/1", ["http://a/1"]),
      Case("\"http://a/1\"\n'http://a/2'\n\" b.mp3 \"\n\"\n", ["http://a/1", "http://a/2", "b.mp3", "\""]),
      Case("http://a/my song.mp3", ["http://a/my%20song.mp3"]),
      Case("http://a/\u{1}x\nhttp://a/\ty\nhttp://a/\u{85}z\nhttp://a/\u{0}w\nhttp://a/ok", ["http://a/ok"]),
      Case("http://a/1\u{0}\u{0}\n\u{0}\nb\u{0}", ["http://a/1", "b"]),
      Case("http://a/é\u{301}/\u{301}", ["http://a/é\u{301}/\u{301}"]),
      Case("#EXTM3U\n#EXTINF:-1,Nothing", []),
      Case("#", []),
    ])
  func lines(_ list: Case<[String]>) throws {
    #expect(try references(list.text, .m3u) == list.outcome)
  }

  @Test(
    "M3U gives VLC's options before an entry",
    arguments: [
      Case(
        "#EXTVLCOPT:http-user-agent=A b/1 (x&y)\n#EXTVLCOPT:http-referrer=http://r/\n/music/a|b.mp3\nhttp://a/2",
        ["User-Agent=A%20b/1%20(x%26y)&Referer=http://r/", ""]),
      Case("#extvlcopt:network-caching=1000\nhttp://a/1|Cookie=x", ["network-caching=1000"]),
      Case("#EXTVLCOPT:=x\n#EXTVLCOPT:a\n#EXTVLCOPT:a b=c\n#EXTVLCOPT:a=\nhttp://a/1", [""]),
    ])
  func options(_ list: Case<[String]>) throws {
    let entries = try PlaylistParser.entries(of: Array(list.text.utf8).span, kind: .m3u)
    #expect(entries.map(\.options) == list.outcome)
    #expect(entries.allSatisfy { !$0.reference.contains("User-Agent") })
  }

  @Test(
    "M3U gives length and title before an entry",
    arguments: [
      Case("#EXTINF:-1,Radio One", ListEntry(reference: "x", title: "Radio One")),
      Case("#extinf:0,Radio One", ListEntry(reference: "x", title: "Radio One")),
      Case("#EXTINF:203, gravity ", ListEntry(reference: "x", title: "gravity", seconds: 203)),
      Case("#EXTINF:12.9,A, b", ListEntry(reference: "x", title: "A, b", seconds: 12)),
      Case("#EXTINF:99999999999999999999,A", ListEntry(reference: "x", title: "A")),
      Case("#EXTINF:5", ListEntry(reference: "x", seconds: 5)),
      Case("#EXTINF:", ListEntry(reference: "x")),
      Case("#EXTINF:-1,", ListEntry(reference: "x")),
      Case(
        "#EXTINF:-1 tvg-id=\"a,b\" group-title=\"x\",One, \"two, three\"",
        ListEntry(reference: "x", title: "One, \"two, three\"")),
      Case("#EXTINF:-1 group-title=\"x,One", ListEntry(reference: "x", title: "One")),
      Case("#EXTINF:1,Old\n#EXTINF:2,New\n#EXTVLCOPT:y\n# note", ListEntry(reference: "x", title: "New", seconds: 2)),
      Case("#EXTINF:1,Skipped\nC:\\a.mp3", ListEntry(reference: "x")),
      Case("#EXTINF:1,Other\ny", ListEntry(reference: "x")),
    ])
  func information(_ list: Case<ListEntry>) throws {
    #expect(try entries(list.text + "\nx", .m3u).last == list.outcome)
  }

  @Test("M3U refuses a web page", arguments: ["<html>\n404\n</html>", "\n\n  <!DOCTYPE html>\nx"])
  func webPage(_ page: String) {
    #expect(throws: ListingError.malformed(line: 1)) { try entries(page, .m3u) }
  }
}

@Suite("PLS")
struct PlsTests {
  @Test(
    "PLS gives the files by number",
    arguments: [
      Case("[playlist]\nFile1=http://a/1\nNumberOfEntries=1\nVersion=2\n", ["http://a/1"]),
      Case("[PlayList]\r\nfile1=http://a/1\r\nFILE2=http://a/2", ["http://a/1", "http://a/2"]),
      Case("File1=http://a/1", ["http://a/1"]),
      Case("\n\n  File1 =  http://a/1  \n", ["http://a/1"]),
      Case("[playlist]\nNumberOfEntries=9\nFile1=http://a/1", ["http://a/1"]),
      Case("[playlist]\nnumberofentries=x\nFile3=http://a/3\nFile1=http://a/1", ["http://a/1", "http://a/3"]),
      Case("File10=http://a/10\nFile9=http://a/9\nFile02=http://a/2", ["http://a/2", "http://a/9", "http://a/10"]),
      Case("File1=http://a/first\nFile1=http://a/second", ["http://a/first"]),
      Case("File1=\nFile1=http://a/second", ["http://a/second"]),
      Case("; File1=http://a/no\n#File1=http://a/no\nFile2=http://a/2;x#y", ["http://a/2;x#y"]),
      Case("File1=\"http://a/1\"\nFile2='live.mp3'", ["http://a/1", "live.mp3"]),
      Case("File1=http://a/?x=1&y=2", ["http://a/?x=1&y=2"]),
      Case("File=http://a/\nFileX=http://a/\nFile99999999999999999999=http://a/\n=http://a/\nFile1", []),
      Case("File1=C:\\Music\\a.mp3\nFile2=http://a/2", ["http://a/2"]),
      Case("[Reference]\nRef1=http://a/1\nRef2=http://a/2", ["http://a/1", "http://a/2"]),
    ])
  func files(_ list: Case<[String]>) throws {
    #expect(try references(list.text, .pls) == list.outcome)
  }

  @Test("PLS matches titles and lengths by number, in any order")
  func titles() throws {
    let list = """
      [playlist]
      title2= Two = 2 ; too
      Length1=123
      File1=a.mp3
      TITLE1=One
      Title1=Uno
      File2=b.mp3
      Length2=-1
      Length3=7
      Title3=Three
      File4=d.mp3
      Title4=
      """
    #expect(
      try entries(list, .pls) == [
        ListEntry(reference: "a.mp3", title: "One", seconds: 123),
        ListEntry(reference: "b.mp3", title: "Two = 2 ; too"),
        ListEntry(reference: "d.mp3"),
      ])
  }
}
