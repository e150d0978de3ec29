import Control
import Network
import RadioEngine
import Settings
import Testing
import Units

@testable import Box
@testable import Control

/// Filling the player with presets, the last station, and temporary stations.
@Suite struct PlayerFillerTests {
  private let presets: PresetController
  private let filler: PlayerFiller
  private let player = PlayerController(AbsentRadio())

  init() {
    let owner = FakeOwner()
    presets = PresetController(["One", "Two"], owner)
    filler = PlayerFiller(presets, SettingsController(Configuration(), owner), folder: "/nowhere", .machine)
    filler.fill(player)
  }

  private var queue: [StationAddress] { player.queue.stations.map(\.request.url) }

  @Test("An unchanged queue follows the presets, after a station played outside them (G3, G5)")
  func follows() throws {
    #expect(filler.followsPresets && queue == ["http://one.example/", "http://two.example/"])
    for url in ["http://a.example/", "http://b.example/"] as [StationAddress] {
      #expect(filler.playOutsidePresets(StationRequest(url: url), name: "Beside", player))
      filler.followPresets(player)
      filler.recordQueue(player, at: .zero)
      #expect(filler.followsPresets)
    }
    #expect(Set(queue).isSuperset(of: ["http://b.example/", "http://two.example/"]))
    // Stations queued in the meantime stay.
    #expect(player.add(StationRequest(url: "http://client.example/"), name: "Client") != nil)
    filler.resumeFollowing(player)
    #expect(!filler.followsPresets && queue.contains("http://client.example/"))
  }

  @Test("A queue that equals the presets again follows them")
  func followsAgain() throws {
    let station = StationSettings(name: "Three", url: "http://three.example/")
    #expect(player.add(StationRequest(url: station.url), name: station.name) != nil)
    filler.recordQueue(player, at: .zero)
    #expect(!filler.followsPresets)
    try presets.add(station)
    filler.refresh(player)
    filler.recordQueue(player, at: .zero)
    #expect(filler.followsPresets)
  }

  @Test("A queue that follows the presets loses removed ones")
  func refreshes() throws {
    try presets.remove("Two")
    filler.refresh(player)
    #expect(!queue.contains("http://two.example/"))
  }

  @Test(
    "The last station plays again, not a preset with only its name (G3, G5)",
    arguments: [
      ("http://one.example/", true, "http://one.example/"), ("http://found.example/", true, "http://found.example/"),
      ("http://found.example/", false, "http://one.example/"), ("http://moved.example/", true, "http://one.example/"),
      ("http://10.0.0.1/", true, "http://10.0.0.1/"),
    ])
  func last(_ url: String, _ isFromDirectory: Bool, _ expected: String) throws {
    try presets.edit("One", "alternatives", to: ["http://moved.example/"])
    filler.refresh(player)
    var state = SavedState()
    (state.stationURL, state.stationName, state.isFromDirectory) = (StationAddress(url), "One", isFromDirectory)
    filler.playLast(state, player)
    #expect(player.current?.request.url == StationAddress(expected))
    if url == expected { #expect((player.current?.request.reach == .anywhere) == (url == "http://one.example/")) }
  }

  @Test("The owner's answer applies without a sound card too (G5)", arguments: [true, false])
  func answers(_ isTaken: Bool) throws {
    let bench = RelocationBench()
    var health = PresetHealth()
    health.ask(.init(url: RelocationBench.new, name: "One", directoryID: ""), of: RelocationBench.old, at: 0)
    let relocation = RelocationController(
      bench.presets, bench.settings, health, bench.directory, bench.listener
    ) { _ in }
    let mover = RelocationPlayer(relocation, bench.presets, filler)
    try mover.apply(isTaken ? .accept : .refuse, of: "One", nil)
    #expect(relocation.questions == [])
    #expect(bench.presets.catalog.entries[0].settings.url == (isTaken ? RelocationBench.new : RelocationBench.old))
  }
}
