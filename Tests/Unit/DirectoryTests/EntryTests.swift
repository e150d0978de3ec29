import Directory
import DirectorySupport
import Testing

struct EntryTests {
  private func row(_ fields: [DirectoryColumn: String]) -> DirectoryRow {
    var row = DirectoryRow()
    (row[.name], row[.url]) = ("A", "http://a.example/")
    for (column, text) in fields { row[column] = text }
    return row
  }

  @Test(
    "A row without a name or an HTTP address is broken (G2)",
    arguments: [
      [.name: ""], [.name: " \u{202E}\t"], [.url: ""], [.url: "ftp://a/"], [.url: "rtmp://a.example/live"],
      [.url: "http://"], [.url: "http:///a"], [.url: "javascript:alert(1)"], [.url: "http://a b/"],
      [.url: "http://a\u{202E}b/"], [.url: "http://a/\u{7}"], [.url: "file:///etc/passwd"],
      [.url: "http://user:pass@a.example/"], [.url: "http://@a.example/"], [.url: "https://a@b@c/"],
      [.url: "HTTP://user@a.example?b/c"],
      [.url: "http://a/" + String(repeating: "b", count: 2_048)],
    ] as [[DirectoryColumn: String]])
  func broken(_ fields: [DirectoryColumn: String]) {
    #expect(DirectoryEntry(row(fields)) == nil)
  }

  @Test("Texts are cleaned and limited (G2)")
  func cleaned() throws {
    let entry = try #require(
      DirectoryEntry(
        row([
          .name: " A\n\t B\u{0}\u{202E}C ", .url: " HTTPS://a.example/x ", .homepage: "www.a.example",
          .tags: "jazz, Jazz,JÁZZ,,pop\u{7}," + (0..<50).map { "t\($0)" }.joined(separator: ","), .countryCode: "de",
          .country: "The Federal Republic", .votes: "-3", .bitRate: "99999999999999999999", .codec: "UNKNOWN",
          .language: "german,", .isAlive: "TRUE", .isHls: "0", .state: String(repeating: "ö", count: 100),
        ])))
    #expect(entry.name == "A BC" && entry.url.unredacted == "https://a.example/x" && entry.homepage == "")
    #expect(entry.tags.prefix(3) == ["jazz", "pop", "t0"] && entry.tags.count == 16)
    #expect(entry.countryCode == "DE" && entry.country == "Germany" && entry.languages == ["german"])
    #expect(entry.votes == 0 && entry.bitRate == 0 && entry.codec == "" && entry.isAlive && !entry.isHls)
    #expect(entry.state == String(repeating: "ö", count: 24) && entry.uuid == nil)
  }

  @Test("A name is limited at a whole letter (G2)")
  func longName() throws {
    let entry = try #require(DirectoryEntry(row([.name: String(repeating: "語", count: 1_000)])))
    #expect(entry.name == String(repeating: "語", count: 66))
  }

  @Test("The address is the owner's, else its redirect (G2)")
  func address() {
    let both = row([.url: "http://a.example/list.m3u", .resolvedUrl: "http://b.example/live"])
    #expect(DirectoryEntry(both)?.url.unredacted == "http://a.example/list.m3u")
    let resolved = row([.url: "", .resolvedUrl: "http://b.example/live"])
    #expect(DirectoryEntry(resolved)?.url.unredacted == "http://b.example/live")
  }

  @Test("An address has its scheme in lower case, and the rest unchanged (G2)")
  func scheme() {
    for (text, stored) in [
      ("HTTP://A.Example/LIVE", "http://A.Example/LIVE"), ("hTtPs://a/?u=b@c", "https://a/?u=b@c"),
      ("http://a/b@c", "http://a/b@c"), ("http://a#@", "http://a#@"),
    ] {
      #expect(DirectoryEntry(row([.url: text]))?.url.unredacted == stored)
      #expect(DirectoryEntry(row([.homepage: text]))?.homepage == stored)
    }
    #expect(DirectoryEntry(row([.homepage: "http://u:p@a/"]))?.homepage == "")
  }

  @Test("A country without a code keeps its name, and one without a name has its code (G2)")
  func countries() {
    #expect(DirectoryEntry(row([.country: "Atlantis", .countryCode: "A1"]))?.country == "Atlantis")
    #expect(DirectoryEntry(row([.countryCode: "ZZ"]))?.country == "ZZ")
    #expect(DirectoryEntry(row([.country: "The Republic Of Korea", .countryCode: "KR"]))?.country == "South Korea")
  }
}
