import AudioOutput
import Framing
import Panel
import Settings
import Testing
import Units

@testable import Box
@testable import Network
@testable import RadioEngine
@testable import Recordings

@Suite struct PanelModelTests {
  private static func box(_ change: (inout PanelModel.BoxState) -> Void = { _ in }) -> PanelModel.BoxState {
    var box = PanelModel.BoxState()
    box.presets = ["One", "Two"]
    box.volume = 30
    change(&box)
    return box
  }

  private static func playback(_ change: (inout PanelModel.Playback) -> Void = { _ in }) -> PanelModel.Playback {
    var playback = PanelModel.Playback()
    (playback.name, playback.presetPlace, playback.queueCount, playback.volume) = ("One", 0, 2, 55)
    change(&playback)
    return playback
  }

  @Test("Before the radio exists the box shows its progress, and offers no station")
  func boots() {
    let model = PanelModel(Self.box { $0.intent = .standby }, nil)
    #expect(model.view.bootStage == .soundCard && model.view.stations == [] && model.view.volume == 30)
    #expect(model.view.version == Version.text && model.view.address == "" && model.serviceStatus.line == "Standby")
    let broken = PanelModel(Self.box { $0.sinkError = .deviceBusy("card") }, nil)
    #expect(broken.view.bootStage == nil && broken.view.fault == .soundCardBusy)
    #expect(broken.serviceStatus.line == "Trouble: soundCardBusy")
  }

  @Test(
    "Among several faults, the sink's is shown, then a missing station, then the station's",
    arguments: [
      (true, true, PanelFault.pipeUnread), (true, false, .pipeUnread), (false, true, .noStations),
      (false, false, .notAudio),
    ])
  func faults(_ isSinkBroken: Bool, _ isEmpty: Bool, _ fault: PanelFault) {
    let box = Self.box {
      $0.sinkError = isSinkBroken ? .noReader(path: "/pipe") : nil
      $0.stationFault = .notAudio
      if isEmpty { $0.presets = [] }
    }
    let model = PanelModel(box, Self.playback { if isEmpty { $0.queueCount = 0 } })
    #expect(model.view.fault == fault)
    #expect(PanelModel(Self.box { $0.presets = [] }, Self.playback()).view.fault == nil, "clients added some")
  }

  @Test(
    "A program that uses the sound card is shown before any fault",
    arguments: [("AirPlay", "AirPlay"), ("", "another program")])
  func guest(_ name: String, _ word: String) {
    let model = PanelModel(Self.box { $0.stationFault = .noNetwork }, Self.playback { $0.guest = name })
    #expect(model.view.guest == name && model.serviceStatus.line == "Suspended: \(word) plays")
    #expect(PanelModel(Self.box(), Self.playback()).view.guest == nil)
  }

  @Test("Every failure of a sink is a fault of the panel")
  func sinks() {
    let sinks: [(SinkError, PanelFault)] = [
      (.noSuchDevice("", existing: []), .soundCardMissing), (.deviceBusy(""), .soundCardBusy),
      (.deviceForbidden(""), .soundCardMissing), (.deviceUnsuitable("", what: ""), .soundCardMissing),
      (.deviceFailed("", message: ""), .soundCardMissing), (.noReader(path: ""), .pipeUnread),
      (.readerGone(path: ""), .pipeUnread), (.readerStands(path: ""), .pipeUnread), (.pipeGone(path: ""), .pipeUnread),
      (.terminal(path: ""), .outputFailed), (.fileFailed(path: "", errno: 5), .outputFailed),
    ]
    for (error, fault) in sinks { #expect(PanelFault(error) == fault, "\(error)") }
  }

  @Test(
    "The panel has a state for each of the radio's",
    arguments: ["stopped", "connecting", "buffering", "playing", "paused"])
  func states(_ word: String) throws {
    let state = try #require(RadioState(rawValue: word))
    let model = PanelModel(Self.box(), Self.playback { $0.status.state = state })
    #expect(model.view.state.rawValue == word && model.serviceStatus.line == "\(word): One")
    #expect(PanelModel(Self.box(), Self.playback { $0.name = nil }).serviceStatus.line == "stopped")
  }

  @Test("A station has its owner's name, else its own")
  func names() {
    for (name, shown) in [("One", "One"), ("", "Told FM"), (nil, "")] {
      let playback = Self.playback {
        $0.name = name
        $0.status.station = "Told FM"
      }
      #expect(PanelModel(Self.box(), playback).view.station == shown)
    }
  }

  @Test("A file has a position and a length, a live station has none", arguments: [true, false])
  func position(_ isLive: Bool) {
    let model = PanelModel(
      Self.box(),
      Self.playback {
        $0.status.facts = StationFacts(url: "", isLive: isLive, isSeekable: true)
        ($0.elapsed, $0.duration) = (12, 100)
      })
    #expect(model.view.position == (isLive ? nil : 12) && model.view.duration == (isLive ? nil : 100))
  }

  @Test("The panel shows the radio's reports")
  func programme() {
    let list = FileList(
      url: "", isFeed: true,
      items: [FileList.Item(url: "http://a/1", title: "Pilot"), FileList.Item(url: "http://a/2")])
    let model = PanelModel(
      Self.box {
        $0.bufferTarget = 10
        $0.sleepMinutes = 7
        $0.address = "192.0.2.1"
      },
      Self.playback {
        $0.status.title = Title("Artist - Song", url: nil)
        ($0.status.list, $0.status.item, $0.stepsItems) = (list, 1, true)
        ($0.status.held, $0.status.heldBehind, $0.status.timeShift, $0.status.capacity) = (1, 2, 3, 4)
        ($0.status.codec, $0.status.isAudioPlaying, $0.isMuted) = ("AAC", true, true)
        $0.status.recording = Recording(path: "/r/evening.mp3", seconds: 10, byteCount: 100, freeByteCount: 1_000)
      })
    let view = model.view
    #expect(view.stations == ["One", "Two"] && view.stationIndex == 0 && view.volume == 55 && view.isMuted)
    #expect(view.artist == "Artist" && view.title == "Song" && view.codec == "AAC" && view.isAudible)
    #expect(view.episodes == ["Pilot", "http://a/2"] && view.episodeIndex == 1 && view.stepsEpisodes)
    #expect((view.held, view.heldBehind, view.timeShift) == (1, 2, 3) && view.capacity == 4 && view.bufferTarget == 10)
    #expect(view.recording == PanelRecording(name: "evening.mp3", seconds: 10, roomSeconds: 100))
    #expect(view.sleepMinutes == 7 && view.address == "192.0.2.1" && view.bootStage == nil)
  }
}
