import Continuity
import Foundation
import Http
import MediaSupport
import RadioEngine
import Settings
import StationSupport
import System
import TestSupport
import Testing
import Units

@testable import Control
@testable import Network
@testable import PlayerSupport

/// The player's fallback chain, with a real radio (F4).
@Suite struct FallbackTests {
  private static let rules = ContinuityRules(fallbackAfter: Duration(seconds: 1))

  private static func preset(_ url: String, _ name: String = "") -> Preset {
    Preset(name: name, request: StationRequest(url: url))
  }

  /// A server with live stations, a station that stalls, and one that is missing.
  private func server() throws -> ScriptedStation {
    try ScriptedStation { visit in
      switch visit.path {
      case "/missing", "/missing/main": StationAction.response("404 Not Found")
      case "/stalls": [.live(), .send(Clip.mp3(3).bytes), .stall]
      default: [.live(), .send(Clip.mp3(600).bytes), .stall]
      }
    }
  }

  private func bench(_ sources: [FallbackSource]) throws -> Bench {
    let bench = try Bench(isPaced: true, hasFallback: true)
    bench.player.fallback.plan = { _ in FallbackPlan(sources, Self.rules) }
    return bench
  }

  @Test("After a 404 the next fallback plays at once, and the chain skips a fallback that fails (F4)")
  func missing() async throws {
    try await Stage.run {
      let server = try self.server()
      defer { server.close() }
      let sources = ["/missing", "/b"].map { FallbackSource(Self.preset(server.url($0), $0)) }
      let bench = try self.bench(sources)
      bench.player.add(StationRequest(url: server.url("/missing/main")), name: "Main")
      bench.player.play(0)
      #expect(bench.run { bench.events.last == "playing" })
      #expect(
        bench.events.filter { ["stopped", "failedOver", "playing"].contains($0) }
          == ["stopped", "failedOver", "stopped", "failedOver", "playing"])
      #expect(bench.player.fallback.sourceName == "/b" && bench.player.fallback.isAway)
      #expect(bench.player.fallback.reason?.sentence.contains("404") == true)
      // Clients see the station that was chosen, with the name of the source.
      let client = bench.client()
      #expect(client.value("Name", of: "currentsong") == "/b")
      #expect(client.value("source", of: "radio_status") == "/b")
      #expect(client.value("source_cause", of: "radio_status") == "notFound")
      #expect(client.value("station", of: "radio_status") == "Main")
      #expect(bench.player.queue.count == 1 && bench.player.current?.name == "Main")
    }
  }

  @Test("After silence the fallback plays, and another station ends the chain (F4)")
  func silence() async throws {
    try await Stage.run {
      let server = try self.server()
      defer { server.close() }
      let bench = try self.bench([FallbackSource(Self.preset(server.url("/b"), "B"))])
      bench.player.add(StationRequest(url: server.url("/stalls")))
      bench.player.add(StationRequest(url: server.url("/c")))
      bench.player.play(0)
      #expect(bench.run { bench.events.contains("failedOver") })
      #expect(bench.run { bench.events.last == "playing" })
      #expect(bench.events.contains("queueExhausted") && bench.player.currentID == bench.player.queue[0]?.id)
      #expect(server.visits.last?.path == "/b")
      #expect(bench.player.next())
      #expect(!bench.player.fallback.isAway && bench.player.currentID == bench.player.queue[1]?.id)
      #expect(bench.run { server.visits.last?.path == "/c" && bench.events.last == "playing" })
    }
  }

  @Test("A folder plays its files in natural order, endlessly, and skips unusable ones (F4)")
  func folder() async throws {
    try await Stage.run {
      let server = try self.server()
      defer { server.close() }
      let folder = FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["2.mp3", "10.mp3"] { try Data(Clip.mp3(3).bytes).write(to: folder.appending(path: name)) }
      try Data("no audio".utf8).write(to: folder.appending(path: "1.mp3"))
      let bench = try self.bench([FallbackSource(path: folder.path)])
      var opened: [String] = []
      bench.radio.addObserver { event, _ in
        if case .connecting(let url) = event { opened.append(String(url.split(separator: "/").last ?? "")) }
      }
      bench.player.add(StationRequest(url: server.url("/missing")))
      bench.player.play(0)
      #expect(bench.run { opened.count == 6 })
      #expect(opened == ["missing", "1.mp3", "2.mp3", "10.mp3", "1.mp3", "2.mp3"])
      #expect(bench.events.count { $0 == "failedOver" } == 1)
    }
  }
}

/// The return from a fallback, with a real radio.
@Suite struct FallbackReturnTests {
  @Test("The station is received in the background, and continues at once after steady audio (F5)")
  func comeBack() async throws {
    try await Stage.run(speed: 4) {
      let broadcast = Broadcast(Clip.long(240), burst: 2)
      let isGone = Locked(true)
      let server = try ScriptedStation { visit in
        if visit.path == "/main", isGone.withLock({ $0 }) { return StationAction.response("404 Not Found") }
        return [.live()] + broadcast.actions(visit)
      }
      defer { server.close() }
      let bench = try Bench(isPaced: true, hasFallback: true)
      let source = FallbackSource(Preset(name: "B", request: StationRequest(url: server.url("/b"))))
      let rules = ContinuityRules(
        stepCount: 1, fallbackAfter: Duration(seconds: 2), returnAfter: Duration(seconds: 3))
      bench.player.fallback.plan = { _ in FallbackPlan([source], rules) }
      bench.player.add(StationRequest(url: server.url("/main")), name: "A")
      bench.player.play(0)
      #expect(bench.run { bench.events.last == "playing" } && bench.player.fallback.isAway)
      #expect(bench.run { server.visits.count == 3 }, "the first attempt fails")
      #expect(bench.player.fallback.sourceName == "B")
      isGone.withLock { $0 = false }
      #expect(bench.run { bench.events.last == "cameBack" })
      #expect(!bench.player.fallback.isAway && bench.player.fallback.sourceName == nil)
      // The return needs no connection, and interrupts nothing.
      #expect(server.visits.map(\.path) == ["/main", "/b", "/main", "/main"])
      #expect(!bench.events.contains("queueExhausted") && bench.player.info?.facts.url == server.url("/main"))
      #expect(bench.run { server.connectionCount == 1 })
    }
  }
}

/// The player's fallback chain, with a radio without threads.
@Suite struct FallbackOrderTests {
  private let radio = FakeRadio()
  private let player: PlayerController

  init() {
    player = PlayerController(radio)
    let source = FallbackSource(Preset(name: "B", request: StationRequest(url: "http://b/b")))
    player.fallback.plan = { _ in FallbackPlan([source]) }
    player.add(StationRequest(url: "http://a/a"), name: "A")
    player.add(StationRequest(url: "http://b/b"), name: "B")
    player.play(0)
    _ = radio.newCommands
  }

  /// Passes the time in steps of a second; returns the tunings and events.
  private func pass(_ seconds: Int) -> [String] {
    for _ in 0..<seconds {
      radio.time += 1
      player.settle()
    }
    return radio.newCommands.filter { $0.hasPrefix("tune") || $0.contains("event") }
  }

  @Test("Audio of the programme before does not count for the station that was tuned")
  func stale() {
    radio.isAudioPlaying = true
    player.settle()
    (radio.state, radio.isAudioPlaying) = (.connecting, true)
    #expect(pass(14) == [])
    #expect(pass(2).count == 2)
  }

  @Test("A pipe without a reader is not silence of the station, and a 429 waits (F4)")
  func noFault() {
    radio.soundProblem = "The pipe has no reader."
    #expect(pass(60) == [])
    radio.soundProblem = nil
    radio.fault = PlaybackFault(.refused(hasCredentials: false), url: "http://a/a", status: 429)
    #expect(pass(10) == [])
  }

  @Test("A limited run ends with the programme of its fallback", arguments: [nil, 5.0])
  func limit(seconds: Double?) {
    player.fallback.limit = seconds
    #expect(pass(16).last == "tune b")
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    player.settle()
    (radio.state, radio.isAudioPlaying) = (.stopped, false)
    player.handle(.stopped(.end))
    player.settle()
    #expect(player.fallback.isAway == (seconds == nil))
  }

  @Test("A paused, stopped or suspended radio stays silent (F4)")
  func silent() {
    #expect(pass(14) == [])
    player.pause()
    #expect(pass(100) == [])
    player.stop()
    #expect(pass(100) == [])
    player.play(0)
    #expect(pass(1) == ["tune a"])
    radio.isSuspended = true
    #expect(pass(100) == [])
    radio.isSuspended = false
    #expect(pass(15) == [])
    #expect(pass(1).last == "tune b")
    player.enterStandby()
    #expect(pass(100) == [])
  }

  @Test("The event names both sources, the reason and the silence (F7)")
  func event() {
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    #expect(pass(60) == [])
    radio.isAudioPlaying = false
    let event = #""event":"failedOver","from":"A","to":"B","reason":"No audio for 15 s.","exact":false,"lost":16.000}"#
    #expect(pass(16) == [#"{"t":76.000,"# + event, "tune b"])
  }

  @Test("Dead air of an audible station plays the fallback, with its level and duration; mute stops it (F3)")
  func deadAir() {
    let source = FallbackSource(Preset(name: "B", request: StationRequest(url: "http://b/b")))
    player.fallback.plan = { _ in
      var plan = FallbackPlan([source])
      plan.deadAir = DeadAir(decibels: -50, seconds: 20)
      return plan
    }
    player.play(0)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    player.settle()
    #expect(radio.newCommands.contains("quiet -50.0"))
    player.volume.connect { _, _ in }
    player.volume.mute(true)
    player.settle()
    #expect(radio.newCommands == ["quiet off"])
    radio.quietSeconds = 20
    #expect(pass(1) == [])
    player.volume.mute(false)
    let told = pass(1)
    #expect(told.count == 3 && told.last == "tune b")
    #expect(told.first?.contains(#""event":"deadAir","level":-70.000,"seconds":20.000"#) == true)
    #expect(told.dropFirst().first?.contains(#""reason":"Only silence for 20 s.""#) == true)
    player.play(0)
    (radio.state, radio.isAudioPlaying, radio.quietSeconds) = (.playing, true, 0)
    player.settle()
    radio.loopSeconds = 59
    #expect(pass(1).last == "tune a")
    radio.loopSeconds = 60.5
    let looped = pass(1)
    #expect(looped.first?.contains(#""event":"deadAir","level":-70.000,"seconds":60.500"#) == true)
    #expect(looped.dropFirst().first?.contains(#""reason":"The same audio again for 60 s.""#) == true)
  }

  @Test("Dead air of the last source stops for the tone, and the next round follows (F3, F4)")
  func deadTone() {
    let source = FallbackSource(Preset(name: "B", request: StationRequest(url: "http://b/b")))
    player.fallback.plan = { _ in
      var plan = FallbackPlan([source], ContinuityRules(hasTone: true))
      plan.deadAir = DeadAir(decibels: -50, seconds: 20)
      return plan
    }
    player.play(0)
    #expect(pass(16).last == "tune b")
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    #expect(pass(5) == [])
    radio.quietSeconds = 20
    player.settle()
    #expect(radio.state == .stopped && radio.newCommands.suffix(2) == ["stop", "tone true"])
    player.handle(.stopped(.error))
    #expect(pass(9) == [] && player.fallback.hasTone)
    #expect(pass(12) == ["tune a"])
  }

  @Test("A station is not its own fallback")
  func own() {
    player.play(1)
    #expect(pass(100) == ["tune b"])
    #expect(!player.fallback.isActive)
  }

  @Test("Pause and play on the display end a chain that waits in silence")
  func toggle() {
    _ = pass(16)
    radio.state = .stopped
    player.handle(.stopped(.error))
    _ = pass(1)
    #expect(player.fallback.isAway)
    player.toggle()
    #expect(player.intent == .stopped && pass(1_000) == [])
  }

  @Test("An entry is a station's name, an allowed address, or a path (F4)")
  func entries() {
    let stations = PresetList([Preset(name: "FIP", request: StationRequest(url: "http://fip/x"))])
    func name(_ entry: String) -> String? {
      FallbackSource(entry, among: stations) { $0.unredacted.contains("evil") ? nil : StationRequest(url: $0) }?.name
    }
    #expect(name("fip") == "FIP" && name("http://h/y") == "http://h/y" && name("/srv/music") == "/srv/music")
    #expect(name("http://evil/") == nil && name("Unknown") == nil)
    func problems(_ entries: String...) -> [String] {
      ListedFallback.problems(in: entries.listed(in: "[continuity]"), among: stations) { StationRequest(url: $0) }
    }
    #expect(
      problems("FIP", "Unknown", "ftp://h/x", "/missing/folder", "/dev/null", "Unknown") == [
        "The fallback \"Unknown\" of [continuity] is neither a station, an address nor a path, and is skipped.",
        "The fallback \"ftp://h/x\" of [continuity] is neither a station, an address nor a path, and is skipped.",
        "A fallback of [continuity] is skipped. The path /missing/folder cannot be read: no such file or directory.",
      ])
    #expect(problems("http:/anna:geheim@h/live", "anna:geheim@h:8000/live", "h/live?token=geheim").count == 3)
    for problem in problems("http:/anna:geheim@h/live", "anna:geheim@h:8000/live", "h/live?token=geheim") {
      #expect(!problem.contains("geheim"))
    }
  }

  @Test("A station's own list without a usable entry does not replace the general list")
  func unusable() {
    var settings = ContinuitySettings()
    settings.fallback = ["http://general/x"]
    var own = StationSettings(name: "A", url: "http://a/a")
    func names() -> [String] {
      FallbackPlan(settings, own: own, among: PresetList([])) { StationRequest(url: $0) }.sources.map(\.name)
    }
    #expect(names() == ["http://general/x"])
    own.fallback = ["Mistyped"]
    #expect(names() == ["http://general/x"])
    own.fallback = ["http://own/x"]
    #expect(names() == ["http://own/x"])
    own.fallback = []
    #expect(names() == [])
  }

  @Test("A station that fills a long buffer is not silent")
  func startWait() {
    let settings = ContinuitySettings()
    func wait(_ seconds: Double) -> Double {
      FallbackPlan(settings, among: PresetList([]), startWait: seconds) { StationRequest(url: $0) }
        .rules.fallbackAfter.seconds
    }
    #expect([0, 2, 20].map(wait) == [15, 15, 25])
  }

  @Test("A lasting fault of one entry of a playlist is not yet a fault of the station")
  func playlist() {
    radio.fault = PlaybackFault(.refused(hasCredentials: false), url: "http://a/1", status: 404)
    #expect(pass(10) == [])
    radio.status.attempt = 1
    #expect(pass(1).last == "tune b")
  }

  @Test("A fallback that cannot be read is skipped without a report, and the report has the last fault")
  func unreadable() throws {
    let sources = [
      FallbackSource(path: "/missing/folder"),
      FallbackSource(Preset(name: "B", request: StationRequest(url: "http://b/b"))),
    ]
    player.fallback.plan = { _ in FallbackPlan(sources) }
    player.play(0)
    _ = radio.newCommands
    radio.fault = PlaybackFault(.silence(seconds: 10), url: "http://a/a")
    var commands = pass(16)
    let deadline = monotonicSeconds() + 60
    while commands.last != "tune b", monotonicSeconds() < deadline { commands += pass(1) }
    #expect(commands.count == 2 && commands.last == "tune b")
    let sentence = try #require(radio.fault?.sentence)
    #expect(commands.first?.contains(#""from":"A","to":"B","reason":"No audio for 15 s. \#(sentence)""#) == true)
  }

  @Test("A return of the network starts the next round, and the reception of the station")
  func network() {
    func fail() {
      radio.state = .stopped
      player.handle(.stopped(.error))
      player.settle()
    }
    fail()
    #expect(pass(1).last == "tune b")
    fail()
    #expect(player.fallback.isAway && pass(5) == [])
    radio.networkChanges += 1
    #expect(pass(2) == ["tune a"])
    fail()
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    _ = pass(2)
    #expect(player.fallback.sourceName == "B" && !player.fallback.isReceiving)
    radio.networkChanges += 1
    _ = pass(2)
    #expect(player.fallback.isReceiving)
  }

  @Test("A listener sees why a fallback plays, and when the station is tried again (F7)")
  func report() {
    #expect(player.fallback.awaySeconds == nil && player.fallback.nextAttemptSeconds == nil)
    _ = pass(16)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    _ = pass(4)
    let reason = SourceReason.noAudio(seconds: 15, nil)
    #expect(player.fallback.sourceName == "B" && player.fallback.reason == reason)
    #expect(reason.sentence == "No audio for 15 s." && reason.word == "noAudio")
    #expect(player.fallback.awaySeconds == 5 && player.fallback.nextAttemptSeconds == 5)
    #expect(player.fallback.report?.nextSentence == "A is tried again in 5 s.")
    _ = pass(6)
    #expect(player.fallback.nextAttemptSeconds == 0 && player.fallback.report?.next == .receiving)
    player.pause()
    _ = pass(1)
    #expect(player.fallback.report?.source == "B" && player.fallback.report?.next == .never)
  }

  @Test("A report names the tone, and the attempts of a station that the radio still retries (F7)")
  func toneReport() {
    player.fallback.plan = { _ in FallbackPlan([], ContinuityRules(hasTone: true)) }
    player.play(0)
    _ = pass(16)
    let report = player.fallback.report
    #expect(report?.kind == .tone && report?.station == "A" && report?.next == .retrying)
    radio.fault = PlaybackFault(.refused(hasCredentials: false), url: "http://a/a", status: 404)
    radio.state = .stopped
    player.handle(.stopped(.error))
    _ = pass(1)
    #expect(player.fallback.report?.next == .planned(seconds: 0))
    #expect(player.fallback.report?.nextSentence == "A is being tried.")
    player.stop()
    _ = pass(1)
    #expect(player.fallback.report == nil)
  }

  @Test("An alternative address that delivers is reported with the fault before it (F7)")
  func alternative() {
    var request = StationRequest(url: "http://a/own")
    request.alternatives = ["http://a/other", "http://a/third"].map { AlternativeAddress(url: $0) }
    player.fallback.plan = { _ in nil }
    player.add(request, name: "C")
    player.play(2)
    func deliver(_ url: String) {
      radio.fault = nil
      radio.status.facts = StationFacts(url: url, isLive: true, isSeekable: false)
      player.handle(.connecting(url: url))
      _ = pass(1)
    }
    deliver("http://a/own")
    #expect(player.fallback.report == nil)
    radio.fault = PlaybackFault(.closed, url: "http://a/own")
    player.handle(.reconnecting(attempt: 1, delay: 1, reason: "", held: 0))
    deliver("http://a/third")
    _ = pass(4)
    let report = player.fallback.report
    #expect(report?.kind == .address && report?.source == "http://a/third" && report?.station == "C")
    #expect(report?.reason.word == "disconnected" && report?.seconds == 4 && report?.next == .never)
    #expect(report?.reasonSentence == "Before: \(PlaybackFault(.closed, url: "http://a/own").sentence)")
    #expect(player.fallback.sourceName == nil && !player.fallback.isAway)
    deliver("http://a/own")
    #expect(player.fallback.report == nil)
    // A second source takes over before the engine reports a fault.
    player.play(2)
    deliver("http://a/own")
    deliver("http://a/other")
    #expect(player.fallback.report?.reason.word == "noAudio")
    #expect(player.fallback.report?.reasonSentence == "Before: No audio.")
    radio.status.lowerRate = LowerRate(from: "128 kbit/s", to: "64 kbit/s")
    #expect(player.fallback.report?.reasonSentence == "The line is too slow for 128 kbit/s.")
    radio.status.lowerRate = nil
    player.play(0)
    #expect(player.fallback.report == nil)
  }

  @Test("Each reason has a word for clients; a fault has its own (F7)")
  func reasons() {
    let fault = PlaybackFault(.refused(hasCredentials: false), url: "http://a/a", status: 404)
    let reasons: [SourceReason] = [
      .choice, .noAudio(seconds: 15, nil), .noAudio(seconds: 15, fault), .fault(fault), .fault(nil),
      .quiet(seconds: 20), .loop(seconds: 60), .slowLine(LowerRate(from: "128 kbit/s", to: "64 kbit/s")),
    ]
    let words = ["choice", "noAudio", "notFound", "notFound", "unplayable", "quiet", "loop", "slowLine"]
    #expect(reasons.map(\.word) == words)
  }

  @Test("A chosen fallback plays until it fails, and a chosen address comes first with its own secrets")
  func choice() throws {
    var request = StationRequest(url: "http://a/a")
    request.credentials = Credentials(name: "me", password: "x")
    var other = AlternativeAddress(url: "http://a/other")
    other.headers = ["X-Key: 1"]
    request.alternatives = [other]
    player.add(request, name: "C")
    player.play(2)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    _ = pass(1)
    #expect(player.fallback.choices.map(\.kind) == [.address, .address, .fallback])
    #expect(player.fallback.choose(1) && pass(1).last == "tune other")
    let preferred = try #require(request.preferring(1))
    #expect(preferred.credentials == nil && preferred.headers == ["X-Key: 1"])
    #expect(preferred.alternatives.map(\.url) == ["http://a/a"] && preferred.alternatives[0].credentials?.name == "me")
    #expect(!player.fallback.choose(3) && !player.fallback.choose(-1))
    #expect(player.fallback.choose(2))
    let event = #""event":"failedOver","from":"C","to":"B","reason":"The listener chose another source.""#
    let commands = pass(1)
    #expect(commands.last == "tune b" && commands.first?.contains(event) == true)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    #expect(pass(600) == [] && player.fallback.sourceName == "B" && player.fallback.report?.next == .never)
    radio.isAudioPlaying = false
    #expect(pass(30).contains("tune other"))
    player.play(2)
    #expect(!player.fallback.isAway)
  }

  @Test("A chosen folder that cannot be read changes nothing")
  func chosenFolder() {
    let folder = FallbackSource(path: "/missing/folder")
    player.fallback.plan = { _ in FallbackPlan([folder]) }
    player.play(0)
    (radio.state, radio.isAudioPlaying) = (.playing, true)
    _ = pass(1)
    #expect(player.fallback.choose(1))
    #expect(pass(100) == [] && !player.fallback.isAway)
  }

  @Test("A folder's file with a playlist in it leads nowhere")
  func disguise() throws {
    let folder = TemporaryFolder()
    folder.write(Array("#EXTM3U\nhttp://evil/x\n".utf8), to: "1.mp3")
    let requests = try FallbackSource(path: folder.path).requests()
    #expect(requests.map(\.addressKind) == [.raw])
    let file = try FallbackSource(path: folder.path + "/1.mp3").requests()
    #expect(file.map(\.addressKind) == [.automatic])
  }
}
