import Units

/// A ringing alarm (K2, K4): proves the sound, replaces a silent source by the tone, raises the volume and ends. A
/// value; the caller passes facts and times.
public struct AlarmRun: Equatable, Sendable {
  /// The occurrence that rings.
  public let occurrence: AlarmOccurrence
  /// The report so far.
  public private(set) var report: AlarmReport
  /// End of the postponement; nil while the alarm rings.
  private(set) var snoozeEnd: MonotonicTime?
  /// True while the tone is ordered.
  public private(set) var hasTone = false

  private let alarm: Alarm
  /// True while the source may still be received in advance.
  private var isPrepared = true
  private var start: MonotonicTime
  /// Start of the current ring: the first, or after a postponement.
  private var ringStart: MonotonicTime
  private var last: MonotonicTime
  private var lastSound: MonotonicTime
  /// Time with sound since the last silence, in seconds; and in all.
  private var (steady, total) = (0.0, 0.0)
  private var toneTime = 0.0
  private var volume = 0
  /// Start of an inaudible programme; nil while the programme is audible or missing.
  private var inaudibleSince: MonotonicTime?
  private var nextRetry = MonotonicTime.never
  private var nextCardRequest = MonotonicTime.zero

  /// Time with sound that proves an alarm.
  static let proof = 15.0
  /// The level in dBFS from which audio counts as sound.
  static let threshold = -50.0
  /// Silence after which the tone begins. The first sound must be heard within a minute.
  static let patience = Duration(seconds: 20)
  /// Steady sound of a programme after which the tone ends.
  static let returnTime = 2.0
  /// Interval between two tries of a source that does not play, while the tone sounds.
  static let retryInterval = Duration(seconds: 60)
  /// Time after which an inaudible programme ends in favour of the tone.
  static let inaudibleTime = Duration(seconds: 5)
  static let cardInterval = Duration(seconds: 2)
  /// The volume at the start of a rise, in percent.
  static let minVolume = 10
  /// Maximum time that counts between two updates.
  private static let maxStep = 1.5

  init(_ occurrence: AlarmOccurrence, _ alarm: Alarm, late: Int64, at now: MonotonicTime) {
    (self.occurrence, self.alarm) = (occurrence, alarm)
    (start, ringStart, last) = (now, now, now)
    lastSound = now
    report = AlarmReport(source: alarm.source, due: occurrence.moment)
    report.lateSeconds = Int(clamping: late)
  }

  /// True while the alarm is postponed.
  public var isSnoozing: Bool { snoozeEnd != nil }

  /// True once the listener can have heard the alarm.
  public var isProven: Bool { total >= Self.proof }

  /// Seconds of audible sound of a programme so far.
  public var soundSeconds: Int { Int(total) }

  /// Time of the next change that needs no fact.
  var due: MonotonicTime { snoozeEnd ?? last + Duration(milliseconds: 250) }

  /// Starts the ring. Returns the orders.
  mutating func begin(at now: MonotonicTime) -> [AlarmAction] {
    (snoozeEnd, ringStart, last) = (nil, now, now)
    (lastSound, steady, nextRetry) = (now, 0, .never)
    volume = volume(at: now)
    return [.play(occurrence, volume: volume)]
  }

  /// Returns the orders after the facts of a moment.
  mutating func update(_ facts: AlarmFacts, at now: MonotonicTime) -> [AlarmAction] {
    if let snoozeEnd {
      last = now
      return now >= snoozeEnd ? begin(at: now) : []
    }
    let step = min(Self.maxStep, max(0, (now - last).seconds))
    last = now
    if report.problem == nil, now - lastSound >= Duration(seconds: 5) { report.problem = facts.problem }
    var actions = raiseVolume(facts, at: now)
    if !facts.hasCard, now >= nextCardRequest {
      nextCardRequest = now + Self.cardInterval
      actions.append(.takeCard)
    }
    if let level = facts.level, level > Self.threshold, facts.isLoud, facts.hasCard {
      return actions + hear(level, facts, step, at: now)
    }
    return actions + miss(facts, step, at: now)
  }

  /// Postpones the alarm. Returns the orders.
  mutating func snooze(for duration: Duration, at now: MonotonicTime) -> [AlarmAction] {
    snoozeEnd = now + duration
    report.snoozeCount += 1
    return endTone() + [.pause]
  }

  /// True if the alarm's duration is over, since its begin or its postponement.
  func isOver(at now: MonotonicTime) -> Bool {
    now - ringStart >= Duration(seconds: Double(alarm.minutes) * 60) && !isSnoozing
  }

  /// Ends the alarm. Returns the orders, with the report.
  mutating func end(_ end: AlarmReport.End) -> [AlarmAction] {
    report.end = end
    (report.soundSeconds, report.toneSeconds) = (soundSeconds, Int(toneTime))
    let silence: [AlarmAction] = end == .replaced || end == .overtaken ? [] : [.silence(isExpired: end == .expired)]
    return endPreparation() + endTone() + silence + [.report(report)]
  }

  // MARK: Sound

  private mutating func hear(
    _ level: Double, _ facts: AlarmFacts, _ step: Double, at now: MonotonicTime
  ) -> [AlarmAction] {
    (lastSound, inaudibleSince, nextRetry) = (now, nil, .never)
    (steady, total) = (steady + step, total + step)
    recordFirstSound(at: now)
    report.level = max(report.level ?? level, level)
    if let source = facts.source, report.heard.last != source, report.heard.count < 16 { report.heard.append(source) }
    return endPreparation() + (steady >= Self.returnTime ? endTone() : [])
  }

  private mutating func miss(_ facts: AlarmFacts, _ step: Double, at now: MonotonicTime) -> [AlarmAction] {
    steady = 0
    inaudibleSince = facts.hasProgramme ? inaudibleSince ?? now : nil
    var actions: [AlarmAction] = []
    if !hasTone, now - lastSound >= Self.patience {
      (hasTone, nextRetry) = (true, now + Self.retryInterval)
      actions.append(.tone(true))
    }
    guard hasTone else { return actions }
    if let inaudibleSince, now - inaudibleSince >= Self.inaudibleTime {
      self.inaudibleSince = nil
      actions.append(.drop)
    }
    if !facts.hasProgramme, facts.hasCard {
      toneTime += step
      recordFirstSound(at: now)
    }
    if now >= nextRetry {
      nextRetry = now + Self.retryInterval
      actions.append(.retry(occurrence))
    }
    return actions
  }

  private mutating func recordFirstSound(at now: MonotonicTime) {
    if report.silentSeconds == nil { report.silentSeconds = Int((now - start).seconds) }
  }

  /// Ends the reception in advance, once the source is heard.
  private mutating func endPreparation() -> [AlarmAction] {
    defer { isPrepared = false }
    return isPrepared ? [.cancel] : []
  }

  private mutating func endTone() -> [AlarmAction] {
    guard hasTone else { return [] }
    hasTone = false
    return [.tone(false)]
  }

  // MARK: Volume

  /// Returns the volume in percent: it rises with each ring.
  private func volume(at now: MonotonicTime) -> Int {
    let first = min(Self.minVolume, alarm.volume)
    guard alarm.riseSeconds > 0 else { return alarm.volume }
    let part = min(1, max(0, (now - ringStart).seconds / Double(alarm.riseSeconds)))
    return first + Int(Double(alarm.volume - first) * part)
  }

  /// Raises the volume, and restores it if somebody else muted the radio before the alarm was heard.
  private mutating func raiseVolume(_ facts: AlarmFacts, at now: MonotonicTime) -> [AlarmAction] {
    let wanted = volume(at: now)
    guard wanted > volume || !facts.isLoud && !isProven else { return [] }
    volume = wanted
    return [.volume(wanted)]
  }
}
