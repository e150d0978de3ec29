import Network
import Panel
import PanelWords
import RadioEngine
import Units

/// The tuned station's fault for the panel and the log, and its retry. Pure: the caller passes the time.
struct StationWatch {
  private var faults = FaultWatch()
  private var journal = FaultJournal()
  private var retry = StationRetry()

  var due: MonotonicTime { retry.due }

  var attempt: StationRetry.Attempt? { retry.attempt }

  func fault(at now: MonotonicTime) -> PanelFault? { faults.fault(at: now) }

  struct Subject {
    var station: String
    /// The retry to plan if the radio gives up; nil if the station is not in the queue.
    var attempt: StationRetry.Attempt?
    /// True if the sink failed, not the station.
    var isSinkLost = false
    /// True if a fallback plays instead of the station.
    var isReplaced = false
  }

  /// Processes an event of the radio, with the fault at that time. Returns a line for the log; nil without a line.
  mutating func process(
    _ event: Event, _ fault: PlaybackFault?, of subject: Subject, at now: MonotonicTime
  ) -> LogLine? {
    faults.process(event, fault, at: now)
    let line = updateJournal(event, fault, of: subject, at: now)
    if case .stopped(.error) = event, !subject.isSinkLost {
      retry.giveUp(subject.attempt, at: now)
      if retry.due != .never { faults.awaitRetry(until: retry.due) }
    } else if case .stopped = event {
      retry.cancel()
    }
    return line
  }

  private mutating func updateJournal(
    _ event: Event, _ fault: PlaybackFault?, of subject: Subject, at now: MonotonicTime
  ) -> LogLine? {
    let station = subject.station
    if let fault { return journal.recordFault(fault, of: station, at: now).map { LogLine(level: .warning, text: $0) } }
    switch event {
    case .playing, .stitched, .stationInfo:
      // The audio is the fallback's.
      guard !subject.isReplaced else { return nil }
      return journal.recordRecovery(station, at: now).map { LogLine(level: .notice, text: $0) }
    case .stopped: journal.clear()
    default: break
    }
    return nil
  }

  /// Processes a tune command. `isOther`: true if the station differs from the previous station.
  mutating func recordTuning(isOther: Bool) {
    retry.cancel()
    faults.clearNextTry()
    guard isOther else { return }
    faults.clear()
    journal.clear()
  }

  mutating func cancelRetry() { retry.cancel() }

  struct Counters {
    var networkChanges: UInt32
    var intent: PlaybackIntent
  }

  /// Returns the retry if it is due; nil otherwise. A clock set or a network change makes it due earlier; the owner's
  /// wish for silence cancels it. `seen`: nil without a radio.
  mutating func removeDueRetry(isClockSet: Bool, _ seen: Counters?, at now: MonotonicTime) -> StationRetry.Attempt? {
    let planned = retry.due
    if let seen, retry.update(seen.intent) { faults.clear() }
    if isClockSet { retry.retryNow(at: now) }
    if let seen { retry.update(networkChanges: seen.networkChanges, at: now) }
    if retry.due != planned, retry.due != .never { faults.awaitRetry(until: retry.due) }
    return retry.removeDue(at: now)
  }

  mutating func clearFault() { faults.clear() }
}

extension StationWatch.Subject {
  init(_ tuner: Tuner) {
    self.init(
      station: PanelModel.Playback.station(of: tuner.player),
      attempt: tuner.player.isBridged
        ? nil : tuner.player.tunedID.map { StationRetry.Attempt(id: $0, isPaused: tuner.radio.wasPaused) },
      isSinkLost: tuner.radio.sinkFailure != nil, isReplaced: tuner.player.fallback.isAway)
  }
}

extension StationWatch.Counters {
  init(_ tuner: Tuner) {
    self.init(networkChanges: tuner.radio.networkChanges, intent: tuner.player.intent)
  }
}
