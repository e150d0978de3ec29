import Http
import Testing
import Units

/// Options that other players write into an address.
@Suite struct AddressOptionsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { text }
    var text: String
    var address: String
    var userAgent: String?
    var headers: [String] = []
    var encoding: String?
    var name: String?
    var ignored: [String] = []
  }

  static let cases = [
    Case(text: "http://a/live", address: "http://a/live"),
    Case(
      text: "http://a/live|User-Agent=Mozilla/5.0&Referer=http://x.example/", address: "http://a/live",
      userAgent: "Mozilla/5.0", headers: ["Referer: http://x.example/"]),
    Case(
      text: "http://a/live?x=1|user-agent=VLC%2F3.0%20(Linux)&Origin=http%3A%2F%2Fb", address: "http://a/live?x=1",
      userAgent: "VLC/3.0 (Linux)", headers: ["Origin: http://b"]),
    Case(text: "http://a|User-Agent=x", address: "http://a", userAgent: "x"),
    Case(text: "https://a/b|User-Agent=x|Referer=y", address: "https://a/b", userAgent: "x", headers: ["Referer: y"]),
    Case(
      text: "http://a/b|Cookie=a%3Db&verifypeer=false&Cookie=c", address: "http://a/b",
      ignored: ["cookie", "verifypeer"]),
    Case(
      text: "http://a/b|Referer=x&Referer=y&Referrer=z&Origin=o&Origin=p&User-Agent=u&User-Agent=v",
      address: "http://a/b",
      userAgent: "u", headers: ["Referer: x", "Origin: o"]),
    Case(text: "http://a/b|c|User-Agent=x", address: "http://a/b|c", userAgent: "x"),
    Case(text: "http:/anna:80|x=1@a/b", address: "http:/anna:80|x=1@a/b"),
    Case(text: "http://a/b|User-Agent=", address: "http://a/b", ignored: ["user-agent"]),
    Case(text: "http://a/b|User-Agent=a%0D%0AHost:%20b", address: "http://a/b", ignored: ["user-agent"]),
    Case(text: "http://a/b|Referer=a%00b", address: "http://a/b", ignored: ["referer"]),
    Case(text: "http://a/live#charset=cp1251", address: "http://a/live", encoding: "cp1251"),
    Case(text: "http://a/live#CHARSET=ISO-8859-2", address: "http://a/live", encoding: "ISO-8859-2"),
    Case(text: "http://a/live#charset=a%0Ab", address: "http://a/live", ignored: ["charset"]),
    Case(
      text: "http://a/b|User-Agent=x#charset=koi8-r", address: "http://a/b", userAgent: "x", encoding: "koi8-r"),
    Case(text: "http://a/live#Jazz%20FM", address: "http://a/live", name: "Jazz FM"),
    Case(text: "http://a/live#", address: "http://a/live"),
    // Not options.
    Case(text: "http://a/b|c", address: "http://a/b|c"),
    Case(text: "http://a/?x=b|c&d=e", address: "http://a/?x=b|c&d=e"),
    Case(text: "http://anna:ge|x=1@a/b", address: "http://anna:ge|x=1@a/b"),
    Case(text: "file:///music/a|User-Agent=b#c.mp3", address: "file:///music/a|User-Agent=b#c.mp3"),
  ]

  @Test("Options are separated from the address (I4)", arguments: cases)
  func reads(one: Case) {
    let options = AddressOptions(StationAddress(one.text))
    #expect(options.address.unredacted == one.address)
    #expect(options.userAgent == one.userAgent && options.headers == one.headers)
    #expect(options.encoding == one.encoding && options.name == one.name && options.ignored == one.ignored)
  }

  @Test("Options are bounded")
  func bounds() {
    let many = (0..<100).map { "x\($0)=1" }.joined(separator: "&")
    #expect(AddressOptions(StationAddress("http://a/|\(many)")).ignored.count == 16)
    let long = String(repeating: "a", count: 513)
    #expect(AddressOptions(StationAddress("http://a/|User-Agent=\(long)")).userAgent == nil)
  }

  @Test("Options from elsewhere come after those of the address")
  func more() {
    let options = AddressOptions("http://a/b|User-Agent=x", more: "User-Agent=y&Referer=z%20z&network-caching=1&&=&a")
    #expect(options.userAgent == "x" && options.headers == ["Referer: z z"] && options.ignored == ["network-caching"])
    #expect(AddressOptions("http://a/b", more: "User-Agent=y").address.unredacted == "http://a/b")
  }

  @Test("A list cannot make the search for options slow")
  func linear() {
    func time(_ count: Int) -> Swift.Duration {
      let address = StationAddress("http://a/" + String(repeating: "|a", count: count))
      let times = (0..<5).map { _ in
        ContinuousClock().measure { for _ in 0..<20 { _ = AddressOptions(address) } }
      }
      return times.min() ?? .zero
    }
    // Eight times the parts: a search of each pair of parts would take 64 times as long.
    #expect(time(8_000) < time(1_000) * 32)
  }

  @Test("Options are never part of the address, and never shown")
  func hidden() throws {
    for one in Self.cases where one.ignored == ["cookie", "verifypeer"] {
      #expect(try WebAddress(written: StationAddress(one.text)).url.unredacted == "http://a/b")
      #expect(StationAddress(one.text).description == "http://a/b" && StationAddress(one.text).hasSecrets)
    }
  }
}
