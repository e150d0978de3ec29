import Control
import Network
import RadioEngine
import Settings
import Testing
import Units

@testable import Box
@testable import Control
@testable import Network

/// Presets that fail, and what the box makes of them: from the events of the radio to the owner's file.
@Suite struct RelocationControllerTests {
  private static let id = "960cf833-0601-11e8-ae97-52543be04c81"
  private static let old: StationAddress = "http://one.example/"
  private static let new: StationAddress = "http://audio.one.example/live"

  /// A box with a directory that has another address of its first preset.
  private final class Bench {
    let owner = FakeOwner()
    let presets: PresetController
    let settings: SettingsController
    let directory = FakeDirectory()
    let listener = FakeListener()
    let relocation: RelocationController
    var kept: PresetHealth?
    var moved: [String] = []
    /// Seconds since the first event.
    var second = 0.0
    var wall: Int64? = 1_800_000_000
    var isRecording = false

    init(_ relocate: String = "ask", _ health: PresetHealth = PresetHealth()) {
      presets = PresetController(["One", "Two"], owner)
      settings = SettingsController(Configuration(), owner)
      _ = try? settings.set("directory.relocate", as: relocate, over: presets.catalog.base)
      directory.candidates = [
        FakeDirectory.entry(
          RelocationControllerTests.id, "One", "http://one.example/", homepage: "http://www.one.example")
      ]
      var keep: (PresetHealth) -> Void = { _ in }
      relocation = RelocationController(presets, settings, health, directory, listener) { keep($0) }
      keep = { [unowned self] in kept = $0 }
      relocation.onMove = { [unowned self] in moved.append($0) }
    }

    func seen(_ url: StationAddress?) -> RelocationController.Seen {
      .init(tuned: url, isRecording: isRecording, wall: wall.map { $0 + Int64(second) }, now: at(second))
    }

    func play(_ url: StationAddress) {
      relocation.hear(.connecting(url: ""), nil, seen(url))
      relocation.hear(.playing(station: nil, latency: 0, behindLive: nil), nil, seen(url))
      second += 20
      relocation.advance(seen(url))
      relocation.hear(.stopped(.user), nil, seen(url))
    }

    func fail(_ url: StationAddress = RelocationControllerTests.old, status: Int = 404) {
      relocation.hear(.connecting(url: ""), nil, seen(url))
      let fault = PlaybackFault(.refused(hasCredentials: false), url: "", status: status)
      relocation.hear(.stopped(.error), fault, seen(url))
    }

    /// A preset fails on so many days.
    func failDays(_ days: Int, _ url: StationAddress = RelocationControllerTests.old) {
      for _ in 0..<days {
        fail(url)
        second += 86_400
      }
    }

    /// The directory's entry moves.
    func move(_ change: (inout RelocationCandidate) -> Void = { _ in }) {
      directory.candidates[0].url = RelocationControllerTests.new
      change(&directory.candidates[0])
    }

    func hear(_ verdict: CandidateVerdict) {
      listener.verdict = verdict
      relocation.advance(seen(RelocationControllerTests.old))
    }
  }

  @Test("A preset that fails for three days is looked up, heard, asked about, and given its new address (G5)")
  func asks() throws {
    let bench = Bench()
    bench.play(Self.old)
    #expect(bench.relocation.health[Self.old]?.directoryID == Self.id)
    bench.play(Self.old)
    #expect(bench.directory.lookUpCount == 1, "once a day is enough")
    bench.move()
    bench.second += 86_400
    bench.failDays(2)
    #expect(bench.listener.heard.isEmpty && bench.relocation.asked == [])
    bench.fail()
    #expect(bench.listener.heard.map(\.url) == [Self.new] && bench.relocation.isHearing)
    bench.hear(.sounded)
    let asked = try #require(bench.relocation.asked.first)
    #expect(asked.name == "One" && asked.url == Self.old && asked.question.url == Self.new)
    #expect(
      bench.kept == bench.relocation.health && bench.moved == []
        && bench.presets.catalog.entries[0].settings.url == Self.old)
    // After a restart it is asked again, and nothing is heard for it.
    let again = Bench("ask", bench.relocation.health)
    #expect(again.relocation.asked == bench.relocation.asked)
    again.failDays(2)
    #expect(again.listener.heard.isEmpty)
    try bench.relocation.accept(asked)
    let station = bench.presets.catalog.entries[0].settings
    #expect(station.url == Self.new && station.directoryID == Self.id)
    #expect(station.alternatives == [StationAlternative(Self.old)] && bench.moved == ["One"])
    #expect(bench.relocation.asked == [] && bench.relocation.health[Self.new]?.homepage == "http://www.one.example")
    #expect(bench.owner.settings.presets(over: bench.presets.catalog.base)[0].station == station)
  }

  @Test("What is refused is not heard again, also after a restart (G5)")
  func refuses() throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.hear(.sounded)
    bench.relocation.refuse(try #require(bench.relocation.asked.first))
    bench.failDays(3)
    #expect(bench.listener.heard.count == 1 && bench.relocation.asked == [])
    let again = Bench("auto", bench.relocation.health)
    again.move()
    again.second = bench.second
    again.failDays(3)
    #expect(again.listener.heard.isEmpty)
  }

  @Test("Without asking only what is proven is taken; else the owner is asked (G5)", arguments: [true, false])
  func auto(_ isProven: Bool) {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.move {
      if !isProven { ($0.url, $0.homepage) = ("http://evil.example/", "http://evil.example") }
    }
    bench.failDays(3)
    bench.hear(.sounded)
    #expect(bench.moved == (isProven ? ["One"] : []) && bench.relocation.asked.isEmpty == isProven)
    #expect(bench.presets.catalog.entries[0].settings.url == (isProven ? Self.new : Self.old))
  }

  @Test("The homepage that is known first counts, whatever the directory says later (G5)")
  func firstHomepage() {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.directory.candidates[0].homepage = "http://evil.example"
    bench.second += 86_400
    bench.play(Self.old)
    bench.move { $0.url = "http://stream.evil.example/" }
    bench.failDays(3)
    bench.hear(.sounded)
    #expect(bench.moved == [] && bench.relocation.asked.count == 1)
  }

  @Test("An address that gives no sound is passed over, and the directory is asked again the next day (G5)")
  func noSound() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.second -= 86_400
    bench.hear(.failed("Nothing comes."))
    #expect(!bench.relocation.isHearing && bench.relocation.asked == [])
    bench.second += 71_000
    bench.fail()
    #expect(bench.listener.heard.count == 1)
    bench.second += 2_000
    bench.fail()
    #expect(bench.listener.heard.count == 2)
  }

  @Test("Nothing is heard while something is recorded, and what is heard ends when a recording begins (G5)")
  func recording() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.isRecording = true
    bench.failDays(3)
    #expect(bench.listener.heard.isEmpty)
    bench.isRecording = false
    bench.fail()
    #expect(bench.relocation.isHearing)
    bench.isRecording = true
    bench.relocation.advance(bench.seen(Self.old))
    #expect(bench.listener.cancelCount == 1 && !bench.relocation.isHearing)
    bench.isRecording = false
    bench.fail()
    #expect(bench.listener.heard.count == 2)
  }

  @Test("What is heard ends when the preset sounds after all, or is removed (G5)", arguments: [true, false])
  func changes(_ isBack: Bool) throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    if isBack { bench.play(Self.old) } else { try bench.presets.remove("One") }
    bench.relocation.advance(bench.seen(Self.old))
    #expect(bench.listener.cancelCount == 1 && !bench.relocation.isHearing)
  }

  @Test(
    "Nothing is looked up while the clock is not set, without a directory, or where the owner does not want it (G5)",
    arguments: ["clock", "directory", "never"])
  func nothing(_ what: String) {
    let bench = Bench(what == "never" ? "never" : "ask")
    bench.play(Self.old)
    bench.move()
    if what == "clock" { bench.wall = nil }
    if what == "directory" { bench.directory.fetched = nil }
    bench.failDays(5)
    #expect(bench.listener.heard.isEmpty)
    #expect((bench.relocation.health[Self.old]?.failures == nil) == (what == "clock"))
  }

  @Test("A station that drops while it plays fails once what was held is heard and ten tries were in vain (G5)")
  func reconnects() {
    let bench = Bench()
    let fault = PlaybackFault(.refused(hasCredentials: false), url: "", status: 404)
    bench.play(Self.old)
    for (attempt, held) in [(1, 5.0), (9, 0), (10, 1)] {
      bench.relocation.hear(
        .reconnecting(attempt: attempt, delay: 1, reason: "", held: held), fault, bench.seen(Self.old))
      #expect(bench.relocation.health[Self.old]?.failures == nil)
    }
    bench.relocation.hear(.reconnecting(attempt: 10, delay: 1, reason: "", held: 0), fault, bench.seen(Self.old))
    #expect(bench.relocation.health[Self.old]?.failures?.tries == 1)
  }

  @Test(
    "A directory that was fetched within the hour shows that the network is well (G5)",
    arguments: [(3_599, true), (3_601, false), (-1, false)])
  func fetched(_ ago: Int64, _ counts: Bool) {
    let bench = Bench()
    bench.directory.fetched = (bench.wall ?? 0) - ago
    bench.relocation.hear(.connecting(url: ""), nil, bench.seen(Self.old))
    bench.relocation.hear(.stopped(.error), PlaybackFault(.error(.connectTimeout), url: ""), bench.seen(Self.old))
    #expect((bench.relocation.health[Self.old]?.failures != nil) == counts)
  }

  @Test("What is asked of a preset on the display is that of the one that is tuned to, else of the first (G5)")
  func shown() throws {
    var health = PresetHealth()
    health.ask(.init(url: "http://a.example/", name: "A", directoryID: ""), of: "http://one.example/")
    health.ask(.init(url: "http://b.example/", name: "B", directoryID: ""), of: "http://two.example/")
    let bench = Bench("ask", health)
    #expect(
      bench.relocation.shown(tuned: nil)?.name == "One" && bench.relocation.shown(tuned: "http://x/")?.name == "One")
    let two = try #require(bench.relocation.shown(tuned: "http://two.example/"))
    #expect(two.name == "Two")
    let request = try #require(bench.relocation.request(for: two))
    #expect(request.url == "http://b.example/" && request.credentials == nil)
    #expect(request.reach == .named(homes: [], port: nil))
    bench.relocation.beginAudition(of: two)
    #expect(bench.relocation.shown(tuned: "http://one.example/")?.name == "Two")
    bench.relocation.hear(.connecting(url: ""), nil, bench.seen("http://b.example/"))
    #expect(bench.relocation.audition == "http://two.example/")
    bench.relocation.hear(.connecting(url: ""), nil, bench.seen("http://one.example/"))
    #expect(bench.relocation.audition == nil)
  }

  @Test("What was given for the old host stays with it, as an alternative of sixteen at most (G5)")
  func secrets() throws {
    let owner = FakeOwner()
    let presets = PresetController(["One"], owner)
    try presets.edit("One", "user", to: ["anna:geheim"])
    try presets.edit("One", "headers", to: ["X-Key: geheim"])
    try presets.edit("One", "type", to: ["m3u"])
    try presets.edit("One", "alternatives", to: (1...16).map { "http://\($0)/" })
    #expect(try presets.relocate(Self.old, to: "http://2/", directoryID: "nonsense") == "One")
    #expect(try presets.relocate("http://nowhere/", to: "http://2/", directoryID: Self.id) == nil)
    let station = try #require(presets.catalog.entries.first?.settings)
    #expect(station.user == nil && station.headers == [] && station.type == nil && station.directoryID == nil)
    #expect(station.alternatives.count == 16 && station.alternatives[0].user == "anna:geheim")
    #expect(
      station.alternatives[0].headers == ["X-Key: geheim"] && !station.alternatives.contains { $0.url == "http://2/" })
    #expect(throws: ControlRefusal.self) { try presets.edit("One", "alternatives", to: ["file:///etc/passwd"]) }
  }

  @Test(
    "An address that may not be tuned to, or is too long to ask about, is passed over; the next is heard (G5)",
    arguments: [
      "http://10.0.0.1/live", "file:///etc/hostname", "http://audio.one.example:25/",
      "http://one.example/" + String(repeating: "a", count: 1_000),
    ])
  func unfit(_ url: String) {
    let bench = Bench()
    bench.play(Self.old)
    bench.move { $0.url = StationAddress(url) }
    bench.directory.candidates.append(
      FakeDirectory.entry("b", "One", "http://b.one.example/", homepage: "http://one.example"))
    bench.failDays(3)
    #expect(bench.listener.heard.map(\.url) == ["http://b.one.example/"])
    bench.hear(.failed("Nothing comes."))
    #expect(!bench.relocation.isHearing && bench.relocation.asked == [])
    bench.directory.candidates = [FakeDirectory.entry("c", "Two", "http://c.two.example/")]
    bench.failDays(3, "http://two.example/")
    #expect(bench.listener.heard.last?.url == "http://c.two.example/")
  }

  @Test("A scheme in capitals is heard as any other (G5)")
  func capitals() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move { $0.url = "HTTP://audio.one.example/live" }
    bench.failDays(3)
    #expect(bench.listener.heard.count == 1)
  }

  @Test("An entry that only had the preset's address is no proof, so that the owner is asked (G5)")
  func squatter() {
    let bench = Bench("auto")
    bench.directory.candidates[0].homepage = "https://evil.example/"
    bench.play(Self.old)
    #expect(bench.relocation.health[Self.old]?.directoryID == Self.id)
    bench.move { $0.url = "http://stream.evil.example/" }
    bench.failDays(3)
    bench.hear(.sounded)
    #expect(bench.moved == [] && bench.relocation.asked.count == 1)
  }

  @Test("A directory that is still being opened is waited for, without a second failure or success (G5)")
  func opening() {
    let bench = Bench()
    bench.directory.isOpening = true
    bench.play(Self.old)
    #expect(bench.relocation.health[Self.old]?.directoryID == nil)
    bench.directory.isOpening = false
    bench.relocation.advance(bench.seen(nil))
    #expect(bench.relocation.health[Self.old]?.directoryID == Self.id)
    bench.move()
    bench.directory.isOpening = true
    bench.failDays(3)
    #expect(bench.listener.heard.isEmpty)
    bench.directory.isOpening = false
    bench.relocation.advance(bench.seen(nil))
    #expect(bench.listener.heard.count == 1)
  }

  @Test("In the owner's network only the preset's own host is heard (G5)", arguments: [true, false])
  func home(_ isSame: Bool) throws {
    let bench = Bench()
    try bench.presets.edit("One", "url", to: ["http://192.168.1.20/"])
    let old: StationAddress = "http://192.168.1.20/"
    bench.directory.candidates[0].url = old
    bench.play(old)
    bench.directory.candidates[0].url = isSame ? "http://192.168.1.20:8000/" : "http://192.168.1.1/"
    bench.failDays(3, old)
    #expect(bench.listener.heard.count == (isSame ? 1 : 0))
  }

  @Test("Who refused eight addresses of a preset is not asked about it again (G5)")
  func weary() throws {
    let bench = Bench()
    bench.play(Self.old)
    for number in 0..<12 {
      bench.move { $0.url = StationAddress("http://one.example/\(number)") }
      bench.failDays(3)
      guard bench.relocation.isHearing else { break }
      bench.hear(.sounded)
      bench.relocation.refuse(try #require(bench.relocation.asked.first))
    }
    #expect(bench.listener.heard.count == 8)
  }

  @Test("A preset that is removed while its other address is heard aloud is not asked about (G5)")
  func removed() throws {
    var health = PresetHealth()
    health.ask(.init(url: "http://a.example/", name: "A", directoryID: ""), of: "http://one.example/")
    health.ask(.init(url: "http://b.example/", name: "B", directoryID: ""), of: "http://two.example/")
    let bench = Bench("ask", health)
    bench.relocation.beginAudition(of: try #require(bench.relocation.asked.first))
    bench.relocation.refuse(try #require(bench.relocation.asked.last))
    #expect(bench.relocation.audition == "http://one.example/", "it was another preset")
    try bench.presets.remove("One")
    bench.relocation.advance(bench.seen(nil))
    #expect(bench.relocation.audition == nil)
  }
}
