import Network
import Panel
import RadioEngine
import Units

/// What keeps the station from coming: as the panel shows it, as the log tells it, and when it is tried again. A value
/// that is told the time.
struct StationWatch {
  private var faults = FaultWatch()
  private var journal = FaultJournal()
  private var retry = StationRetry()

  /// When the station is tried again; `never` where it is not.
  var due: MonotonicTime { retry.due }

  /// The try that is to come; nil where none is.
  var attempt: StationRetry.Attempt? { retry.attempt }

  /// What is wrong, as the panel says it; nil while nothing is.
  func fault(at now: MonotonicTime) -> PanelFault? { faults.fault(at: now) }

  /// What an event is about.
  struct Subject {
    /// What the station is called.
    var station: String
    /// How it is tried again where it is given up; nil where it has no place in the queue.
    var attempt: StationRetry.Attempt?
    /// How often somebody wanted silence (`PlayerController.stopCount`).
    var stopCount = 0
    /// Whether it is the sink that failed.
    var isSinkLost = false
  }

  /// Hears an event of the radio, and what keeps the station from coming then. What the log is to tell.
  mutating func hear(
    _ event: Event, _ fault: PlaybackFault?, of subject: Subject, at now: MonotonicTime
  ) -> LogLine? {
    faults.hear(event, fault, at: now)
    let line = note(event, fault, of: subject.station, at: now)
    if case .stopped(.error) = event, !subject.isSinkLost {
      retry.giveUp(subject.attempt, stopCount: subject.stopCount, at: now)
      if retry.due != .never { faults.waits(until: retry.due) }
    } else if case .stopped = event {
      retry.forget()
    }
    return line
  }

  private mutating func note(
    _ event: Event, _ fault: PlaybackFault?, of station: String, at now: MonotonicTime
  ) -> LogLine? {
    if let fault { return journal.begins(fault, of: station, at: now).map { LogLine(level: .warning, text: $0) } }
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
    faults.isTried()
    guard isOther else { return }
    faults.clear()
    journal.forget()
  }

  /// Nothing is to be played.
  mutating func rest() { retry.forget() }

  /// What the radio has seen by now: changes of the network (`Radio.networkChanges`), and how often somebody wanted
  /// silence.
  struct Seen {
    var networkChanges: UInt32
    var stopCount: Int
  }

  /// The try that is due; nil where none is. A clock that was set, and another network, bring it forward; who wants
  /// silence ends it. `seen` is nil where there is no radio.
  mutating func takeRetry(isClockSet: Bool, _ seen: Seen?, at now: MonotonicTime) -> StationRetry.Attempt? {
    let planned = retry.due
    if let seen, retry.see(stopCount: seen.stopCount) { faults.clear() }
    if isClockSet { retry.clockWasSet(at: now) }
    if let seen { retry.see(networkChanges: seen.networkChanges, at: now) }
    if retry.due != planned, retry.due != .never { faults.waits(until: retry.due) }
    return retry.take(at: now)
  }

  /// The station that was to be tried again has left the queue.
  mutating func isGone() { faults.clear() }
}

extension StationWatch.Subject {
  /// What a radio plays now.
  init(_ tuner: Tuner) {
    self.init(
      station: PanelModel.Playback.station(of: tuner.player),
      attempt: tuner.player.tunedID.map { StationRetry.Attempt(id: $0, isPaused: tuner.radio.wasPaused) },
      stopCount: tuner.player.stopCount, isSinkLost: tuner.radio.sinkFailure != nil)
  }
}

extension StationWatch.Seen {
  /// What a radio has seen by now.
  init(_ tuner: Tuner) {
    self.init(networkChanges: tuner.radio.networkChanges, stopCount: tuner.player.stopCount)
  }
}
