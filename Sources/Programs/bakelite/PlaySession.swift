import Control
import Glibc
import Network
import RadioEngine
import System
import Units

/// One run of `play`: a player whose queue is what was given, and what happens told on the terminal.
final class PlaySession {
  private let radio: Radio
  private let player: PlayerController
  private let log: EventLog
  private let server: ControlServer?
  private let screen = LiveLine()
  private let volume: SoftwareVolume
  private let keys: PlayKeys
  private var outcome = Outcome.done
  /// Whether a client of the control protocol has chosen what to play: from then on a station that cannot be played
  /// does not end the program.
  private var isDriven = false
  /// Whether such a station failed, and nothing else was chosen yet.
  private var awaitsClient = false
  /// Whether that was said.
  private var saidWait = false
  /// Whether the recording that was asked for at the start runs, or is to begin.
  private var isRecording = false
  /// Where the file ends that was to be begun behind its end, in seconds.
  private var endBeforeStart: Double?
  /// Whether it ends although there is more to play.
  private var isEnding = false
  /// Whether it was said that events cannot be written.
  private var saidEvents = false

  init(_ radio: Radio, _ player: PlayerController, _ log: EventLog, _ server: ControlServer?) {
    (self.radio, self.player) = (radio, player)
    self.log = log
    self.server = server
    volume = SoftwareVolume(player.volume, of: radio)
    keys = PlayKeys(player, beside: server?.descriptor ?? -1)
  }

  /// Plays all, until their end or Ctrl-C; the first failure decides the outcome. A radio that a client stopped waits
  /// for the next command, and so does one that a client tuned to a station that cannot be played. What is recorded
  /// begins with the first packet; where it cannot be, nothing is played.
  func play(_ requests: [StationRequest], recording order: RecordingOrder?) -> Outcome {
    radio.onEvent = { [unowned self] event, time in tell(event, time) }
    player.onChange = { [unowned self] changes in server?.note(changes) }
    player.adopt(PlayerPolicy(skipsFailures: true, goesOnAfterLists: true))
    if let order, let failure = begin(order) {
      sayError("\(failure)")
      _ = radio.close()
      return .failed
    }
    isRecording = order != nil
    let given = requests.map { Preset(name: "", request: $0) }
    player.take(PresetList(given, changed: Int64(Clock.machine.wallSeconds())))
    player.fill(with: given)
    player.play(0)
    while !player.hasPlayedOut || awaitsClient, !isEnding, !keys.isQuit, !Interrupts.isAsked {
      radio.step(Duration(milliseconds: screen.isLive ? 200 : 500), watching: keys.watched)
      attendClients()
      keys.attend { screen.tell($0, at: radio.time) }
      player.settle()
      sayWait()
      screen.update(radio)
    }
    let summary = radio.close()
    keys.end()
    screen.end(summary, isFailure: outcome != .done)
    return outcome
  }

  private func attendClients() {
    let before = player.choices
    server?.attend()
    isDriven = isDriven || player.choices != before
  }

  private func sayWait() {
    let isWaiting = awaitsClient && player.hasPlayedOut
    if isWaiting, !saidWait {
      screen.clear()
      say("Waiting for the next command.")
    }
    saidWait = isWaiting
  }

  private func begin(_ order: RecordingOrder) -> RecordingError? {
    do throws(RecordingError) { try radio.record(order) } catch { return error }
    return nil
  }

  private func tell(_ event: Event, _ time: Double) {
    log.write(event, at: time)
    player.handle(event)
    server?.tell(event, at: time)
    attendEvents()
    // Why the sound's way is gone for good is the last sentence, and said once.
    if case .deviceLost = event, radio.sinkFailure != nil { return }
    screen.show(event, at: time)
    switch event {
    case .recordingStopped(_, let bytes, let error): recordingEnded(isEmpty: bytes == 0 && error != nil)
    case .seekDone(let position, let requested): endBeforeStart = requested > position ? position : nil
    case .fileComplete(let heard): fileEnded(heard: heard)
    case .stopped(let reason):
      awaitsClient = reason == .error && isDriven && radio.sinkFailure == nil
      if reason == .error { complain() }
    default: break
    }
  }

  /// A recording that was asked for, and cannot be, is a failure; why is said already.
  private func recordingEnded(isEmpty: Bool) {
    defer { isRecording = false }
    guard isRecording, isEmpty, !isDriven, radio.failure == nil, radio.sinkFailure == nil else { return }
    fail()
    isEnding = true
  }

  /// A file of which nothing was heard was to begin behind its end.
  private func fileEnded(heard: Double) {
    guard heard == 0, let start = player.current?.request.start, start > .zero, let end = endBeforeStart else { return }
    screen.clear()
    sayError(
      "The file is \(LiveText.clock(end)) long, so there is nothing to play from second \(figure(start.seconds)); give "
        + "--start an earlier second.")
    fail()
  }

  /// Whoever reads the events and is gone hears no sound either; a full disk does not end it.
  private func attendEvents() {
    guard log.failure != 0, !saidEvents else { return }
    saidEvents = true
    screen.clear()
    sayError("Could not write events to \(log.name): \(unwritten(log.failure)).")
    fail()
    if log.failure == EPIPE { isEnding = true }
  }

  private func fail() { if outcome == .done { outcome = .failed } }

  private func complain() {
    screen.clear()
    var outcome = Outcome.failed
    if let failure = radio.sinkFailure {
      sayError("\(failure.description)")
      if failure.isHardware { outcome = .noHardware }
    } else if let failure = radio.failure {
      sayError(failure.sentence)
      outcome = Outcome(failure)
    }
    if self.outcome == .done, !awaitsClient { self.outcome = outcome }
  }
}
