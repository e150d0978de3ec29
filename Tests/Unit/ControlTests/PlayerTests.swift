import Recordings
import Testing
import Units

@testable import Control
@testable import Network
@testable import PlayerSupport
@testable import RadioEngine

/// The player on a fake radio: each order, each state, each refusal.
@Suite struct PlayerTests {
  private let radio = FakeRadio()
  private let player: PlayerController

  init() { player = PlayerController(radio) }

  /// Adds stations, and plays one if requested.
  private func lineUp(_ names: [String] = ["a", "b", "c"], plays position: Int? = nil) {
    for name in names { player.add(StationRequest(url: "http://radio.example/\(name)"), name: name) }
    if let position {
      player.play(position)
      radio.state = .playing
    }
    player.settle()
    _ = radio.newCommands
  }

  private var name: String? { player.current?.name }

  private func choose(_ change: (inout PlayOptions) -> Void) {
    var options = player.options
    change(&options)
    player.choose(options)
  }

  /// Reports a stop from the radio to the player.
  private func end(_ reason: Event.StopReason) {
    radio.state = .stopped
    player.handle(.stopped(reason))
    player.settle()
  }

  @Test("The stations next to the current one are received in advance, also after a change of the queue (B5)")
  func prefetch() throws {
    var policy = PlayerPolicy()
    (policy.prefetchCount, policy.maxPrefetchBytes) = (2, 1_000)
    func commands() -> [String] { radio.newCommands.filter { !$0.hasPrefix("follower") } }
    player.adopt(policy)
    lineUp(["a", "b", "c", "d"])
    player.play(0)
    player.settle()
    #expect(commands() == ["tune a", "prefetch b d"])
    player.settle()
    #expect(commands() == [])
    player.next()
    player.settle()
    #expect(commands() == ["tune b", "prefetch c a"])
    player.delete(2..<3)
    player.settle()
    #expect(commands() == ["prefetch d a"])
    var request = StationRequest(url: "http://radio.example/d")
    request.headers = ["X-Key: new"]
    player.setPresets(PresetList([Preset(name: "d", request: request)]))
    player.settle()
    #expect(commands() == ["prefetch d a"], "the station is received with the new header")
    player.adopt(PlayerPolicy())
    player.next()
    player.settle()
    #expect(commands() == ["tune d"], "nothing more is received in advance")
  }

  @Test("Without stations every order is refused, and the radio gets none")
  func refusals() {
    let refused = [
      player.play(0), player.play(), player.play(id: 9), player.toggle(), player.previous(), player.playItem(0),
      player.playPreset(0), player.selectPreset(0), player.select(id: 9), player.delete(0..<1),
      player.seek(id: 9, to: 1), player.position.rewind(by: 1), player.position.forward(by: 1),
      player.position.live(), player.position.oldest(), player.position.seek(to: 1), player.volume.turn(to: 1),
      player.volume.turn(by: 1), player.volume.mute(true), player.volume.turnGain(to: 1), player.asksForTitles(true),
    ]
    #expect(!refused.contains(true) && radio.newCommands == [])
    #expect(!player.next() && radio.newCommands == ["stop"])
    #expect(player.position.elapsed == nil && player.position.duration == nil && player.current == nil)
  }

  @Test(
    "Play and toggle depend on the radio's state",
    arguments: [
      (RadioState.stopped, ["tune a"], ["tune a"]), (.paused, ["resume"], ["resume"]), (.connecting, [], ["pause"]),
      (.buffering, [], ["pause"]), (.playing, [], ["pause"]),
    ])
  func playAndToggle(_ state: RadioState, _ played: [String], _ toggled: [String]) {
    lineUp(plays: 0)
    radio.state = state
    #expect(player.play() && radio.newCommands == played)
    radio.state = state
    #expect(player.toggle() && radio.newCommands == toggled)
  }

  @Test("Play starts the selected station, also after a pause")
  func selection() {
    lineUp(plays: 0)
    player.pause()
    #expect(player.select(id: player.queue[2]?.id ?? 0) && name == "a")
    #expect(player.play() && radio.newCommands == ["pause", "tune c"] && name == "c")
  }

  @Test("Next and previous move in the queue, stop at its end, and wrap if allowed")
  func steps() {
    lineUp(plays: 1)
    #expect(player.next() && name == "c")
    #expect(!player.next() && name == "c" && radio.newCommands == ["tune c", "stop"])
    #expect(player.next(wraps: true) && name == "a")
    #expect(player.previous() && name == "a", "the first again")
    #expect(player.previous(wraps: true) && name == "c")
    choose { $0.repeats = true }
    #expect(player.next() && name == "a")
  }

  @Test("A skipped station leaves a consuming queue")
  func consumes() {
    lineUp(plays: 0)
    choose { $0.consumes = true }
    #expect(player.next() && player.queue.stations.map(\.name) == ["b", "c"])
    #expect(player.previous() && player.queue.count == 2)
  }

  @Test(
    "Removing the current station plays the next if playing, else only selects it",
    arguments: [
      (RadioState.playing, ["tune b"], "b"), (.connecting, ["tune b"], "b"), (.paused, ["stop"], "b"),
      (.stopped, [], nil),
    ] as [(RadioState, [String], String?)])
  func deletesCurrent(_ state: RadioState, _ told: [String], _ current: String?) {
    lineUp(plays: 0)
    radio.state = state
    #expect(player.delete(0..<1) && radio.newCommands == told && name == current)
  }

  @Test("Removing the last playing station stops")
  func deletesLast() {
    lineUp(["a"], plays: 0)
    #expect(player.delete(0..<1) && radio.newCommands == ["stop"] && name == nil)
    lineUp(["b"], plays: 0)
    player.clear()
    #expect(player.queue.count == 0 && radio.newCommands == ["stop"])
    player.clear()
    #expect(radio.newCommands == [])
  }

  // MARK: Automatic steps

  @Test(
    "An end is followed by the next station, a failure only if the policy allows",
    arguments: [
      (Event.StopReason.end, false, ["tune b"], false), (.error, false, [], true), (.error, true, ["tune b"], false),
      (.user, true, [], false), (.timeout, true, [], false),
    ])
  func ends(_ reason: Event.StopReason, _ skips: Bool, _ told: [String], _ isOver: Bool) {
    player.adopt(PlayerPolicy(skipsFailures: skips))
    lineUp(plays: 0)
    end(reason)
    #expect(radio.newCommands.filter { $0.hasPrefix("tune") } == told && player.hasPlayedOut == isOver)
  }

  @Test("Alternatives wrap by order, and none follows automatically unless the queue repeats")
  func alternatives() {
    player.adopt(PlayerPolicy(areAlternatives: true))
    lineUp(plays: 2)
    #expect(player.following?.name == "a" && player.next() && name == "a")
    #expect(player.previous() && name == "c" && radio.newCommands == ["tune a", "tune c"])
    player.play(1)
    radio.state = .playing
    player.settle()
    #expect(radio.newCommands == ["tune b"])
    end(.end)
    #expect(player.hasPlayedOut && radio.newCommands == [])
    choose { $0.repeats = true }
    lineUp(plays: 0)
    end(.end)
    #expect(name == "b")
    choose { $0 = PlayOptions() }
    player.clear()
    lineUp(["a"], plays: 0)
    #expect(player.following == nil)
  }

  @Test("Nothing follows a lost sink or the queue's last station")
  func playsOut() {
    player.adopt(PlayerPolicy(skipsFailures: true))
    lineUp(plays: 0)
    radio.isSinkLost = true
    end(.error)
    #expect(player.hasPlayedOut && radio.newCommands == [])
    player.play(2)
    _ = radio.newCommands
    #expect(!player.hasPlayedOut)
    end(.end)
    #expect(player.hasPlayedOut && radio.newCommands == [])
  }

  @Test("An end overtaken by an order is ignored")
  func lateEnd() {
    lineUp(plays: 0)
    player.handle(.stopped(.end))
    player.play(2)
    radio.state = .playing
    player.settle()
    #expect(name == "c" && radio.newCommands == ["tune c"])
  }

  @Test("The radio gets a successor once, and the successor becomes current")
  func followers() {
    for name in ["a", "b", "c"] { player.add(StationRequest(url: "http://radio.example/\(name)"), name: name) }
    player.play(0)
    player.settle()
    player.settle()
    #expect(radio.newCommands == ["tune a", "follower b"])
    let choices = player.choices
    player.handle(.followed(url: ""))
    player.settle()
    #expect(name == "b" && player.tunedID == player.currentID && radio.newCommands == ["follower c"])
    #expect(player.choices == choices, "nobody chose it")
    player.delete(2..<3)
    player.settle()
    #expect(radio.newCommands == ["follower none"])
    player.handle(.followed(url: ""))
    #expect(name == "b", "what is gone does not follow")
  }

  @Test("Items play in order; after the last the policy decides about the queue")
  func items() {
    lineUp(plays: 0)
    radio.list = FileList(url: "", isFeed: true, items: ["1", "2"].map { FileList.Item(url: StationAddress($0)) })
    radio.item = 0
    #expect(player.stepsItems && player.following?.name == "a" && player.next() && radio.newCommands == ["item 1"])
    #expect(player.following == nil && player.previous() && radio.newCommands == ["item 0"])
    #expect(player.previous() && radio.newCommands == ["item 0"], "the first again")
    player.next()
    #expect(!player.next() && radio.newCommands == ["item 1", "stop"] && !player.stepsItems)
    radio.state = .playing
    player.adopt(PlayerPolicy(continuesAfterLists: true))
    #expect(player.following?.name == "b" && player.next() && name == "b")
  }

  @Test("A file with a start position seeks once it plays")
  func seeksOncePlaying() {
    lineUp()
    #expect(player.seek(id: player.queue[1]?.id ?? 0, to: 40))
    player.settle()
    radio.status.facts = StationFacts(url: "", isLive: false, isSeekable: true)
    radio.state = .playing
    player.settle()
    player.settle()
    #expect(radio.newCommands.filter { !$0.hasPrefix("follower") } == ["tune b", "seek 40.0"])
    #expect(player.seek(id: player.queue[1]?.id ?? 0, to: 50) && radio.newCommands == ["seek 50.0"])
    #expect(player.seek(id: player.queue[0]?.id ?? 0, to: 9) && player.play(2))
    radio.state = .playing
    player.settle()
    #expect(!radio.newCommands.contains("seek 9.0"), "another station was chosen meanwhile")
  }

  // MARK: Reports

  @Test("A failure stays until playback or a clear")
  func failures() {
    lineUp(plays: 0)
    player.handle(.timeoutExceeded(url: "", message: "Nobody answers."))
    #expect(player.failure == "Nobody answers." && player.trouble == "Nobody answers.")
    radio.soundProblem = "No card."
    #expect(player.trouble == "No card." && player.failure == "Nobody answers.")
    player.handle(.playing(station: nil, latency: 0, behindLive: nil))
    #expect(player.failure == nil)
    player.handle(.httpError(code: 404, url: "u"))
    #expect(player.failure == "u answered 404.")
    radio.fault = PlaybackFault(.closed, url: "u")
    player.handle(.httpError(code: 404, url: "u"))
    #expect(player.failure == "The station closed the connection.")
    player.clearFailure()
    #expect(player.failure == nil && player.trouble == "No card.")
    radio.isDeviceMissing = true
    player.handle(.deviceLost(device: "", message: "It is waited for."))
    #expect(player.failure == nil)
  }

  @Test("A reconnect ends the failure of a try, although playback never stopped; the sink's failure stays")
  func failuresOfTries() {
    lineUp(plays: 0)
    let joined = Event.stitched(overlap: 1, lost: 0, exact: true, estimated: false)
    player.handle(.httpError(code: 503, url: "u"))
    #expect(player.failure != nil)
    radio.fault = PlaybackFault(.closed, url: "u")
    player.handle(joined)
    #expect(player.failure != nil, "another fault is current")
    radio.fault = nil
    player.handle(joined)
    #expect(player.failure == nil)
    player.handle(.deviceLost(device: "", message: "The card is gone."))
    player.handle(joined)
    #expect(player.failure == "The card is gone.")
  }

  @Test("An unnamed live station gets its own name; a file keeps its name", arguments: [true, false])
  func names(_ isLive: Bool) {
    player.add(StationRequest(url: "http://radio.example/a"))
    player.play(0)
    let facts = StationFacts(url: "", name: "One FM", isLive: isLive, isSeekable: false)
    player.handle(.stationInfo(StationInfo(facts: facts, codec: "MP3", sampleRate: 44_100, channels: 2)))
    #expect(name == (isLive ? "One FM" : "") && player.info?.facts == facts)
  }

  @Test("All listeners get one notification of all changes")
  func changes() {
    var heard: [Set<Subsystem>] = []
    player.onChange = { heard.append($0) }
    player.volume.connect { _, _ in }
    lineUp()
    player.volume.turn(to: 5)
    choose { $0.isRandom = true }
    player.setPresets(PresetList())
    player.play(0)
    player.settle()
    player.settle()
    #expect(heard == [[.playlist], [.mixer, .options, .storedPlaylist, .player]])
  }

  @Test("A radio that could not be created refuses, and stays stopped")
  func absent() {
    let player = PlayerController(AbsentRadio())
    player.add(StationRequest(url: "http://radio.example/a"))
    #expect(player.play() && player.state == .stopped && player.current != nil)
    player.pause()
    #expect(player.device.lend(to: "A", for: .forever, at: .zero))
    player.settle()
    #expect(player.state == .stopped && player.device.isSuspended && !player.position.live() && !player.playItem(0))
    player.device.endAllLeases()
    #expect(!player.device.isSuspended)
    #expect(throws: RecordingError.nothing) { try player.recorder.record(RecordingOrder("a.mp3", reach: .folder)) }
    #expect(throws: RecordingError.nothing) { try player.recorder.keep(.current) }
    #expect(player.meter.spectrum(bands: 3).count == 3 && player.meter.levels.left == player.meter.levels.right)
    #expect(player.status.blocks.blockCount == 0 && player.statistics.uptime == 0 && player.statistics.playtime == 0)
  }
}

/// Volume and playback position.
@Suite struct PlayerPartTests {
  @Test("The volume stays between 0 and 100, and survives muting")
  func volume() {
    let volume = VolumeControl()
    var heard: [String] = []
    volume.connect {
      heard.append("\($0) \($1)")
    } gain: {
      heard.append("\($0) dB")
    }
    for percent in [40, -5, 200] { volume.turn(to: percent) }
    volume.turn(by: -1_000)
    volume.turn(by: 30)
    #expect(heard == ["40 false", "0 false", "100 false", "0 false", "30 false"])
    _ = volume.removeChanges()
    heard = []
    #expect(volume.mute(true) && volume.isMuted && volume.percent == 30 && volume.removeChanges() == [.mixer, .output])
    #expect(volume.mute(true) && volume.removeChanges() == [])
    #expect(volume.turn(to: 30) && !volume.isMuted && volume.removeChanges() == [.mixer, .output])
    for gain in [3.5, -90, 40] { volume.turnGain(to: gain) }
    #expect(heard == ["30 true", "30 true", "30 false", "3.5 dB", "-60.0 dB", "12.0 dB"])
  }

  @Test("A live station is stepped through, a file is seeked", arguments: [true, false])
  func position(_ isLive: Bool) {
    let radio = FakeRadio()
    let position = PositionControl(radio)
    radio.status.facts = StationFacts(url: "", isLive: isLive, isSeekable: true)
    (radio.status.position, radio.status.duration) = (30, isLive ? nil : 100)
    radio.state = .playing
    let all = [
      position.rewind(by: 5), position.forward(by: 6), position.live(), position.oldest(), position.seek(to: 70),
    ]
    #expect(all.allSatisfy { $0 } && !position.seek(to: .nan) && position.removeChanges() == [.player])
    let last = isLive ? "forward 40.0" : "seek 70.0"
    #expect(radio.newCommands == ["rewind 5.0", "forward 6.0", "live", "oldest", last])
    #expect(position.elapsed == 30 && position.duration == (isLive ? 0 : 100))
  }
}
