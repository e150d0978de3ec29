import Http
import TestSupport
import Testing
import Units

@Suite struct WebAddressTests {
  @Test(
    "An address is read as typed",
    arguments: [
      ("radio.example", "http://radio.example/"), ("radio.example:8000/x", "http://radio.example:8000/x"),
      ("  http://Radio.example:80/a b \n", "http://radio.example/a%20b"), ("HTTPS://a:443/", "https://a/"),
      ("//a/b", "http://a/b"), ("localhost:8000", "http://localhost:8000/"), ("icy://a:8000/", "http://a:8000/"),
      ("http://a/b/../c?d#e", "http://a/c?d"), ("[::1]:8000/x", "http://[::1]:8000/x"),
      ("http://anna:pw@a/x", "http://a/x"), ("ftp.example/x", "http://ftp.example/x"),
      ("http://a/%C3%BC/ü", "http://a/%C3%BC/%C3%BC"), ("http://a/;stream.mp3", "http://a/;stream.mp3"),
      ("http://b\u{FC}cher.example/", "http://xn--bcher-kva.example/"), ("\u{FEFF}http://a/", "http://a/"),
    ])
  func reads(_ text: String, _ url: String) throws {
    let address = try WebAddress(text)
    #expect(address.url.unredacted == url)
    #expect(try WebAddress(url).url.unredacted == url)
  }

  @Test("Its parts are separated")
  func parts() throws {
    let address = try WebAddress("https://an%6Ea:p%40w@radio.example/a/b%20c.mp3?x=1")
    #expect(address.scheme == "https")
    #expect(address.host == "radio.example")
    #expect(address.port == 443)
    #expect(address.path == "/a/b%20c.mp3")
    #expect(address.query == "x=1")
    #expect(address.lastPathComponent == "b c.mp3")
    #expect(address.credentials == Credentials(name: "anna", password: "p@w"))
    #expect(try WebAddress("a").lastPathComponent == "")
    #expect(try WebAddress("http://a:70/").port == 70)
  }

  @Test(
    "An invalid address is refused",
    arguments: [
      "", "  ", "http://", "http://a:99999/", "http://a:x/", "http://a b/", "http://[::1",
      "http://\u{202E}a/", "a\u{0}b", "http://%3332/",
      "http://a/\r\nX: y", "http://" + String(repeating: "a", count: 20_000),
    ])
  func refuses(_ text: String) {
    #expect(throws: NetworkError.badURL) { try WebAddress(text) }
  }

  @Test("An unknown scheme is refused by name", arguments: ["rtsp", "mms", "ftp", "file", "RTMP", "gopher"])
  func schemes(_ scheme: String) {
    #expect(throws: NetworkError.badScheme(scheme.lowercased())) { try WebAddress("\(scheme)://host/x") }
  }

  @Test("A long scheme is cut, so that an error has room for the address")
  func longScheme() {
    let scheme = String(repeating: "a", count: 9_000)
    #expect(throws: NetworkError.badScheme(String(scheme.prefix(40)))) { try WebAddress("\(scheme)://host/x") }
  }

  @Test(
    "A reference is resolved",
    arguments: [
      ("c.mp3", "http://a:8000/x/c.mp3"), ("../c", "http://a:8000/c"), ("/c?d", "http://a:8000/c?d"),
      ("//b/c", "http://b/c"), ("https://b", "https://b/"), ("?q", "http://a:8000/x/list.m3u?q"),
      ("12:30 news.mp3", "http://a:8000/x/12:30%20news.mp3"), ("a:b.mp3", "http://a:8000/x/a:b.mp3"),
      (" c d\r", "http://a:8000/x/c%20d"), ("", "http://a:8000/x/list.m3u?z"),
    ])
  func resolves(_ reference: String, _ url: String) throws {
    #expect(try WebAddress("http://a:8000/x/list.m3u?z").resolve(reference).url.unredacted == url)
  }

  @Test("Credentials stay with their host; files stay with files")
  func resolvesWithCare() throws {
    let base = try WebAddress("http://anna:pw@a/list.m3u")
    #expect(try base.resolve("b").credentials == base.credentials)
    #expect(try base.resolve("//b/c").credentials == nil)
    #expect(try base.resolve("//a:81/c").credentials == nil)
    #expect(try base.resolve("https://a/c").credentials == nil)
    #expect(throws: NetworkError.badScheme("file")) { try base.resolve("file:///etc/passwd") }
    #expect(throws: NetworkError.badScheme("rtsp")) { try base.resolve("rtsp://a/") }
    let local = try WebAddress(filePath: "/music/list.m3u")
    #expect(try local.resolve("a b#c.mp3").url == "file:///music/a%20b")
    #expect(try local.resolve("/c").url == "file:///c")
    #expect(try local.resolve("http://a/").url == "http://a/")
    #expect(throws: NetworkError.badURL) { try WebAddress(filePath: "music") }
    #expect(throws: NetworkError.badURL) { try WebAddress("file:c\u{FC}", allowsFile: true) }
    #expect(throws: NetworkError.badURL) { try local.resolve("file:c\u{FC}/d") }
    #expect(throws: NetworkError.badURL) { try WebAddress("file:./", allowsFile: true) }
  }

  @Test(
    "A query is extended",
    arguments: [("http://a/x", "http://a/x?k=v%2B%25"), ("http://a/?b=1", "http://a/?b=1&k=v%2B%25")])
  func grows(_ text: String, _ url: String) throws {
    #expect(try WebAddress(text).adding(query: ["k=v+%"]).url.unredacted == url)
    #expect(try WebAddress(text).adding(query: []) == WebAddress(text))
    #expect(try WebAddress("http://anna:pw@a/").adding(query: ["k"]).credentials?.name == "anna")
  }

  @Test("A printed form shows no user, password or token")
  func redacts() throws {
    let address = try WebAddress("HTTP://anna:pw@A/x?id=7&token=abc")
    var dumped = ""
    dump(address, to: &dumped)
    for text in ["\(address)", String(reflecting: address), "\(address.url)", String(reflecting: address.url)] {
      #expect(text == "http://a/x")
    }
    #expect(!dumped.contains("anna") && !dumped.contains("pw") && !dumped.contains("id=7"))
    #expect(address.url.unredacted == "http://a/x?id=7&token=abc")
    let long = StationAddress("http://a/" + String(repeating: "x", count: 9_000))
    #expect(NetworkError.closedEarly.sentence(for: long).count < 700, "a sentence about it stays readable")
  }

  @Test(
    "An unencodable host is reported without the password before it",
    .enabled(if: !Sanitizer.isOn, "libcurl 7.88 loses the memory of such a host"))
  func redactsNoHost() {
    let sentence = NetworkError.badURL.sentence(for: "http://anna:secret@\u{301}/")
    #expect(!sentence.unicodeScalars.contains("@") && !sentence.contains("secret"))
  }

  @Test(
    "A combining character does not hide a delimiter",
    arguments: [
      ("http://a/\u{301}b", "http://a/%CC%81b"), ("http://a?\u{301}b", "http://a/?%CC%81b"),
      ("http://anna:pw@a/\u{301}", "http://a/%CC%81"),
    ])
  func combines(_ text: String, _ url: String) throws {
    #expect(try WebAddress(text).url.unredacted == url)
  }
}
