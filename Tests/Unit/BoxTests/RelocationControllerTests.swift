import Control
import Network
import RadioEngine
import Settings
import Testing
import Units

@testable import Box
@testable import Control
@testable import Network
@testable import Settings

/// Failing presets, from radio events to the owner's file.
@Suite struct RelocationControllerTests {
  private static let id = RelocationBench.id
  private static let old = RelocationBench.old
  private static let new = RelocationBench.new
  private typealias Bench = RelocationBench

  @Test("A preset that fails for three days is looked up, tried, asked about, and relocated (G5)")
  func asks() throws {
    let bench = Bench()
    bench.play(Self.old)
    #expect(bench.relocation.health[Self.old]?.directoryID == Self.id)
    bench.play(Self.old)
    #expect(bench.directory.lookUpCount == 1, "once a day is enough")
    bench.move()
    bench.second += 86_400
    bench.failDays(2)
    #expect(bench.listener.heard.isEmpty && bench.relocation.questions == [])
    bench.fail()
    #expect(bench.listener.heard.map(\.url) == [Self.new] && bench.relocation.isTesting)
    bench.hear(.played)
    let asked = try #require(bench.relocation.questions.first)
    #expect(asked.name == "One" && asked.url == Self.old && asked.question.url == Self.new)
    #expect(
      bench.kept == bench.relocation.health && bench.moved == []
        && bench.presets.catalog.entries[0].settings.url == Self.old)
    // After a restart, the question is open again and no address is tested.
    let again = Bench("ask", bench.relocation.health)
    #expect(again.relocation.questions == bench.relocation.questions)
    again.second = bench.second
    again.failDays(2)
    #expect(again.listener.heard.isEmpty)
    try bench.relocation.accept(asked)
    let station = bench.presets.catalog.entries[0].settings
    #expect(station.url == Self.new && station.directoryID == Self.id)
    #expect(station.alternatives == [StationAlternative(Self.old)] && bench.moved == ["One"])
    #expect(bench.relocation.questions == [] && bench.relocation.health[Self.new]?.homepage == "http://www.one.example")
    #expect(bench.owner.settings.presets(over: bench.presets.catalog.base)[0].station == station)
  }

  @Test("A refused address is not tried again, also after a restart (G5)")
  func refuses() throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.hear(.played)
    bench.relocation.refuse(try #require(bench.relocation.questions.first))
    bench.failDays(3)
    #expect(bench.listener.heard.count == 1 && bench.relocation.questions == [])
    let again = Bench("auto", bench.relocation.health)
    again.move()
    again.second = bench.second
    again.failDays(3)
    #expect(again.listener.heard.isEmpty)
  }

  @Test("An address without audio is skipped, and the directory is asked again the next day (G5)")
  func noSound() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.second -= 86_400
    bench.hear(.failed("Nothing comes."))
    #expect(!bench.relocation.isTesting && bench.relocation.questions == [])
    bench.second += 71_000
    bench.fail()
    #expect(bench.listener.heard.count == 1)
    bench.second += 2_000
    bench.fail()
    #expect(bench.listener.heard.count == 2)
  }

  @Test("No candidate is tried during a recording, and a recording ends a trial (G5)")
  func recording() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.isRecording = true
    bench.failDays(3)
    #expect(bench.listener.heard.isEmpty)
    bench.isRecording = false
    bench.fail()
    #expect(bench.relocation.isTesting)
    bench.isRecording = true
    bench.relocation.advance(bench.seen(Self.old))
    #expect(bench.listener.cancelCount == 1 && !bench.relocation.isTesting)
    bench.isRecording = false
    bench.fail()
    #expect(bench.listener.heard.count == 2)
  }

  @Test("A trial ends when the preset plays after all, or is removed (G5)", arguments: [true, false])
  func changes(_ isBack: Bool) throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    if isBack { bench.play(Self.old) } else { try bench.presets.remove("One") }
    bench.relocation.advance(bench.seen(Self.old))
    #expect(bench.listener.cancelCount == 1 && !bench.relocation.isTesting)
  }

  @Test(
    "An unset clock, a missing directory or the owner's setting prevent look-ups (G5)",
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

  @Test("A station that drops fails once its buffer is played and ten attempts failed (G5)")
  func reconnects() {
    let bench = Bench()
    let fault = PlaybackFault(.refused(hasCredentials: false), url: "", status: 404)
    bench.play(Self.old)
    for (attempt, held) in [(1, 5.0), (9, 0), (10, 1)] {
      bench.relocation.process(
        .reconnecting(attempt: attempt, delay: 1, reason: "", held: held), fault, bench.seen(Self.old))
      #expect(bench.relocation.health[Self.old]?.failures == nil)
    }
    bench.relocation.process(.reconnecting(attempt: 10, delay: 1, reason: "", held: 0), fault, bench.seen(Self.old))
    #expect(bench.relocation.health[Self.old]?.failures?.tries == 1)
  }

  @Test(
    "A directory fetched within the hour proves a working network (G5)",
    arguments: [(3_599, true), (3_601, false), (-1, false)])
  func fetched(_ ago: Int64, _ counts: Bool) {
    let bench = Bench()
    bench.directory.fetched = (bench.wall ?? 0) - ago
    bench.relocation.process(.connecting(url: ""), nil, bench.seen(Self.old))
    bench.relocation.process(.stopped(.error), PlaybackFault(.error(.connectTimeout), url: ""), bench.seen(Self.old))
    #expect((bench.relocation.health[Self.old]?.failures != nil) == counts)
  }

  @Test("The display asks about the tuned preset, else about the first (G5)")
  func shown() throws {
    var health = PresetHealth()
    health.ask(.init(url: "http://a.example/", name: "A", directoryID: ""), of: "http://one.example/", at: 0)
    health.ask(.init(url: "http://b.example/", name: "B", directoryID: ""), of: "http://two.example/", at: 0)
    let bench = Bench("ask", health)
    #expect(
      bench.relocation.panelQuestion(tuned: nil)?.name == "One"
        && bench.relocation.panelQuestion(tuned: "http://x/")?.name == "One")
    let two = try #require(bench.relocation.panelQuestion(tuned: "http://two.example/"))
    #expect(two.name == "Two")
    let request = try #require(bench.relocation.request(for: two))
    #expect(request.url == "http://b.example/" && request.credentials == nil)
    #expect(request.reach == .named(homes: [], port: nil))
    bench.relocation.beginAudition(of: two)
    #expect(bench.relocation.panelQuestion(tuned: "http://one.example/")?.name == "Two")
    bench.relocation.process(.connecting(url: ""), nil, bench.seen("http://b.example/"))
    #expect(bench.relocation.audition == "http://two.example/")
    bench.relocation.process(.connecting(url: ""), nil, bench.seen("http://one.example/"))
    #expect(bench.relocation.audition == nil)
  }

  @Test(
    "A forbidden or too long address is skipped; the next is tried (G5)",
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
    #expect(!bench.relocation.isTesting && bench.relocation.questions == [])
    bench.directory.candidates = [FakeDirectory.entry("c", "Two", "http://c.two.example/")]
    bench.failDays(3, "http://two.example/")
    #expect(bench.listener.heard.last?.url == "http://c.two.example/")
  }

  @Test("A scheme in capitals is tried like any other (G5)")
  func capitals() {
    let bench = Bench()
    bench.play(Self.old)
    bench.move { $0.url = "HTTP://audio.one.example/live" }
    bench.failDays(3)
    #expect(bench.listener.heard.count == 1)
  }

  @Test("An unanswered, proven address is accepted once the box may decide (G5)")
  func unanswered() throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.hear(.played)
    #expect(bench.relocation.questions.count == 1)
    _ = try bench.settings.set("directory.relocate", as: "auto", over: bench.presets.catalog.base)
    bench.failDays(2)
    bench.hear(.played)
    #expect(bench.moved == ["One"] && bench.relocation.questions == [])
  }

  @Test("An opening directory is awaited, without a second failure or success (G5)")
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

  @Test("After eight refusals a preset is not asked about again (G5)")
  func weary() throws {
    let bench = Bench()
    bench.play(Self.old)
    for number in 0..<12 {
      bench.move { $0.url = StationAddress("http://one.example/\(number)") }
      bench.failDays(3)
      guard bench.relocation.isTesting else { break }
      bench.hear(.played)
      bench.relocation.refuse(try #require(bench.relocation.questions.first))
    }
    #expect(bench.listener.heard.count == 8)
  }

  @Test("A look-up does not remove the question while the owner listens to the address (G5)")
  func auditionEndsLookUp() throws {
    var health = PresetHealth()
    health.ask(.init(url: Self.new, name: "A", directoryID: ""), of: Self.old, at: 0)
    let bench = Bench("ask", health)
    bench.move()
    bench.failDays(3)
    #expect(bench.relocation.isTesting)
    bench.relocation.beginAudition(of: try #require(bench.relocation.questions.first))
    #expect(!bench.relocation.isTesting && bench.listener.cancelCount == 1)
    bench.hear(.failed("Nothing comes."))
    #expect(bench.relocation.questions.count == 1)
  }

  @Test("A preset removed during its trial aloud is not asked about (G5)")
  func removed() throws {
    var health = PresetHealth()
    health.ask(.init(url: "http://a.example/", name: "A", directoryID: ""), of: "http://one.example/", at: 0)
    health.ask(.init(url: "http://b.example/", name: "B", directoryID: ""), of: "http://two.example/", at: 0)
    let bench = Bench("ask", health)
    bench.relocation.beginAudition(of: try #require(bench.relocation.questions.first))
    bench.relocation.refuse(try #require(bench.relocation.questions.last))
    #expect(bench.relocation.audition == "http://one.example/", "it was another preset")
    try bench.presets.remove("One")
    bench.relocation.advance(bench.seen(nil))
    #expect(bench.relocation.audition == nil)
  }
}
