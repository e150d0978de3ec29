import Glibc
import Network
import Radio
import Units

/// One run of `play`: tunes to one place after the other, and tells on the terminal what happens.
final class PlaySession {
  private let radio: Radio
  private let log: EventLog
  private let screen = LiveLine()
  private var outcome = Outcome.done

  init(_ radio: Radio, _ log: EventLog) {
    self.radio = radio
    self.log = log
  }

  /// Plays all, until their end or Ctrl-C; the first failure decides the outcome.
  func play(_ requests: [StationRequest]) -> Outcome {
    radio.onEvent = { [unowned self] event, time in
      log.write(event, at: time)
      screen.show(event)
    }
    for request in requests where !Interrupts.isAsked && radio.sinkFailure == nil { play(request) }
    let summary = radio.close()
    screen.end(summary)
    return outcome
  }

  private func play(_ request: StationRequest) {
    radio.tune(request)
    while radio.state != .stopped {
      radio.step(MonotonicTime(milliseconds: screen.isLive ? 200 : 500))
      if Interrupts.isAsked { radio.stop() }
      screen.update(radio.status)
    }
    if let failure = radio.sinkFailure {
      complain(failure.description, failure.isHardware ? .noHardware : .failed)
    } else if let failure = radio.failure {
      complain(failure.message, (400..<500).contains(failure.status) ? .refused : .failed)
    }
  }

  private func complain(_ message: String, _ outcome: Outcome) {
    screen.clear()
    say("bakelite: \(message)")
    if self.outcome == .done { self.outcome = outcome }
  }
}
