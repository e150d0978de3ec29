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
