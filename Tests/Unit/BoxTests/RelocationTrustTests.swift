import Control
import Network
import RadioEngine
import Settings
import Testing
import Units

@testable import Box
@testable import Control
@testable import Network

/// Trust in the directory's addresses for moved presets, and the resulting reports.
@Suite struct RelocationTrustTests {
  private static let id = RelocationBench.id
  private static let old = RelocationBench.old
  private static let new = RelocationBench.new
  private typealias Bench = RelocationBench

  @Test(
    "Without asking, only a proven address is accepted; otherwise the owner is asked (G5)", arguments: [true, false])
  func auto(_ isProven: Bool) {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.move {
      if !isProven { ($0.url, $0.homepage) = ("http://evil.example/", "http://evil.example") }
    }
    bench.failDays(3)
    bench.hear(.played)
    #expect(bench.moved == (isProven ? ["One"] : []) && bench.relocation.questions.isEmpty == isProven)
    #expect(bench.presets.catalog.entries[0].settings.url == (isProven ? Self.new : Self.old))
  }

  @Test("The first known homepage counts, whatever the directory says later (G5)")
  func firstHomepage() {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.directory.candidates[0].homepage = "http://evil.example"
    bench.second += 86_400
    bench.play(Self.old)
    bench.move { $0.url = "http://stream.evil.example/" }
    bench.failDays(3)
    bench.hear(.played)
    #expect(bench.moved == [] && bench.relocation.questions.count == 1)
  }

  @Test("The old host's credentials stay with it, as one of at most sixteen alternatives (G5)")
  func secrets() throws {
    let owner = FakeOwner()
    let presets = PresetController(["One"], owner)
    try presets.edit("One", "user", to: ["anna:geheim"])
    try presets.edit("One", "headers", to: ["X-Key: geheim"])
    try presets.edit("One", "type", to: ["m3u"])
    try presets.edit("One", "alternatives", to: (1...16).map { "http://\($0)/" })
    #expect(try presets.relocate(Self.old, of: "One", to: "http://2/", directoryID: "nonsense") == "One")
    #expect(try presets.relocate("http://nowhere/", of: "One", to: "http://2/", directoryID: Self.id) == nil)
    let station = try #require(presets.catalog.entries.first?.settings)
    #expect(station.user == nil && station.headers == [] && station.type == nil && station.directoryID == nil)
    #expect(station.alternatives.count == 16 && station.alternatives[0].user == "anna:geheim")
    #expect(
      station.alternatives[0].headers == ["X-Key: geheim"] && !station.alternatives.contains { $0.url == "http://2/" })
    #expect(throws: ControlRefusal.self) { try presets.edit("One", "alternatives", to: ["file:///etc/passwd"]) }
  }

  @Test("An entry with only the preset's address proves nothing, so the owner is asked (G5)")
  func squatter() {
    let bench = Bench("auto")
    bench.directory.candidates[0].homepage = "https://evil.example/"
    bench.play(Self.old)
    #expect(bench.relocation.health[Self.old]?.directoryID == Self.id)
    bench.move { $0.url = "http://stream.evil.example/" }
    bench.failDays(3)
    bench.hear(.played)
    #expect(bench.moved == [] && bench.relocation.questions.count == 1)
  }

  @Test("Facts learned from an entry are not the owner's choice, also after a move (G5)")
  func learnedMove() {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    bench.hear(.played)
    #expect(bench.moved == ["One"] && bench.presets.catalog.entries[0].settings.directoryID == nil)
    bench.play(Self.new)
    bench.move { ($0.url, $0.homepage) = ("http://stream.evil.example/", "http://www.one.example") }
    bench.failDays(3, Self.new)
    bench.hear(.played)
    #expect(bench.moved == ["One"] && bench.relocation.questions.count == 1)
  }

  @Test("Another policy ends the trial of the previous one (G5)", arguments: ["never", "ask"])
  func otherPolicy(_ policy: String) throws {
    let bench = Bench("auto")
    bench.play(Self.old)
    bench.move()
    bench.failDays(3)
    #expect(bench.relocation.isTesting)
    _ = try bench.settings.set("directory.relocate", as: policy, over: bench.presets.catalog.base)
    bench.hear(.played)
    #expect(bench.listener.cancelCount == 1 && bench.moved == [] && bench.relocation.questions == [])
  }

  @Test("The known homepage survives a move, also while the directory is closed (G5)")
  func homepageStays() throws {
    let bench = Bench()
    bench.play(Self.old)
    bench.move { $0.homepage = "http://evil.example" }
    bench.failDays(3)
    bench.hear(.played)
    bench.directory.isOpening = true
    try bench.relocation.accept(try #require(bench.relocation.questions.first))
    #expect(bench.relocation.health[Self.new]?.homepage == "http://www.one.example")
  }

  @Test("If two presets share an address, only the right one is relocated (G5)")
  func twins() throws {
    let owner = FakeOwner()
    let presets = PresetController(["One", "Two"], owner)
    try presets.edit("Two", "url", to: [Self.old.unredacted])
    #expect(try presets.relocate(Self.old, of: "Two", to: Self.new, directoryID: Self.id) == "Two")
    #expect(presets.catalog.entries.map(\.settings.url) == [Self.old, Self.new])
  }

  @Test(
    "In the owner's network only the preset's own server is tried (G5)",
    arguments: [
      ("http://192.168.1.20/b", true), ("http://192.168.1.20:8000/", false), ("http://192.168.1.1/", false),
    ])
  func home(_ url: String, _ isHeard: Bool) throws {
    let bench = Bench()
    try bench.presets.edit("One", "url", to: ["http://192.168.1.20/"])
    let old: StationAddress = "http://192.168.1.20/"
    bench.directory.candidates[0].url = old
    bench.play(old)
    bench.directory.candidates[0].url = StationAddress(url)
    bench.failDays(3, old)
    #expect(bench.listener.heard.isEmpty != isHeard)
  }
}
