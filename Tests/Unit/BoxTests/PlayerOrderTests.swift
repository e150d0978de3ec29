import Framing
import Network
import Panel
import Testing
import Units

@testable import Box
@testable import Control
@testable import PlayerSupport
@testable import RadioEngine
@testable import Recordings

/// Orders from the panel to the player.
@Suite struct PlayerOrderTests {
  private let radio = FakeRadio()
  private let player: PlayerController

  init() {
    player = PlayerController(radio)
    player.setPresets(
      PresetList(["a", "b"].map { Preset(name: $0, request: StationRequest(url: "http://x.example/\($0)")) }))
    player.playPreset(0)
    radio.state = .playing
    _ = radio.newCommands
  }

  @Test(
    "Each order of the panel is one to the radio",
    arguments: [
      (PanelOrder.tune(1), ["tune b"]), (.tune(7), []), (.episode(0), []), (.playPause, ["pause"]), (.pause, ["pause"]),
      (.stop, ["stop"]), (.seek(by: -10), ["rewind 10.0"]), (.seek(by: 10), ["forward 10.0"]), (.live, ["live"]),
      (.sleep(minutes: 5), []), (.powerOff, []), (.keepPreset, []), (.removePreset(0), []),
      (.setting(.idleClock(true)), []),
    ])
  func orders(_ order: PanelOrder, _ told: [String]) throws {
    #expect(try PlayerOrder.execute(order, player, stamp: { "" }) == nil && radio.newCommands == told)
  }

  @Test("A recording plays as a file with its title")
  func playFile() throws {
    let order = PanelOrder.playFile("/r/Evening/01 Opening.mp3", title: "01 Opening")
    #expect(try PlayerOrder.execute(order, player, stamp: { "" }) == nil)
    #expect(radio.newCommands.count == 1 && player.current?.name == "01 Opening")
    #expect(player.current?.request.url.unredacted == "file:///r/Evening/01%20Opening.mp3")
  }

  @Test("The sound card is taken back from all other programs")
  func takeBack() throws {
    for name in ["AirPlay", "Bluetooth"] { #expect(player.device.lend(to: name, for: .forever, at: .zero)) }
    #expect(player.device.guest == "Bluetooth" && PanelModel.Playback(player).guest == "Bluetooth")
    #expect(try PlayerOrder.execute(.takeBack, player, stamp: { "" }) == nil && player.device.guest == nil)
    #expect(radio.newCommands == ["suspend", "suspend", "endSuspension"])
  }

  @Test("The volume is turned, and muted")
  func volume() throws {
    player.volume.connect { _, _ in }
    for order in [PanelOrder.volume(12), .mute(true)] {
      #expect(try PlayerOrder.execute(order, player, stamp: { "" }) == nil)
    }
    #expect(player.volume.percent == 12 && player.volume.isMuted)
  }

  @Test("A recording has station and time in its name, ends on request, and a missing song gives a sentence")
  func recording() throws {
    #expect(throws: RecordingError.busy) { try PlayerOrder.execute(.record, player, stamp: { "now" }) }
    #expect(radio.newCommands == ["record a now.mp3"])
    radio.status.codec = "AAC"
    _ = try? PlayerOrder.execute(.record, player, stamp: { "then" })
    #expect(radio.newCommands == ["record a then.aac"])
    radio.recording = Recording(path: "/r/evening.mp3", seconds: 1, byteCount: 1, freeByteCount: nil)
    #expect(try PlayerOrder.execute(.record, player, stamp: { "" }) == nil && radio.newCommands == ["end recording"])
    for order in [PanelOrder.keep, .keepPrevious] {
      #expect(throws: RecordingError.noSong) { try PlayerOrder.execute(order, player, stamp: { "" }) }
    }
  }

  @Test("One song is saved in 10 s by all clients together; a refused song does not count")
  func keepPace() throws {
    let song = KeptSong(path: "/r/a.mp3", title: Title("A - B", url: nil), missing: 0, goesOn: false)
    radio.time = 100
    #expect(throws: RecordingError.noSong) { try player.keep(.current) }
    radio.song = song
    #expect(try player.keep(.current) == song)
    radio.time = 109.5
    for which in SongChoice.allCases {
      #expect(throws: RecordingError.tooSoon(seconds: 1)) { try player.keep(which) }
    }
    #expect(throws: RecordingError.tooSoon(seconds: 1)) { try PlayerOrder.execute(.keep, player, stamp: { "" }) }
    radio.song = nil
    radio.time = 110
    radio.keepFailure = .gone("/r/a.mp3")
    #expect(throws: RecordingError.gone("/r/a.mp3")) { try player.keep(.current) }
    #expect(throws: RecordingError.tooSoon(seconds: 10)) { try player.keep(.current) }
    (radio.song, radio.time) = (song, 120)
    #expect(try PlayerOrder.execute(.keepPrevious, player, stamp: { "" }) == .songKept(title: "B"))
  }

  @Test("After five refused starts of a recording in 10 s the disk is not used; a started one resets the count")
  func recordPace() throws {
    let failure = RecordingError.gone("/r/a.mp3")
    func start() throws(RecordingError) { try player.record(RecordingOrder("a.mp3", reach: .folder)) }
    (radio.time, radio.recordFailure) = (100, failure)
    for _ in 0..<4 { #expect(throws: failure) { try start() } }
    radio.recordFailure = nil
    try start()
    // A running recording and a stopped radio need no disk.
    for failure in [RecordingError.busy, .nothing] {
      radio.recordFailure = failure
      for _ in 0..<9 { #expect(throws: failure) { try start() } }
    }
    radio.recordFailure = failure
    for _ in 0..<5 { #expect(throws: failure) { try start() } }
    #expect(radio.newCommands.count == 28)
    radio.time = 109.5
    for _ in 0..<1_000 { #expect(throws: RecordingError.tooManyRefusals(seconds: 1)) { try start() } }
    #expect(throws: RecordingError.tooManyRefusals(seconds: 1)) {
      try PlayerOrder.execute(.record, player, stamp: { "" })
    }
    #expect(radio.newCommands.isEmpty)
    radio.time = 110
    #expect(throws: failure) { try start() }
    radio.recordFailure = nil
    radio.time = 115
    try start()
  }

  @Test(
    "The reason for an unsaved song or preset fits the display",
    arguments: [
      (RecordingError.busy, PanelNotice.alreadyRecording), (.nothing, .nothingPlays), (.noSong, .noTitle),
      (.noSongBefore, .noEarlierTitle), (.songGone, .songGone), (.keptAlready, .songKeptAlready),
      (.gone("/r/evening.mp3"), .recordingFailed), (.full("/r", most: 1), .recordingsFull),
      (.full("/r/a.mp3"), .recordingsFull), (.noRoom("/r/a.mp3", floor: 1 << 20), .recordingsFull),
    ])
  func notices(_ error: RecordingError, _ notice: PanelNotice) {
    #expect(PanelNotice(error) == notice)
    #expect(PanelNotice(ControlRefusal(.notPlaying, "Not playing")) == .nothingPlays)
    #expect(PanelNotice(ControlRefusal(.exists, "That is preset 3 already")) == .presetAlready)
    #expect(PanelNotice(ControlRefusal(.argument, "there are too many")) == .presetsUnchanged)
  }
}

@Suite struct RadioKeeperTests {
  @Test("A missing sink is reported to clients, and retried every five seconds")
  func retries() {
    let keeper = RadioKeeper()
    var tries = 0
    let open = { () throws(RadioError) -> Tuner? in
      tries += 1
      throw RadioError.noSink(.fileFailed(path: "/full", errno: 28))
    }
    #expect(keeper.absence == nil && keeper.due == .zero)
    for (moment, count) in [(0.0, 1), (4.9, 1), (5, 2), (5.1, 2), (10, 3)] {
      #expect(keeper.make(at: at(moment), open) == nil && tries == count, "\(moment)")
    }
    #expect(keeper.absence?.contains("/full") == true && keeper.sinkError != nil && keeper.due == at(15))
    #expect(!keeper.endFailed(at: at(11)) && keeper.player.state == .stopped && keeper.close() == Summary())
  }
}
