import MediaSupport
import Network
import RadioEngine
import StationSupport
import TestSupport
import Testing

@testable import Control

/// The current station and its successor.
@Suite struct PlayerControllerTests {
  /// A server with short files and a live station.
  private func station() throws -> ScriptedStation {
    try ScriptedStation { visit in
      switch visit.path {
      case "/live": [.live(), .send(Clip.mp3(12).bytes), .stall]
      case "/missing": StationAction.response("404 Not Found")
      // A loaded machine may need a second to request the next file.
      default: [.file(Clip.mp3(3).bytes.count), .send(Clip.mp3(3).bytes)]
      }
    }
  }

  private func bench(_ station: ScriptedStation, _ paths: String...) throws -> Bench {
    // Unpaced audio of a live station would end at once.
    let bench = try Bench(isPaced: paths.contains { $0.hasPrefix("/live") })
    for path in paths { bench.player.add(StationRequest(url: station.url(path))) }
    return bench
  }

  @Test func filesFollowOneAnotherToTheEnd() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/1", "/2", "/3")
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path) == ["/1", "/2", "/3"])
      #expect(bench.player.current?.request.url.unredacted == station.url("/3"))
      #expect(bench.changes.allSatisfy { !$0.isEmpty } && bench.changes.contains { $0.contains(.player) })
    }
  }

  @Test("A gapless successor is current when audible, even if added late")
  func followers() async throws {
    // A successor that is requested too late follows a stop.
    try await Stage.run(isAlone: true) {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/live", "/1", "/2")
      bench.player.play(1)
      #expect(bench.run { bench.player.currentID == bench.player.queue[2]?.id })
      #expect(bench.events.filter { $0 == "followed" || $0 == "stopped" } == ["followed"])
      #expect(bench.player.state == .playing && bench.player.info?.facts.url == station.url("/2"))
      let last = bench.player.add(StationRequest(url: station.url("/3")))
      #expect(bench.run { bench.player.hasPlayedOut } && bench.player.currentID == last)
      #expect(station.visits.map(\.path) == ["/1", "/2", "/3"])
      // A removed station does not play, even if it was requested.
      bench.player.play(1)
      #expect(bench.run { station.visits.count == 5 })
      bench.player.delete(2..<3)
      #expect(bench.run { bench.player.currentID == last && bench.player.hasPlayedOut })
      #expect(bench.events.filter { $0 == "followed" }.count <= 3)
    }
  }

  @Test(
    "The options decide the next station",
    arguments: [
      ("single", ["/1"], 3), ("oneshot", ["/1"], 3), ("consume", ["/1", "/2", "/3"], 0),
      ("single repeat", ["/1", "/1", "/1", "/1"], 3), ("repeat", ["/1", "/2", "/3", "/1", "/2"], 3),
    ])
  func options(_ words: String, _ expected: [String], _ left: Int) async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/1", "/2", "/3")
      var options = PlayOptions()
      options.single = words.contains("single") ? .on : words == "oneshot" ? .oneshot : .off
      options.repeats = words.contains("repeat")
      options.consumes = words == "consume"
      bench.player.choose(options)
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut || station.visits.count >= max(4, expected.count) })
      #expect(Array(station.visits.map(\.path).prefix(expected.count)) == expected)
      #expect(bench.player.queue.count == left)
      if !options.repeats { #expect(station.visits.count == expected.count) }
      #expect(bench.player.options.single == (words.contains("single") ? .on : .off))
    }
  }

  @Test func theCurrentStationStaysCurrentWhereverItGoes() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/1", "/live", "/3", "/4")
      bench.player.play(1)
      #expect(bench.run { bench.player.state == .playing })
      bench.player.edit { $0.move(1..<2, to: 3) }
      bench.player.delete(0..<1)
      #expect(bench.player.current.flatMap { bench.player.queue.position(of: $0.id) } == 2)
      #expect(bench.player.state == .playing && station.visits.count == 1)
      #expect(bench.player.current?.name == "Test FM")
      bench.player.delete(2..<3)
      #expect(bench.player.state == .stopped && bench.player.current == nil)
      #expect(bench.names == ["3", "4"])
    }
  }

  @Test func whatIsRemovedWhileItPlaysGivesWayToTheNext() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/live", "/x", "/live?b")
      bench.player.play(0)
      #expect(bench.run { bench.player.state == .playing })
      bench.player.delete(0..<2)
      #expect(bench.player.current?.request.url.unredacted == station.url("/live?b"))
      #expect(bench.run { bench.player.state == .playing })
      bench.player.clear()
      #expect(bench.player.state == .stopped && bench.player.queue.count == 0 && !bench.player.play())
    }
  }

  @Test func aFailureIsKeptAndTheStationToo() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/missing", "/1")
      let client = bench.client()
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path) == ["/missing"])
      #expect(client.value("error", of: "status")?.contains("404") == true)
      #expect(client.ask("clearerror") == "OK\n" && client.value("error", of: "status") == nil)
      bench.player.adopt(PlayerPolicy(skipsFailures: true))
      bench.player.play(0)
      #expect(bench.run { bench.player.hasPlayedOut })
      #expect(station.visits.map(\.path) == ["/missing", "/missing", "/1"])
      #expect(bench.player.failure == nil)
    }
  }

  @Test("A repeated queue without audio ends", arguments: ["/missing", "/silent"])
  func repeatsNothing(_ path: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        if visit.path.hasPrefix("/missing") { return StationAction.response("404 Not Found") }
        return StationAction.file(
          visit.path == "/1" ? Clip.mp3(1).bytes : ToneMp3.infoPacket(0, byteCount: 0, delay: 0, padding: 0))
      }
      defer { station.close() }
      let bench = try Bench()
      for path in [path, path + "2"] {
        var request = StationRequest(url: station.url(path))
        request.addressKind = .raw
        bench.player.add(request)
      }
      bench.player.adopt(PlayerPolicy(skipsFailures: true))
      var options = PlayOptions()
      options.repeats = true
      bench.player.choose(options)
      bench.player.play(0)
      #expect(bench.run(3) { bench.player.hasPlayedOut } && bench.radio.state == .stopped)
      #expect(Set(station.visits.map(\.path)) == [path, path + "2"] && station.visits.count <= 4)
      bench.player.add(StationRequest(url: station.url("/1")))
      bench.player.play(0)
      #expect(bench.run { station.visits.count { $0.path == "/1" } > 2 }, "what is heard among it is repeated")
    }
  }

  @Test(
    "A removed or replaced successor is not played although buffered",
    arguments: ["deleteid 2", "single 1", "moveid 3 1"])
  func followerLeaves(_ command: String) async throws {
    try await Stage.run {
      let station = try ScriptedStation { visit in
        let clip = Clip.mp3(visit.path == "/1" ? 10 : 12)
        return [.file(clip.bytes.count), .send(clip.bytes)]
      }
      defer { station.close() }
      let bench = try self.bench(station, "/1", "/2", "/live/3")
      let client = bench.client()
      bench.player.play(0)
      #expect(bench.run { bench.radio.status.blocks.written.seconds > 11 })
      bench.radio.step(.zero)
      #expect(bench.player.currentID == 1 && client.ask(command) == "OK\n")
      #expect(bench.run { bench.player.hasPlayedOut || bench.player.currentID != 1 })
      #expect(!bench.events.contains("followed"), "what is in the buffer is another file than is told")
      let next = command == "single 1" ? "/1" : "/live/3"
      #expect(bench.player.current?.request.url.unredacted == station.url(next))
      #expect(bench.player.hasPlayedOut == (command == "single 1"))
    }
  }

  @Test("Orders change the intent, a failure does not; the end of the last file does (I1)")
  func intent() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/missing", "/live", "/1")
      let (client, player) = (bench.client(), bench.player)
      #expect(player.intent == .playing && !player.hasGivenUp)
      player.play(0)
      #expect(bench.run { player.hasPlayedOut } && player.intent == .playing && player.hasGivenUp)
      #expect(client.ask("next") == "OK\n" && bench.run { player.state == .playing })
      #expect(player.current?.request.url.unredacted == station.url("/live") && player.intent == .playing)
      #expect(client.ask("pause 1") == "OK\n" && player.intent == .paused)
      #expect(client.ask("pause 0") == "OK\n" && player.intent == .playing)
      #expect(player.device.lend(to: "guest", for: .forever, at: .zero))
      #expect(bench.run { player.state == .paused } && player.intent == .playing)
      #expect(player.toggle() && player.intent == .playing, "a key of the listener is an order to play then")
      player.pause()
      player.device.endAllLeases()
      #expect(player.state == .paused && player.intent == .paused)
      #expect(player.toggle() && player.intent == .playing)
      player.enterStandby()
      #expect(player.state == .stopped && player.intent == .standby)
      for command in ["stop", "pause 1", "pause 0", "delete 0"] {
        #expect(client.ask(command) == "OK\n" && player.intent == .standby, "\(command)")
      }
      player.play(1)
      #expect(player.intent == .playing)
      #expect(bench.run { player.hasPlayedOut } && player.intent == .stopped && !player.hasGivenUp)
      #expect(client.ask("next").hasPrefix("ACK"))
    }
  }

  @Test func anAddressIsAddedOnceAndSelectedWithoutBeingHeard() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try self.bench(station, "/live?1")
      bench.player.tune(StationRequest(url: station.url("/live")), name: "Live")
      #expect(bench.run { bench.player.state == .playing })
      let other = bench.player.entry(for: StationRequest(url: station.url("/live?2")), name: "")
      #expect(bench.player.select(id: try #require(other)))
      #expect(bench.player.state == .playing && station.visits.count == 1)
      #expect(bench.player.current?.name == "Live")
      bench.player.play()
      #expect(bench.run { bench.player.state == .playing && station.visits.count == 2 })
      bench.player.tune(StationRequest(url: station.url("/live")))
      #expect(bench.player.queue.count == 3)
    }
  }

  @Test("A live station is seekable in the buffer, and not as a file (R3.2)")
  func timeShiftIsWhatIsHeld() async throws {
    try await Stage.run {
      let station = try self.station()
      defer { station.close() }
      let bench = try Bench(isPaced: true)
      bench.player.add(StationRequest(url: station.url("/live")))
      let client = bench.client()
      #expect(client.ask("play") == "OK\n")
      #expect(bench.run { bench.player.state == .playing && (bench.player.position.duration ?? 0) > 11 })
      #expect(client.value("seekable", of: "radio_status") == "0")
      #expect(client.ask("pause 1") == "OK\n" && client.value("state", of: "status") == "pause")
      #expect(client.ask("seek 0 6") == "OK\n")
      #expect(client.value("elapsed", of: "status").flatMap { Double($0) }.map { abs($0 - 6) < 0.1 } == true)
      #expect(client.ask("seekcur -2.5") == "OK\n" && client.ask("seekcur +1") == "OK\n")
      let elapsed = client.value("elapsed", of: "status").flatMap { Double($0) } ?? 0
      #expect(abs(elapsed - 4.5) < 0.1, "\(elapsed)")
      #expect(client.ask("radio_oldest") == "OK\n")
      #expect(client.value("elapsed", of: "status") == "0.000")
      #expect(client.ask("pause") == "OK\n" && client.value("state", of: "status") == "play")
      #expect(client.ask("stop") == "OK\n" && client.ask("seekcur 1") == "ACK [55@0] {seekcur} Not playing\n")
    }
  }

  @Test func volumeIsGivenOnAndMutingIsAnOutputThatIsOff() throws {
    let bench = try Bench()
    let client = bench.client()
    #expect(client.value("volume", of: "status") == nil && client.ask("getvol") == "OK\n")
    var heard: [(Int, Bool)] = []
    bench.player.volume.connect { heard.append(($0, $1)) }
    #expect(
      client.ask("setvol 40") == "OK\n" && client.ask("volume -50") == "OK\n"
        && client.ask("getvol") == "volume: 0\nOK\n")
    #expect(client.ask("setvol 30") == "OK\n" && client.ask("disableoutput 0") == "OK\n")
    #expect(client.value("outputenabled", of: "outputs") == "0" && client.value("volume", of: "status") == "30")
    #expect(client.ask("toggleoutput 0") == "OK\n" && client.value("outputenabled", of: "outputs") == "1")
    #expect(heard.map(\.0) == [40, 0, 30, 30, 30] && heard.map(\.1) == [false, false, false, true, false])
    #expect(bench.changes.first == [.mixer] && bench.changes.last == [.mixer, .output])
  }

  @Test("Software volume is exact at 100, silent at 0, and monotonic")
  func software() {
    #expect(SoftwareVolume.decibels(100) == 0 && SoftwareVolume.decibels(0) == nil)
    for percent in 1...100 {
      #expect(SoftwareVolume.decibels(percent) ?? 0 > SoftwareVolume.decibels(percent - 1) ?? -.infinity)
    }
  }
}
