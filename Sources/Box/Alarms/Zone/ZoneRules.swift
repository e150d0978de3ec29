import Units

/// The offsets of a time zone from UTC (K3): the transitions of a file, and a rule for the time after them. A value
/// without a clock.
public struct ZoneRules: Equatable, Sendable {
  /// Coordinated Universal Time.
  public static let utc = ZoneRules(first: 0, transitions: [], rule: nil)

  /// A change of the offset.
  struct Transition: Equatable, Sendable {
    /// Seconds since 1970.
    var moment: Int64
    /// Seconds east of UTC from then on.
    var offset: Int
  }

  /// The offset before the first transition.
  private let first: Int
  private let transitions: [Transition]
  private let rule: ZoneRule?

  /// Maximum distance of an offset from UTC, in seconds.
  static let maxOffset = 26 * 3_600
  /// Moments beyond this distance from 1970, in seconds, count as the nearest moment within.
  private static let maxMoment: Int64 = 1 << 40

  init(first: Int, transitions: [Transition], rule: ZoneRule?) {
    (self.first, self.transitions, self.rule) = (first, transitions, rule)
  }

  /// Returns the offset at a moment, in seconds since 1970: seconds east of UTC.
  public func offset(at seconds: Int64) -> Int {
    let seconds = Self.clamped(seconds)
    guard let last = transitions.last else { return rule?.offset(at: seconds) ?? first }
    if seconds >= last.moment { return rule?.offset(at: seconds) ?? last.offset }
    let place = firstPlace(after: seconds)
    return place == 0 ? first : transitions[place - 1].offset
  }

  /// Returns the local time at a moment, in seconds since 1970.
  public func local(at seconds: Int64) -> LocalTime {
    LocalTime(shifted: Self.clamped(seconds) + Int64(offset(at: seconds)))
  }

  /// Returns the moment of a local time, in seconds since 1970: the first one if the time occurs twice, or the end of
  /// the gap if the zone skips the time.
  public func moment(of day: CalendarDay, hour: Int, minute: Int) -> Int64 {
    let local = Self.clamped(day.seconds) + Int64(hour) * 3_600 + Int64(minute) * 60
    // All changes that can concern the local time; more than one only for zones that changed twice within days.
    let window = Int64(Self.maxOffset)
    let start = local - window
    var found = local - Int64(offset(at: start))
    for change in changes(from: start, through: local + window) {
      if found < change.moment { return found }
      // The clock shows the time after the change for the first time, or the change skips the time.
      found = local - Int64(change.offset)
      if found < change.moment { return change.moment }
    }
    return found
  }

  /// Returns the changes of the offset within a range of moments.
  private func changes(from start: Int64, through end: Int64) -> [Transition] {
    var changes: [Transition] = []
    var place = firstPlace(after: start - 1)
    while place < transitions.count, transitions[place].moment <= end {
      changes.append(transitions[place])
      place += 1
    }
    if let rule {
      let last = transitions.last?.moment ?? .min
      changes += rule.changes(around: start).filter { $0.moment > last && (start...end).contains($0.moment) }
    }
    return changes
  }

  /// Returns the position of the first transition after a moment.
  private func firstPlace(after seconds: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].moment <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func clamped(_ seconds: Int64) -> Int64 { max(-maxMoment, min(maxMoment, seconds)) }
}
