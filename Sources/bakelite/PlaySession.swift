import Control
import Glibc
import Network
import Radio
import Units

/// One run of `play`: tunes to one place after the other, and tells on the terminal what happens.
final class PlaySession {
  private let radio: Radio
  private let log: EventLog
  private let screen = LiveLine()
  private let server: ControlServer?
  private var outcome = Outcome.done
  /// Whether a client stopped the radio, so that it waits to be told more.
  private var isHeld = false

  init(_ radio: Radio, _ log: EventLog, _ server: ControlServer?) {
    self.radio = radio
    self.log = log
    self.server = server
  }

  /// Plays all, until their end or Ctrl-C; the first failure decides the outcome. `station` says what a client who
  /// tunes means.
  func play(_ requests: [StationRequest], _ station: @escaping (String) -> StationRequest?) -> Outcome {
    radio.onEvent = { [unowned self] event, time in tell(event, time) }
    let commands = RadioCommands(radio, version: Version.text, station: station)
    for request in requests where !Interrupts.isAsked && radio.sinkFailure == nil { play(request, commands) }
    let summary = radio.close()
    screen.end(summary)
    return outcome
  }

  private func tell(_ event: Event, _ time: Double) {
    log.write(event, at: time)
    server?.tell(event.json(at: time))
    screen.show(event)
  }

  private func play(_ request: StationRequest, _ commands: RadioCommands) {
    radio.tune(request)
    while radio.state != .stopped || isHeld {
      radio.step(MonotonicTime(milliseconds: screen.isLive ? 200 : 500), watching: server?.descriptor ?? -1)
      if Interrupts.isAsked {
        isHeld = false
        radio.stop()
      }
      serve(commands)
      screen.update(radio.status)
    }
    if let failure = radio.sinkFailure {
      complain(failure.description, failure.isHardware ? .noHardware : .failed)
    } else if let failure = radio.failure {
      complain(failure.message, (400..<500).contains(failure.status) ? .refused : .failed)
    }
  }

  private func serve(_ commands: RadioCommands) {
    server?.attend { request in
      let wasPlaying = radio.state != .stopped
      let answer = commands.answer(request)
      // Who was stopped by a client waits for one; an end of the programme is an end.
      if radio.state != .stopped { isHeld = false } else if wasPlaying { isHeld = true }
      return answer
    }
  }

  private func complain(_ message: String, _ outcome: Outcome) {
    screen.clear()
    say("bakelite: \(message)")
    if self.outcome == .done { self.outcome = outcome }
  }
}
