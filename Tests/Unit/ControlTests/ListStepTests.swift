import Network
import RadioEngine
import StationSupport
import TestSupport
import Testing

@testable import Control

/// Steps with `next` and `previous`, and the end, in a podcast and in a list of files (B1).
@Suite struct ListStepTests {
  private static let feed =
    "<rss version=\"2.0\"><channel><title>Talk</title>"
    + [1, 2, 3].map {
      "<item><title>\($0)</title><guid>\($0)</guid><pubDate>Fri, \(23 - $0) Nov 2026 06:00:00 GMT</pubDate>"
        + "<enclosure url=\"/\($0).mp3\" type=\"audio/mpeg\"/></item>"
    }.joined() + "</channel></rss>"

  /// A server with a podcast, file lists and a live station. `seconds`: length of each file.
  private static func shelf(_ seconds: Double) throws -> ScriptedStation {
    let bytes = Clip.mp3(seconds).bytes
    return try ScriptedStation { visit in
      switch visit.path {
      case "/feed": StationAction.response("200 OK", feed, type: "application/rss+xml")
      case "/list": StationAction.response("200 OK", "/1.mp3\n/2.mp3\n/3.mp3\n", type: "audio/x-mpegurl")
      case "/one": StationAction.response("200 OK", "/1.mp3\n", type: "audio/x-mpegurl")
      case "/live": StationAction.onAir(Clip.mp3(12))
      default: StationAction.file(bytes)
      }
    }
  }

  private static func bench(_ station: ScriptedStation, _ paths: String..., isPaced: Bool = false) throws -> Bench {
    let bench = try Bench(isPaced: isPaced)
    for path in paths { bench.player.add(StationRequest(url: station.url(path))) }
    return bench
  }

  @Test("The radio stops after the last item, whatever follows in the queue", arguments: ["/feed", "/list"])
  func ends(_ path: String) async throws {
    try await Stage.run {
      let station = try Self.shelf(1)
      defer { station.close() }
      let bench = try Self.bench(station, path, "/4.mp3")
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path) == [path, "/1.mp3", "/2.mp3", "/3.mp3"])
      #expect(bench.player.current?.request.url.unredacted == station.url(path) && bench.player.state == .stopped)
      #expect(!bench.player.stepsItems)
    }
  }

  @Test("The playing item is reported, not the list's first; an untitled file by its name")
  func names() async throws {
    try await Stage.run {
      let bytes = Clip.mp3(1).bytes
      let list = "#EXTM3U\n#EXTINF:1,Band - One\n/1.mp3\n#EXTINF:1,Band - Two\n/2.mp3\n/a%20b.mp3\n"
      let station = try ScriptedStation { visit in
        visit.path == "/list"
          ? StationAction.response("200 OK", list, type: "audio/x-mpegurl") : StationAction.file(bytes)
      }
      defer { station.close() }
      for owner in ["", "Mine"] {
        let bench = try Bench(isPaced: true)
        let client = bench.client()
        bench.player.add(StationRequest(url: station.url("/list")), name: owner)
        bench.player.play(0)
        for (item, name) in ["Band - One", "Band - Two", "a b.mp3"].enumerated() {
          #expect(bench.run { bench.radio.item == item })
          let told = client.value("station", of: "radio_status")
          #expect(told == (owner.isEmpty ? name : owner))
          guard item < 2 else { continue }
          #expect(bench.run { client.value("title", of: "radio_status") == name })
          #expect(client.value("track", of: "radio_status") == (item == 0 ? "One" : "Two"))
          #expect(client.value("Title", of: "currentsong") == (item == 0 ? "One" : "Two"))
        }
        #expect(client.value("live", of: "radio_status") == "0")
      }
    }
  }

  @Test(
    "A file, alone or in a list of one, is followed by the next queue entry, as in MPD", arguments: ["/1.mp3", "/one"])
  func files(_ path: String) async throws {
    try await Stage.run {
      let station = try Self.shelf(1)
      defer { station.close() }
      let bench = try Self.bench(station, path, "/4.mp3")
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path).suffix(2) == ["/1.mp3", "/4.mp3"])
    }
  }

  @Test("Queued files and lists play in order", arguments: ["/feed", "/list"])
  func goesOn(_ path: String) async throws {
    try await Stage.run {
      let station = try Self.shelf(1)
      defer { station.close() }
      let bench = try Self.bench(station, path, "/4.mp3")
      bench.player.adopt(PlayerPolicy(continuesAfterLists: true))
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path) == [path, "/1.mp3", "/2.mp3", "/3.mp3", "/4.mp3"])
    }
  }

  @Test("A repeated podcast restarts, and a consumed one leaves the queue")
  func options() async throws {
    try await Stage.run {
      let station = try Self.shelf(1)
      defer { station.close() }
      let bench = try Self.bench(station, "/feed", "/4.mp3")
      var options = PlayOptions()
      (options.single, options.repeats) = (.on, true)
      bench.player.choose(options)
      bench.player.play(0)
      #expect(bench.run { station.visits.filter { $0.path == "/feed" }.count == 2 })
      bench.player.stop()
      options = PlayOptions()
      options.consumes = true
      bench.player.choose(options)
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut } && bench.names == ["4.mp3"])
      #expect(!station.visits.contains { $0.path == "/4.mp3" })
    }
  }

  @Test("next and previous move between items, and next stops after the last", arguments: ["/feed", "/list"])
  func steps(_ path: String) async throws {
    try await Stage.run {
      let station = try Self.shelf(20)
      defer { station.close() }
      let bench = try Self.bench(station, "/live", path, "/live", isPaced: true)
      let (player, client) = (bench.player, bench.client())
      func plays(_ item: Int) -> Bool {
        bench.run { player.status.item == item && player.state == .playing && player.stepsItems }
      }
      player.play(1)
      #expect(plays(0))
      #expect(client.value("nextsong", of: "status") == "1", "the next episode is of the same station")
      #expect(client.ask("next") == "OK\n" && plays(1))
      #expect(client.ask("next") == "OK\n" && plays(2))
      #expect(client.value("nextsong", of: "status") == nil, "nothing follows the last one")
      player.adopt(PlayerPolicy(continuesAfterLists: true))
      #expect(client.value("nextsong", of: "status") == "2")
      player.adopt(PlayerPolicy())
      #expect(client.ask("previous") == "OK\n" && plays(1))
      #expect(client.ask("previous") == "OK\n" && plays(0))
      let count = station.visits.count
      #expect(client.ask("previous") == "OK\n" && bench.run { station.visits.count > count } && plays(0))
      #expect(player.next() && plays(1) && player.next() && plays(2))
      #expect(client.ask("next") == "OK\n" && player.state == .stopped)
      #expect(client.value("song", of: "status") == "1")
      #expect(!station.visits.contains { $0.path == "/live" })
      // Without playback, the steps go through the queue's stations.
      #expect(!player.stepsItems && player.next() && player.currentID == player.queue[2]?.id)
    }
  }
}
