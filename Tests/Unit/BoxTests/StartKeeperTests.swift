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

  private func start(
    lasts seconds: Double? = nil, endsInOrder: Bool = false, hasRadio: Bool = true
  ) throws -> [String] {
    let clock = TestClock()
    let keeper = StartKeeper(folder: folder.path, owner, clock.clock)
    if hasRadio { keeper.begin() }
    if let seconds { keeper.confirm(owner.settings, at: clock.clock.now() + Duration(seconds: seconds)) }
    if endsInOrder || seconds != nil { keeper.finish() }
    return keeper.restored
  }

  @Test("After two starts that ended within a minute, changed settings have their last good values (I3)")
  func restores() throws {
    try owner.change(.set("audio.buffer_ms", "300"), over: [])
    #expect(try start(lasts: 60) == [])
    for (key, value) in [("audio.buffer_ms", "2000"), ("buffer.blocks", "400000"), ("language", "\"de\"")] {
      try owner.change(.set(key, value), over: [])
    }
    #expect(try start() == [] && owner.settings.values["buffer.blocks"] == "400000")
    #expect(try start() == [])
    #expect(try start() == ["audio.buffer_ms", "buffer.blocks"])
    #expect(owner.settings.values == ["audio.buffer_ms": "300", "language": "\"de\""], "a language ends no start")
    #expect(try start() == [], "the restored ones count anew")
  }

  @Test("A start that lasts a minute, or ends in order, counts as good (I3)")
  func lasts() throws {
    try owner.change(.set("buffer.blocks", "5000"), over: [])
    #expect(try start(lasts: 60) == [])
    try owner.change(.set("buffer.blocks", "6000"), over: [])
    for _ in 0..<3 { #expect(try start(endsInOrder: true) == []) }
    #expect(try start() == [] && start() == [])
    #expect(try start(lasts: 60) == ["buffer.blocks"] && owner.settings.values == ["buffer.blocks": "5000"])
    try owner.change(.set("buffer.blocks", "7000"), over: [])
    for _ in 0..<2 { #expect(try start() == []) }
    folder.write(Array("nonsense".utf8), to: "starts")
    #expect(try start() == [] && owner.settings.values == ["buffer.blocks": "7000"], "a damaged file counts from now")
  }

  @Test("Before the first start that lasts a minute, the settings of the file are the good ones (I3)")
  func first() throws {
    try owner.change(.set("buffer.blocks", "5000"), over: [])
    for _ in 0..<2 { #expect(try start() == []) }
    #expect(try start() == ["buffer.blocks"] && owner.settings.values.isEmpty)
  }

  @Test("A box without a radio has not started, however long it runs (I3)")
  func withoutRadio() throws {
    #expect(try start(lasts: 60) == [])
    try owner.change(.set("buffer.blocks", "400000"), over: [])
    for _ in 0..<2 { #expect(try start(lasts: 600, hasRadio: false) == []) }
    #expect(try start() == ["buffer.blocks"])
  }

  @Test("Presets stay, and equal settings are not changed")
  func keeps() throws {
    let station = StationSettings(name: "One", url: "http://one.example/")
    try owner.change(.add(station, at: nil), over: [])
    for _ in 0..<4 { #expect(try start() == []) }
    #expect(owner.settings.stations == [station] && owner.changeCount == 1)
  }
}
