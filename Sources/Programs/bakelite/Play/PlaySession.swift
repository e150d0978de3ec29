import Control
import Glibc
import Mpris
import Network
import PanelLinux
import RadioEngine
import Recordings
import System
import Units

/// The terminal of a `PlaySession`.
struct PlayStage {
  let display: any LiveDisplay
  /// The keys; nil if no terminal sends keys.
  let keys: (any KeySource)?
  /// True in the list of stations: a failure before the first sound ends the playback, even if a key or a client chose
  /// the station.
  var isList = false

  /// Standard error, and the keys of the terminal of standard input and output.
  static var terminal: PlayStage { PlayStage(display: ErrorOutput(), keys: TerminalKeyboard()) }
}

/// The programs that control a `PlaySession`.
struct PlayClients {
  let server: ControlServer?
  let mpris: MprisService?

  var descriptors: [Int32] { [server?.descriptor, mpris?.descriptor].compactMap { $0 } }
}

final class PlaySession {
  private let radio: Radio
  private let player: PlayerController
  private let log: EventLog
  private let server: ControlServer?
  private let mpris: MprisService?
  /// True after a client of the bus ended the program.
  private var isQuitByBus = false
  private let display: any LiveDisplay
  private let screen: LiveLine
  private let volume: SoftwareVolume
  private let keys: PlayKeys
  private let order: RecordingOrder?
  private var outcome = Outcome.done
  private let endsAtFailure: Bool
  private var tunedID: Int?
  /// Gain of the last listed station in dB.
  private var stationGain = 0.0
  /// True after a key or a client chose a station. From then on, a failed station does not end the program.
  private var isDriven = false
  /// True after a station was audible.
  private var hasPlayed = false
  /// True if playback last stopped because such a station failed, and the sink works.
  private var awaitsClient = false
  private var saidWait = false
  /// True if the requested recording runs, or will start.
  private var isRecording = false
  /// The end of a file in seconds, if the requested start is after it.
  private var endBeforeStart: Double?
  private var isEnding = false
  private var saidEvents = false
  private var saidEnding = false

  /// `order`: the recording of the command line.
  init(
    _ radio: Radio, _ player: PlayerController, _ log: EventLog, _ clients: PlayClients, on stage: PlayStage,
    recording order: RecordingOrder?
  ) {
    (self.radio, self.player) = (radio, player)
    self.log = log
    server = clients.server
    mpris = clients.mpris
    self.order = order
    (display, endsAtFailure) = (stage.display, stage.isList)
    screen = LiveLine(on: stage.display)
    volume = SoftwareVolume(player.volume, of: radio)
    keys = PlayKeys(player, stage, recording: order, beside: clients.descriptors)
  }

  /// Plays everything until the end, Ctrl-C or the key "q"; the first failure sets the exit code.
  ///
  /// A radio that a key or a client stopped, or tuned to a failed station, waits for the next command. Recording starts
  /// with the first packet; if it cannot start, nothing plays.
  func play(_ lineup: PlayLineup) -> Outcome {
    radio.onEvent = { [unowned self] event, time in report(event, time) }
    player.onChange = { [unowned self] changes in server?.notify(changes) }
    stationGain = lineup.firstGain
    player.adopt(
      PlayerPolicy(
        skipsFailures: !lineup.areFavourites, continuesAfterLists: true, areAlternatives: lineup.areFavourites))
    if let order, let failure = begin(order) {
      display.complain("\(failure)")
      _ = radio.close()
      return .failed
    }
    isRecording = order != nil
    player.setPresets(PresetList(lineup.presets.map(\.preset), changed: Int64(Clock.machine.wallSeconds())))
    player.fill(with: lineup.queue.map(\.preset))
    if lineup.areFavourites { player.playPreset(lineup.first) } else { player.play(0) }
    while !player.hasPlayedOut || awaitsClient, !isEnding, !isQuit, !Interrupts.isAsked {
      radio.step(Duration(milliseconds: screen.isLive ? 200 : 500), watching: keys.watched)
      attendClients()
      attendBus()
      attendKeys()
      follow(lineup)
      player.settle()
      printWait()
      screen.update(radio, sleep: keys.sleep.minutes(at: radio.time))
    }
    let summary = radio.close()
    let added = keys.end()
    screen.end(summary, isFailure: outcome != .done)
    if let added { display.note(added) }
    return outcome
  }

  private func attendClients() { watchChoice { server?.attend() } }

  private func attendKeys() {
    let wall = Int64(Clock.machine.wallSeconds())
    watchChoice { keys.attend(at: radio.time, wall: wall) { screen.show($0, at: radio.time) } }
  }

  private func watchChoice(_ work: () -> Void) {
    let before = player.choices
    work()
    isDriven = isDriven || player.choices != before && (!endsAtFailure || hasPlayed)
  }

  /// Marks another station, and sets its gain.
  private func follow(_ lineup: PlayLineup) {
    guard let id = player.tunedID, id != tunedID, let station = player.queue[id: id] else { return }
    tunedID = id
    display.mark(station.name)
    let (old, new) = (stationGain, lineup.gain(of: station))
    stationGain = new ?? old
    // A client may have set the gain of equally loud stations.
    if let new, new != old { player.volume.turnGain(to: new) }
  }

  /// True after an order to end the program.
  private var isQuit: Bool { keys.isQuit || isQuitByBus }

  private func attendBus() {
    let failure = mpris?.attend(player, at: radio.time) { order in
      if order == .quit { isQuitByBus = true } else { order.execute(with: player) }
    }
    guard let failure else { return }
    display.note("\(failure.words(about: .session)); media keys have no effect until the next start.")
  }

  private func printWait() {
    let isWaiting = awaitsClient && player.hasPlayedOut
    if isWaiting, !saidWait { display.note("Waiting for the next command.") }
    saidWait = isWaiting
  }

  private func begin(_ order: RecordingOrder) -> RecordingError? {
    do throws(RecordingError) { try radio.record(order) } catch { return error }
    return nil
  }

  private func report(_ event: Event, _ time: Double) {
    log.write(event, at: time)
    player.handle(event)
    server?.publish(event, at: time)
    attendEvents()
    // The final failure of the sink is printed by `complain` only.
    if case .deviceLost = event, radio.sinkFailure != nil { return }
    screen.show(event, at: time)
    switch event {
    case .recordingStopped(_, let bytes, let error): recordingEnded(isEmpty: bytes == 0 && error != nil)
    case .stationInfo(let info): checkEnding(info.codec)
    case .seekDone(let position, let requested):
      endBeforeStart = requested > position ? position : nil
      mpris?.seek()
    case .playing: hasPlayed = true
    case .fileComplete(let heard): fileEnded(heard: heard)
    case .stopped(let reason):
      let isFinal = reason == .error && (!player.isBridged || radio.sinkFailure != nil)
      awaitsClient = isFinal && isDriven && radio.sinkFailure == nil
      if isFinal { complain() }
    default: break
    }
  }

  /// Ends the program if the requested recording failed without data. The reason was printed before.
  private func recordingEnded(isEmpty: Bool) {
    defer { isRecording = false }
    guard isRecording, isEmpty, !isDriven, radio.failure == nil, radio.sinkFailure == nil else { return }
    fail()
    isEnding = true
  }

  /// Reports once if the requested file's ending is that of another codec.
  private func checkEnding(_ codec: String) {
    guard isRecording, !saidEnding, let order, !order.splits, let ending = PlayKeys.ending(of: codec) else { return }
    let name = order.path.split(separator: "/").last.map(String.init) ?? order.path
    guard StationOptionGroup.hasFileEnding(name) else { return }
    let own = name.split(separator: ".").last?.lowercased() ?? ""
    let fitting = codec == "AAC" ? ["aac", "adts"] : ["mp3", "mp2", "mp1", "mpga"]
    guard !fitting.contains(own) else { return }
    saidEnding = true
    display.note(
      "The sound is \(codec), and some players refuse \(codec) in \(name); the usual ending is .\(ending).")
  }

  private func fileEnded(heard: Double) {
    guard heard == 0, let start = player.current?.request.start, start > .zero, let end = endBeforeStart else { return }
    display.complain(
      "The file has a length of \(LiveText.clock(end)), so playback cannot start at second \(figure(start.seconds)); "
        + "use an earlier --start.")
    fail()
  }

  /// Reports a failed event log once. Ends the program if the reader is gone, but not if the disk is full.
  private func attendEvents() {
    guard log.failure != 0, !saidEvents else { return }
    saidEvents = true
    display.complain("Could not write events to \(log.name): \(unwritten(log.failure)).")
    fail()
    if log.failure == EPIPE { isEnding = true }
  }

  private func fail() { if outcome == .done { outcome = .failed } }

  private func complain() {
    var outcome = Outcome.failed
    if let failure = radio.sinkFailure {
      display.complain(OptionAdvice.sentence(failure))
      if failure.isHardware { outcome = .noHardware }
    } else if let failure = radio.failure {
      display.complain(OptionAdvice.sentence(failure))
      outcome = Outcome(failure)
    }
    if self.outcome == .done, !awaitsClient { self.outcome = outcome }
  }
}
