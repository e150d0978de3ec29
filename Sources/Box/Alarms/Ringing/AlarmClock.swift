import Units

/// The alarms of a box: begins each at its moment, and ends it. A value; the caller passes facts and times.
///
/// `handled` is the only state that must survive a power cut: an occurrence after it has not been answered yet.
public struct AlarmClock {
  /// The moment of the last occurrence that has ended, in seconds since 1970; no earlier occurrence rings.
  public private(set) var handled: Int64
  /// The alarm that rings or is postponed; nil between alarms.
  public private(set) var run: AlarmRun?
  /// The next occurrence; nil without one.
  public private(set) var next: AlarmOccurrence?
  /// True while the source of the next alarm is received in advance.
  private(set) var isPreparing = false

  private var schedule: AlarmSchedule
  /// True if `next` is up to date.
  private var isKnown = false

  /// Time before an alarm from which its source is received, in seconds.
  static let lead: Int64 = 120
  /// Maximum age in seconds of an alarm that still rings after a power cut.
  static let grace: Int64 = 1_800
  /// Time in seconds by which a clock may be set back without a second ring.
  static let maxStepBack: Int64 = 86_400

  /// Creates a clock. `handled`: the value from before a restart; nil for the first start.
  public init(_ schedule: AlarmSchedule, handled: Int64?) {
    (self.schedule, self.handled) = (schedule, handled ?? Int64.min)
  }

  /// The alarm of an occurrence; nil if it was removed.
  public func alarm(of occurrence: AlarmOccurrence) -> Alarm? {
    schedule.alarms.indices.contains(occurrence.number) ? schedule.alarms[occurrence.number] : nil
  }

  /// Replaces the alarms or the zone. An alarm that is due before `wall` does not ring. `wall`: seconds since 1970; nil
  /// if unknown. Returns orders.
  public mutating func use(_ schedule: AlarmSchedule, wall: Int64?) -> [AlarmAction] {
    self.schedule = schedule
    isKnown = false
    if let wall {
      if run == nil { handled = max(handled, wall) }
      findNext()
    }
    guard isPreparing else { return [] }
    isPreparing = false
    return [.cancel]
  }

  /// Returns the orders for a moment. `wall`: the best known time, in seconds since 1970; nil if unknown.
  public mutating func update(_ facts: AlarmFacts, wall: Int64?, at now: MonotonicTime) -> [AlarmAction] {
    var actions = wall.map { follow($0, at: now) } ?? []
    guard run != nil else { return actions }
    if run?.isOver(at: now) == true { return actions + end(.expired) }
    actions += run?.update(facts, at: now) ?? []
    return actions
  }

  /// The latest time for the next `update`.
  public func due(wall: Int64?, at now: MonotonicTime) -> MonotonicTime {
    if let run { return run.due }
    guard let wall, let next else { return .never }
    let left = min(86_400, max(0, next.moment - wall))
    let seconds = left > Self.lead && !isPreparing ? left - Self.lead : left
    return now + Duration(seconds: Double(seconds))
  }

  // MARK: The listener

  /// Postpones the ringing alarm. Returns the orders.
  public mutating func snooze(for duration: Duration, at now: MonotonicTime) -> [AlarmAction] {
    run?.isSnoozing == false ? run?.snooze(for: duration, at: now) ?? [] : []
  }

  /// Ends the ringing or postponed alarm. Returns the orders, with a report.
  public mutating func stop() -> [AlarmAction] { end(.stopped) }

  /// Ends the ringing alarm, because the listener chose other audio. Returns the orders.
  public mutating func replace() -> [AlarmAction] { end(.replaced) }

  // MARK: Time

  private mutating func follow(_ wall: Int64, at now: MonotonicTime) -> [AlarmAction] {
    if handled == .min { setHandled(wall - 1) }
    // A clock that was years ahead must not silence the alarms until then.
    if handled > wall + Self.maxStepBack { setHandled(wall) }
    if !isKnown { findNext() }
    guard let next else { return [] }
    if wall >= next.moment { return begin(schedule.last(after: next.moment, until: wall) ?? next, wall, at: now) }
    guard run == nil, (next.moment - wall <= Self.lead) != isPreparing else { return [] }
    isPreparing.toggle()
    return [isPreparing ? .prepare(next) : .cancel]
  }

  private mutating func findNext() {
    (next, isKnown) = (schedule.next(after: max(handled, run?.occurrence.moment ?? .min)), true)
  }

  private mutating func setHandled(_ moment: Int64) { (handled, isKnown) = (moment, false) }

  private mutating func begin(_ occurrence: AlarmOccurrence, _ wall: Int64, at now: MonotonicTime) -> [AlarmAction] {
    guard let alarm = alarm(of: occurrence) else { return [] }
    let earlier = run == nil ? [] : end(.overtaken)
    (isKnown, isPreparing) = (false, false)
    let late = wall - occurrence.moment
    guard late <= Self.grace else {
      setHandled(occurrence.moment)
      var report = AlarmReport(source: alarm.source, due: occurrence.moment)
      (report.lateSeconds, report.end) = (Int(clamping: late), .missed)
      return earlier + [.report(report)]
    }
    var run = AlarmRun(occurrence, alarm, late: late, at: now)
    let actions = run.begin(at: now)
    self.run = run
    return earlier + actions
  }

  private mutating func end(_ end: AlarmReport.End) -> [AlarmAction] {
    guard var run else { return [] }
    self.run = nil
    setHandled(max(handled, run.occurrence.moment))
    return run.end(end)
  }
}
