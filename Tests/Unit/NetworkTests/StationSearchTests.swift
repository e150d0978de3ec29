import Testing
import Units

@testable import Http
@testable import Network

/// The order of attempts, with a simulated clock.
struct StationSearchTests {
  private static func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(seconds: 1_000 + seconds) }
  private static let url = "http://radio.example/stream"

  private func search(_ url: String = url) throws -> StationSearch {
    let search = StationSearch()
    try search.begin(StationRequest(url: StationAddress(url)), at: Self.time(0), seed: 1)
    return search
  }

  private func list(_ names: [String]) throws -> ListContents {
    let text = names.joined(separator: "\n")
    return ListContents(Array(text.utf8), .m3u, at: try WebAddress(StationAddress(Self.url)))
  }

  @Test("A permanent fault ends the search, a temporary one is retried until the time limit")
  func single() throws {
    let search = try search()
    #expect(search.fail(mayPass: false, at: Self.time(1)) == .none)
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .round)
    let patience = search.request.patience.seconds
    #expect(search.fail(mayPass: false, at: Self.time(patience - 1)) == .round)
    #expect(search.fail(mayPass: true, at: Self.time(patience)) == .none)
  }

  @Test("A paused search has no time limit, and restarts its time at the resume (R4.3)")
  func paused() throws {
    let search = try search()
    #expect(search.fail(mayPass: true, isPaused: true, at: Self.time(300)) == .round)
    search.retries.restartSearch(at: Self.time(301))
    let patience = search.request.patience.seconds
    #expect(search.fail(mayPass: true, at: Self.time(300 + patience)) == .round)
    #expect(search.fail(mayPass: true, at: Self.time(301 + patience)) == .none)
  }

  @Test("A list's entries are tried in order, then the listener's own address")
  func entries() throws {
    let search = try search()
    #expect(search.isRoot)
    #expect(search.open(try list(["http://a.example/", "http://b.example/"]), nil))
    #expect(search.address?.host == "a.example" && !search.isRoot)
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .entry(at: Self.time(1)))
    #expect(search.address?.host == "b.example")
    #expect(search.fail(mayPass: false, at: Self.time(2)) == .round)
    #expect(search.isRoot)
    #expect(!search.open(try list([]), nil))
  }

  @Test("A station that has played is tried there, and every fourth loss from the listener's address")
  func losses() throws {
    let search = try search()
    _ = search.open(try list(["http://a.example/"]), nil)
    search.recordPlayingAddress()
    #expect(search.hasPlayed && search.fail(mayPass: true, at: Self.time(1)) == .none)
    for loss in 1...8 {
      #expect(search.retries.countLoss() == loss)
      search.selectNext(after: loss)
      #expect(search.isRoot == (loss % 4 == 0), "loss \(loss)")
    }
    search.succeed()
    #expect(search.retries.countLoss() == 1)
  }

  /// Search for a station with alternatives. The second has its own secrets.
  private func alternatives(_ urls: [StationAddress]) throws -> StationSearch {
    var request = StationRequest(url: StationAddress(Self.url))
    (request.headers, request.query) = (["X-Key: own"], ["key=own"])
    request.alternatives = urls.map { AlternativeAddress(url: $0) }
    request.alternatives[1].headers = ["X-Key: second"]
    request.alternatives[1].credentials = Credentials(name: "me", password: "secret")
    let search = StationSearch()
    try search.begin(request, at: Self.time(0), seed: 1)
    return search
  }

  @Test("Before the first audio, alternatives follow the entries of the listener's list, in order")
  func alternativesFirst() throws {
    let search = try alternatives(["http://b.example/", "http://c.example/"])
    #expect(search.open(try list(["http://a.example/"]), nil))
    var hosts = [search.address?.host]
    while case .entry = search.fail(mayPass: true, at: Self.time(1)) { hosts.append(search.address?.host) }
    #expect(hosts == ["a.example", "b.example", "c.example"])
    #expect(search.isRoot && search.address?.host == "radio.example", "the next round starts at the listener's address")
    #expect(search.fail(mayPass: true, at: Self.time(2)) == .entry(at: Self.time(2)))
    #expect(search.address?.host == "b.example")
  }

  @Test("The first loss is retried at the address that played, each further loss at the next address")
  func alternativesAfterLosses() throws {
    let search = try alternatives(["http://b.example/", "http://c.example/"])
    search.recordPlayingAddress()
    var hosts: [String?] = []
    for _ in 0..<5 {
      search.selectNext(after: search.retries.countLoss())
      hosts.append(search.address?.host)
    }
    #expect(hosts == ["radio.example", "b.example", "c.example", "radio.example", "b.example"])
    search.recordPlayingAddress()
    search.succeed()
    search.selectNext(after: search.retries.countLoss())
    #expect(search.address?.host == "b.example", "the station stays where it plays")
    search.selectNext(after: search.retries.countLoss())
    #expect(search.address?.host == "c.example")
  }

  @Test("Each address has its own secrets, and repeated or invalid addresses are left out")
  func alternativeSecrets() throws {
    let search = try alternatives([StationAddress(Self.url), "http://c.example/", "gopher://x/", "http://c.example/"])
    func request() throws -> HttpRequest { search.plainRequest(for: try #require(search.address)) }
    #expect(try request().headers == ["X-Key: own"] && request().query == ["key=own"])
    #expect(try request().credentials == nil)
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .entry(at: Self.time(1)))
    #expect(try request().headers == ["X-Key: second"] && request().query == [])
    #expect(try request().credentials == Credentials(name: "me", password: "secret"))
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .round)
  }

  /// Returns the hosts of `count` spares in turn. `tried`: hosts with an open spare.
  private func spares(_ search: StationSearch, _ count: Int, tried: [String] = []) -> [String] {
    var number = 0
    return (0..<count).map { _ in
      guard let next = search.nextSpare(number, isTried: { tried.contains($0.address.host) }) else { return "none" }
      number = next.number + 1
      return next.candidate.address.host
    }
  }

  @Test("Spares go to the current address, then to the others in turn, and to one without an open spare")
  func spares() throws {
    let search = try alternatives(["http://b.example/", "http://c.example/"])
    search.recordPlayingAddress()
    #expect(spares(search, 4) == ["radio.example", "b.example", "c.example", "radio.example"])
    #expect(spares(search, 3, tried: ["b.example"]) == ["radio.example", "c.example", "radio.example"])
    #expect(spares(search, 2, tried: ["b.example", "c.example"]) == ["radio.example", "radio.example"])
    let (_, second) = try #require(search.nextSpare(1) { _ in false })
    search.select(second)
    #expect(search.address?.host == "b.example")
    #expect(spares(search, 4) == ["b.example", "c.example", "radio.example", "b.example"])
  }

  @Test("An address that allows one connection gets no spare, and other addresses do")
  func soleAddress() throws {
    let search = try alternatives(["http://b.example/", "http://c.example/"])
    search.recordPlayingAddress()
    search.observe { $0.recordRefusal(503) }
    #expect(spares(search, 3) == ["b.example", "c.example", "b.example"], "a refused spare is not repeated")
    #expect(spares(search, 1, tried: ["b.example", "c.example"]) == ["none"])
    search.observe { $0.recordLoss() }
    #expect(spares(search, 1) == ["radio.example"])
    search.observe { $0.recordRefusal(503) }
    search.observe { $0.recordData() }
    let (_, second) = try #require(search.nextSpare(0) { _ in false })
    search.select(second)
    #expect(spares(search, 4) == ["b.example", "c.example", "radio.example", "b.example"])
    search.observe { $0.recordRefusal(503) }
    search.observe { $0.recordData() }
    #expect(spares(search, 2) == ["c.example", "radio.example"])
    let alone = try self.search()
    alone.observe { $0.recordRefusal(503) }
    #expect(spares(alone, 1) == ["none"])
  }

  @Test("The entries of one station's list are tried from the second loss on")
  func mirrors() throws {
    let list =
      "#EXTM3U\n"
      + ["FIP (#1 - 3/9)", "FIP (#2 - 4/9)", "Other"].enumerated()
      .map { "#EXTINF:-1,\($1)\nhttp://\($0).example/\n" }.joined()
    let search = try search()
    let contents = ListContents(Array(list.utf8), .m3u, at: try WebAddress(StationAddress(Self.url)))
    #expect(search.open(contents, nil))
    search.recordPlayingAddress()
    #expect(spares(search, 3) == ["0.example", "1.example", "0.example"])
    var hosts: [String?] = []
    for _ in 0..<6 {
      search.selectNext(after: search.retries.countLoss())
      hosts.append(search.address?.host)
    }
    #expect(hosts == ["0.example", "1.example", "0.example", "radio.example", "0.example", "1.example"])
    search.recordPlayingAddress()
    #expect(spares(search, 2) == ["1.example", "0.example"])
  }

  @Test("An HLS station with several variants has one address", arguments: [false, true])
  func variants(isMaster: Bool) throws {
    let entries = try ["http://a.example/", "http://b.example/"].map { (try WebAddress($0), String?.none) }
    var candidates = Candidates(try WebAddress(StationAddress(Self.url)))
    _ = candidates.open(entries, isMaster: isMaster)
    candidates.markPlayed()
    #expect(candidates.hasAlternatives != isMaster)
  }

  @Test("An address in two lists, or in a list and as an alternative, is tried once in a round")
  func repeatedAddresses() throws {
    let search = try alternatives(["http://b.example/", "http://c.example/"])
    let text = ["http://b.example/", "http://a.example/", "http://a.example/", "http://radio.example/stream"]
    #expect(search.open(try list(text), nil))
    var hosts = [search.address?.host]
    while case .entry = search.fail(mayPass: true, at: Self.time(1)) {
      hosts.append(search.address?.host)
      if hosts.count == 2 { #expect(search.open(try list(["http://a.example/", "http://d.example/"]), nil)) }
    }
    #expect(hosts == ["a.example", "b.example", "c.example"])
  }

  @Test("An invalid address is not a programme, and the previous one is forgotten")
  func noAddress() throws {
    let search = try search()
    search.ask(by: .whole)
    #expect(throws: NetworkError.self) {
      try search.begin(StationRequest(url: "gopher://x/"), at: Self.time(0), seed: 1)
    }
    #expect(search.address == nil && search.ranges == .parts && !search.isRoot)
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .none)
  }

  @Test("A search for parts that was cut off is not repeated for the programme, but for the next file")
  func partSearch() throws {
    let search = try search()
    #expect(search.allowsPartSearch)
    search.recordPartSearch(isWhole: false)
    #expect(search.fail(mayPass: true, at: Self.time(1)) == .round && !search.allowsPartSearch)
    search.follow(StationRequest(url: StationAddress(Self.url)), at: try WebAddress(StationAddress(Self.url)))
    #expect(search.allowsPartSearch)
    search.recordPartSearch(isWhole: false)
    try search.begin(StationRequest(url: StationAddress(Self.url)), at: Self.time(2), seed: 1)
    #expect(search.allowsPartSearch)
  }

  @Test("A follower has its own address, requested by ranges, without a new search")
  func follows() throws {
    let search = try search()
    search.retries.recordPlaying()
    search.ask(by: .whole)
    let next = "http://b.example/2.mp3"
    search.follow(StationRequest(url: StationAddress(next)), at: try WebAddress(StationAddress(next)))
    #expect(search.address?.host == "b.example" && search.hasPlayed && search.ranges == .parts)
  }
}
