import Control
import Dispatch
import HomeAssistant
import Mpris
import Panel
import Settings
import System
import TestSupport
import Testing

@testable import Box
@testable import Network

@Suite struct HomeBridgeTests {
  private static let options = PresetOptions(["One", "Two"])

  private static func view(_ change: (inout PanelView) -> Void = { _ in }) -> PanelView {
    var view = PanelView()
    (view.state, view.stations, view.stationIndex, view.volume) = (.playing, ["One", "Two"], 0, 40)
    change(&view)
    return view
  }

  @Test(
    "An order from Home Assistant acts like a key, without effect if already done (M2)",
    arguments: [
      (.play, .playing, []), (.play, .connecting, []), (.play, .buffering, []), (.play, .paused, [.playPause]),
      (.play, .stopped, [.playPause]), (.pause, .playing, [.pause]), (.pause, .connecting, [.pause]),
      (.pause, .buffering, [.pause]), (.pause, .paused, []), (.pause, .stopped, []), (.next, .playing, [.tune(1)]),
      (.keep, .playing, [.keep]), (.volume(7), .playing, [.volume(7)]), (.sleep(15), .stopped, [.sleep(minutes: 15)]),
      (.sleep(0), .playing, [.sleep(minutes: nil)]), (.station("Two"), .playing, [.tune(1)]),
      (.station("two"), .playing, []), (.station(""), .playing, []),
    ] as [(HomeOrder, PanelState, [PanelOrder])])
  func orders(_ order: HomeOrder, _ state: PanelState, _ expected: [PanelOrder]) {
    #expect(PanelOrder.orders(order, Self.view { $0.state = state }, Self.options) == expected)
  }

  @Test("A radio that gave up is stopped by pause, stop and power, and tries at once by play (I1)")
  func givenUp() {
    let view = Self.view { ($0.state, $0.isRetrying) = (.stopped, true) }
    for (order, expected) in [
      (.pause, [.stop]), (.stop, [.stop]), (.power(false), [.powerOff]), (.power(true), []), (.play, [.playPause]),
    ] as [(HomeOrder, [PanelOrder])] {
      #expect(PanelOrder.orders(order, view, Self.options) == expected, "\(order)")
    }
    #expect(RadioSnapshot(view, Self.options).state == .retrying)
    for view in [Self.view { ($0.state, $0.isStandby) = (.stopped, true) }, Self.view { $0.state = .stopped }] {
      #expect(PanelOrder.orders(.power(true), view, Self.options) == [.playPause])
    }
    let standby = Self.view { ($0.state, $0.isStandby) = (.stopped, true) }
    #expect(PanelOrder.orders(.power(true), standby, Self.options) == [.playPause])
  }

  @Test("A pause while a guest has the sound card is the owner's; play then changes nothing (I1)")
  func lent() {
    let view = Self.view { ($0.state, $0.isMeantToPlay) = (.paused, true) }
    for (order, expected) in [
      (.pause, [.pause]), (.play, []), (.power(true), []), (.power(false), [.powerOff]),
    ] as [(HomeOrder, [PanelOrder])] {
      #expect(PanelOrder.orders(order, view, Self.options) == expected, "\(order)")
    }
  }

  @Test("In standby, play plays and pause does nothing; a louder volume unmutes")
  func standby() {
    let standby = Self.view { ($0.state, $0.isStandby) = (.stopped, true) }
    #expect(PanelOrder.orders(.play, standby, Self.options) == [.playPause])
    #expect(PanelOrder.orders(.pause, standby, Self.options) == [])
    let muted = Self.view { $0.isMuted = true }
    #expect(PanelOrder.orders(.volume(5), muted, Self.options) == [.volume(5), .mute(false)])
    #expect(PanelOrder.orders(.volume(0), muted, Self.options) == [.volume(0)])
  }

  @Test("next cycles through presets and podcast items, and does nothing without them")
  func next() {
    #expect(PanelOrder.orders(.next, Self.view { $0.stationIndex = 1 }, Self.options) == [.tune(0)])
    #expect(PanelOrder.orders(.next, Self.view { $0.stationIndex = nil }, Self.options) == [.tune(0)])
    #expect(PanelOrder.orders(.next, Self.view { $0.stations = [] }, Self.options) == [])
    let podcast = Self.view { ($0.stepsEpisodes, $0.episodes, $0.episodeIndex) = (true, ["a", "b"], 0) }
    #expect(PanelOrder.orders(.next, podcast, Self.options) == [.episode(1)])
    var last = podcast
    last.episodeIndex = 1
    #expect(PanelOrder.orders(.next, last, Self.options) == [.stop])
  }

  @Test(
    "A client's order acts like a key: previous steps back through presets and podcast items",
    arguments: [
      (.play, .stopped, [.playPause]), (.play, .playing, []), (.pause, .playing, [.pause]), (.pause, .stopped, []),
      (.toggle, .playing, [.playPause]), (.toggle, .stopped, [.playPause]), (.stop, .playing, [.stop]),
      (.next, .playing, [.tune(1)]), (.previous, .playing, [.tune(1)]), (.volume(7), .playing, [.volume(7)]),
      (.seek(by: 5), .playing, []), (.go(to: 5), .playing, []), (.quit, .playing, []),
    ] as [(MprisOrder, PanelState, [PanelOrder])])
  func clients(_ order: MprisOrder, _ state: PanelState, _ expected: [PanelOrder]) {
    #expect(PanelOrder.orders(order, Self.view { $0.state = state }) == expected)
  }

  @Test("previous does nothing without presets, and stays at the first podcast item")
  func previous() {
    #expect(PanelOrder.orders(MprisOrder.previous, Self.view { $0.stationIndex = 1 }) == [.tune(0)])
    #expect(PanelOrder.orders(MprisOrder.previous, Self.view { $0.stationIndex = nil }) == [.tune(1)])
    #expect(PanelOrder.orders(MprisOrder.previous, Self.view { $0.stations = [] }) == [])
    for (index, expected) in [(1, 0), (0, 0)] {
      let podcast = Self.view { ($0.stepsEpisodes, $0.episodes, $0.episodeIndex) = (true, ["a", "b"], index) }
      #expect(PanelOrder.orders(MprisOrder.previous, podcast) == [.episode(expected)])
    }
  }

  @Test("Home Assistant gets the panel's state, without values that change every second (M2)")
  func snapshot() {
    let radio = RadioSnapshot(
      Self.view {
        ($0.station, $0.artist, $0.title) = ("One", "A", "B")
        $0.fault = .serverGone(attempt: 2, nextTry: 30)
      }, Self.options)
    #expect(radio.state == .playing && radio.volume == 40 && radio.preset == 0 && radio.presets == Self.options)
    #expect(radio.station == "One" && radio.artist == "A" && radio.title == "B" && radio.fault == "Server gone")
    let later = Self.view {
      ($0.station, $0.artist, $0.title, $0.held, $0.position) = ("One", "A", "B", 9, 5)
      $0.fault = .serverGone(attempt: 3, nextTry: 29)
    }
    #expect(RadioSnapshot(later, Self.options) == radio)
    #expect(RadioSnapshot(Self.view { $0.isStandby = true }, Self.options).state == .standby)
    #expect(RadioSnapshot(Self.view { $0.isMuted = true }, Self.options).volume == 0)
  }

  @Test("A stop makes the thread disconnect before any wait")
  func stops() throws {
    let isGreeted = DispatchSemaphore(value: 0)
    let isLeft = DispatchSemaphore(value: 0)
    let broker = try FakeBroker { descriptor in
      FakeBroker.acceptClient(descriptor)
      isGreeted.signal()
      FakeBroker.drain(descriptor)
      isLeft.signal()
    }
    defer { broker.close() }
    var configuration = Configuration()
    configuration.mqtt.server = .init("127.0.0.1:\(broker.port)")
    let bridge = HomeBridge(configuration, Board(), PresetController([]), watch: -1, .machine)
    #expect(isGreeted.wait(timeout: .now() + 10) == .success)
    bridge.stop()
    #expect(isLeft.wait(timeout: .now() + 10) == .success)
    bridge.finish()
  }

  @Test("Without a broker nothing is published; a missing user file is reported, and the box continues")
  func absence() {
    let folder = TemporaryFolder()
    var configuration = Configuration()
    let presets = PresetController([])
    func status() -> [String] {
      let bridge = HomeBridge(configuration, Board(), presets, watch: -1, .machine)
      var answer = ControlAnswer()
      bridge.addStatus(to: &answer)
      bridge.publish(PanelModel(.init(), nil))
      #expect(bridge.removeOrders() == [])
      bridge.finish()
      return answer.text.split(separator: "\n").map(String.init)
    }
    #expect(status() == [])
    (configuration.mqtt.server, configuration.mqtt.userFile) = (.init("127.0.0.1:1"), folder.path + "/none")
    let told = status()
    #expect(told.first == "mqtt: off" && told.last?.contains("/none: it cannot be read") == true)
    configuration.mqtt.userFile = ""
    #expect(status().first == "mqtt: connecting")
  }
}
