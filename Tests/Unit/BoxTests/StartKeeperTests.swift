import Settings
import System
import TestSupport
import Testing
import Units

@testable import Box

/// A setting must not keep the box from starting (I3).
@Suite struct StartKeeperTests {
  private let folder = TemporaryFolder()
  private let owner = FakeOwner()

  private func start(lasts seconds: Double? = nil, endsInOrder: Bool = false) throws -> [String] {
    let clock = TestClock()
    let keeper = StartKeeper(folder: folder.path, owner, clock.clock)
    if let seconds { keeper.confirm(owner.settings, at: clock.clock.now() + Duration(seconds: seconds)) }
    if endsInOrder || seconds != nil { keeper.finish() }
    return keeper.restored
  }

  @Test("After two starts that ended within a minute, changed settings have their last good values (I3)")
  func restores() throws {
    try owner.change(.set("panel.volume_step", "5"), over: [])
    #expect(try start(lasts: 60) == [])
    try owner.change(.set("panel.volume_step", "6"), over: [])
    try owner.change(.set("buffer.blocks", "400000"), over: [])
    #expect(try start() == [] && owner.settings.values["buffer.blocks"] == "400000")
    #expect(try start() == [])
    #expect(try start() == ["buffer.blocks", "panel.volume_step"])
    #expect(owner.settings.values == ["panel.volume_step": "5"])
    #expect(try start() == [], "the restored ones count anew")
  }

  @Test("A start that lasts a minute, or ends in order, counts as good (I3)")
  func lasts() throws {
    try owner.change(.set("panel.volume_step", "5"), over: [])
    for _ in 0..<3 { #expect(try start(endsInOrder: true) == []) }
    #expect(try start() == [] && start() == [])
    #expect(try start(lasts: 60) == ["panel.volume_step"] && owner.settings.values == [:])
    try owner.change(.set("panel.volume_step", "7"), over: [])
    for _ in 0..<2 { #expect(try start() == []) }
    folder.write(Array("nonsense".utf8), to: "starts")
    #expect(try start() == [] && owner.settings.values == ["panel.volume_step": "7"], "a damaged file counts from now")
  }

  @Test("Presets stay, and equal settings are not changed")
  func keeps() throws {
    let station = StationSettings(name: "One", url: "http://one.example/")
    try owner.change(.add(station, at: nil), over: [])
    for _ in 0..<4 { #expect(try start() == []) }
    #expect(owner.settings.stations == [station] && owner.changeCount == 1)
  }
}
