import Directory
import SeededRandom
import System
import Testing
import Units

@testable import DirectoryClient
@testable import Http

/// The choice of servers.
struct ServerTests {
  private static let hosts = ["de1", "nl1", "at1", "fi1", "us1", "us2", "us3"].map { "\($0).api.radio-browser.info" }

  @Test("SRV records give servers with ports and priorities (G1)")
  func records() {
    let answer = DnsAnswer(services: [
      .init(host: Self.hosts[0], port: 443, priority: 2), .init(host: "NL1.api.Radio-Browser.info", port: 8443),
    ])
    let records = ServiceRecord.read(answer.bytes.span)
    #expect(records.map(\.host) == Array(Self.hosts[..<2]))
    #expect(records.map(\.port) == [443, 8443])
    #expect(records.map(\.priority) == [2, 0])
  }

  @Test("Other record types, port 0 and invalid names are ignored (G6)")
  func unfit() {
    let answer = DnsAnswer(services: [
      .init(host: Self.hosts[0], type: 16), .init(host: Self.hosts[1], port: 0), .init(host: "a b.radio-browser.info"),
      .init(host: "-a.radio-browser.info"), .init(host: "a\u{7F}.radio-browser.info"), .init(host: Self.hosts[2]),
    ])
    #expect(ServiceRecord.read(answer.bytes.span).map(\.host) == [Self.hosts[2]])
  }

  @Test("A truncated or corrupted response gives valid host names or nothing (G6)")
  func hostile() {
    let whole = DnsAnswer(services: Self.hosts.prefix(3).map { .init(host: $0) }).bytes
    func check(_ bytes: [UInt8]) {
      for record in ServiceRecord.read(bytes.span) {
        #expect(ServiceRecord.name(record.host) == record.host && (1...65_535).contains(record.port))
      }
    }
    for count in 0..<whole.count { check(Array(whole[..<count])) }
    for place in whole.indices {
      for value: UInt8 in [0, 1, 0x3F, 0xC0, 0xFF] {
        var bytes = whole
        bytes[place] = value
        check(bytes)
      }
    }
    var random = SeededGenerator(23)
    for _ in 0..<2_000 { check((0..<Int(random.next() % 200)).map { _ in UInt8(random.next() & 0xFF) }) }
  }

  @Test("A self-referential name and excess records end (G6)")
  func loops() {
    var bytes = DnsAnswer(services: [.init(host: Self.hosts[0])]).bytes
    let name = bytes.count - DnsAnswer(question: "", services: []).bytes.count
    bytes.removeLast(Self.hosts[0].utf8.count + 2)
    bytes += [0xC0, UInt8(bytes.count)]
    #expect(name > 0 && ServiceRecord.read(bytes.span).isEmpty)
    let many = DnsAnswer(services: (0..<200).map { .init(host: "a\($0).radio-browser.info") })
    #expect(ServiceRecord.read(many.bytes.span).count == ServiceRecord.maxCount)
  }

  private func list(_ records: [ServiceRecord], named: [String] = [], seed: UInt64 = 1) -> [String] {
    var random = SeededGenerator(seed)
    return DirectoryServer.list(records: records, named: { named }, by: &random).map {
      String("\($0.address)".dropFirst(8))
    }
  }

  @Test("At most five servers are tried, in random order, the common name last (G6)")
  func order() {
    let records = ServiceRecord.read(DnsAnswer(services: Self.hosts.map { .init(host: $0) }).bytes.span)
    let lists = (1...20).map { list(records, seed: $0) }
    #expect(lists.allSatisfy { $0.count == 5 && $0.last == "all.api.radio-browser.info" && Set($0).count == 5 })
    #expect(Set(lists.map { $0[0] }).count > 3)
    let first = DnsAnswer(services: [
      .init(host: Self.hosts[0], priority: 9), .init(host: Self.hosts[1], priority: 1), .init(host: Self.hosts[1]),
    ])
    let few = list(ServiceRecord.read(first.bytes.span))
    #expect(few == [Self.hosts[1], Self.hosts[0], "all.api.radio-browser.info"])
  }

  @Test("Without SRV records the common name's addresses count; other domains are ignored (G6)")
  func others() {
    #expect(list([], named: [Self.hosts[0], "evil.example"]) == [Self.hosts[0], "all.api.radio-browser.info"])
    #expect(list([]) == ["all.api.radio-browser.info"])
    let evil = DnsAnswer(services: [.init(host: "evil.example"), .init(host: "xradio-browser.info")])
    #expect(list(ServiceRecord.read(evil.bytes.span)) == ["all.api.radio-browser.info"])
  }

  @Test(
    "Own servers need https outside the owner's network; a mirror is as given (G6)")
  func requests() throws {
    let own = try #require(DirectoryServer(host: Self.hosts[0])).request("/csv/stations", agent: "Bakelite/1")
    #expect("\(own.url)" == "https://de1.api.radio-browser.info/csv/stations" && own.userAgent == "Bakelite/1")
    #expect(own.reach == .named(homes: [], port: nil))
    let mirror = try DirectoryServer(mirror: "http://anna:geheim@nas:8080/radio/").request("/csv/stations", agent: "")
    #expect("\(mirror.url)" == "http://nas:8080/radio/csv/stations" && mirror.credentials?.name == "anna")
    #expect(mirror.reach == .anywhere)
    #expect(throws: (any Error).self) { try DirectoryServer(mirror: "ftp://nas/") }
    #expect(throws: (any Error).self) { try DirectoryServer(mirror: "file:///etc/") }
  }

  @Test("Own servers redirect only by https within their domain (G6)")
  func redirects() throws {
    let server = try #require(DirectoryServer(host: Self.hosts[0]))
    let hop = try TransferRequest(server.request("/csv/stations", agent: ""))
    for location in ["/other", "https://nl1.api.radio-browser.info/csv/stations"] {
      #expect(try hop.next(to: StationAddress(location), home: .global).address.scheme == "https")
    }
    for location in [
      "http://nl1.api.radio-browser.info/", "https://radio-browser.info.evil.example/", "https://xradio-browser.info/",
      "https://example.org/", "//example.org/",
    ] {
      #expect(throws: NetworkError.badRedirect, "\(location)") {
        _ = try hop.next(to: StationAddress(location), home: .global)
      }
    }
  }

  @Test("A copy is the directory's if it came from its domain by https (G6)")
  func own() {
    #expect(DirectoryServer.isOwn("https://de1.api.radio-browser.info"))
    for other in [
      "", "http://de1.api.radio-browser.info", "https://nas:8080", "https://radio-browser.info.evil.example",
    ] {
      #expect(!DirectoryServer.isOwn(StationAddress(other)), "\(other)")
    }
  }

  @Test("A server's failure has other words than a station's (G2)")
  func sentences() {
    let errors: [NetworkError] = [
      .badURL, .badScheme("ftp"), .hostNotFound, .nameServer, .noNetwork, .namesDenied, .unreachable, .refused,
      .connectTimeout,
      .tls(.expired), .tls(.wrongHost), .tls(.handshake), .reset, .closedEarly, .tooManyRedirects, .badRedirect,
      .outOfReach(.loopback), .badAnswer,
    ]
    for error in errors {
      let sentence = ServerFailure.network(error).sentence(for: "https://nas.example/csv/stations")
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.contains("the station") && !sentence.contains("you enter"), "\(sentence)")
    }
    #expect(ServerFailure.network(.refused).sentence(for: "http://nas:81/") == "nas, port 81, refuses connections.")
  }

  @Test("A search uses the servers' parameters (G1)")
  func query() {
    let query = DirectoryQuery("jazz & blues", country: "de", language: "german", tag: "jazz", codec: "AAC")
    #expect(
      OnlineSearch.pairs(query, limit: 20) == [
        "name=jazz & blues", "countrycode=DE", "tagList=jazz", "language=german", "codec=AAC", "limit=20",
        "hidebroken=true", "order=votes", "reverse=true",
      ])
    #expect(OnlineSearch.pairs(DirectoryQuery(country: "Germany"), limit: 5).first == "country=Germany")
  }
}
