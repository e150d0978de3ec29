import Network
import Panel
import Radio
import Units

/// What keeps the station from coming: as the panel shows it, as the log tells it, and when it is tried again. A value
/// that is told the time.
struct StationWatch {
  private var troubles = TroubleWatch()
  private var journal = TroubleJournal()
  private var retry = StationRetry()

  /// When the station is tried again; `never` where it is not.
  var due: MonotonicTime { retry.due }

  /// What is wrong, as the panel says it; nil while nothing is.
  func trouble(at now: MonotonicTime) -> Panel.Trouble? { troubles.trouble(at: now) }

  /// Hears an event of the radio, and what keeps the station from coming then; `station` is what it is called, and
  /// `isSinkLost` whether it is the sink that failed. What the log is to tell.
  mutating func hear(
    _ event: Event, _ trouble: Network.Trouble?, of station: String, isSinkLost: Bool, at now: MonotonicTime
  ) -> LogLine? {
    troubles.hear(event, trouble, at: now)
    let line = note(event, trouble, of: station, at: now)
    if case .stopped(.error) = event, !isSinkLost {
      retry.giveUp(at: now)
      troubles.waits(until: retry.due)
    } else if case .stopped = event {
      retry.forget()
    }
    return line
  }

  private mutating func note(
    _ event: Event, _ trouble: Network.Trouble?, of station: String, at now: MonotonicTime
  ) -> LogLine? {
    if let trouble { return journal.begins(trouble, of: station, at: now).map { LogLine(level: .warning, text: $0) } }
    switch event {
    case .playing, .stitched, .stationInfo:
      return journal.ends(station, at: now).map { LogLine(level: .notice, text: $0) }
    case .stopped: journal.forget()
    default: break
    }
    return nil
  }

  /// A station is asked for; `isOther` where it is not the one that was asked for before.
  mutating func begin(isOther: Bool) {
    retry.forget()
    guard isOther else { return }
    troubles.clear()
    journal.forget()
  }

  /// Nothing is to be played.
  mutating func rest() { retry.forget() }

  /// Whether the station is to be tried now, once. A clock that was set, and a network that is another
  /// (`Radio.networkChanges`, nil where there is no radio), bring that forward.
  mutating func takeRetry(isClockSet: Bool, networkChanges: UInt32?, at now: MonotonicTime) -> Bool {
    if isClockSet { retry.clockWasSet(at: now) }
    if let networkChanges { retry.see(networkChanges: networkChanges, at: now) }
    return retry.take(at: now)
  }
}
