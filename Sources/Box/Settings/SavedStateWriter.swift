import Units

/// Decides when a state is written: after a second without a change, so that stations passed by the knob are not
/// stored, and at most once in ten seconds, to reduce wear of the card. A change of the time alone is written once an
/// hour. Pure: the caller passes the time and writes the file.
public struct SavedStateWriter: Sendable {
  /// Minimum time between two writes.
  public static let interval = Duration(milliseconds: 10_000)
  /// Time without a change before a write. A value that changes continuously is written after `interval`.
  public static let rest = Duration(milliseconds: 1_000)
  /// Interval of writes for the time alone, in seconds.
  static let clockInterval: Int64 = 3_600

  private var written: SavedState?
  private var wanted: SavedState?
  private var earliest = MonotonicTime.zero
  /// `changed`: time of the last change. `since`: time at which the state first differed from the file.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero

  /// Creates a writer for a file with this content; nil if there is no usable file.
  public init(written: SavedState?) { self.written = written }

  /// The time at which `nextState` returns a state if nothing else happens; `never` if the file is up to date.
  public var due: MonotonicTime {
    isChanged ? max(earliest, min(changed + Self.rest, since + Self.interval)) : .never
  }

  /// Records the radio's state. Cheap, for every iteration.
  public mutating func update(_ state: SavedState, at now: MonotonicTime) {
    let wasChanged = isChanged
    if wanted?.isSame(as: state) != true { changed = now }
    wanted = state
    if !wasChanged { since = now }
  }

  /// Returns the state to write now, and treats it as written: the caller retries a failed write. Nil if none is due.
  public mutating func nextState(at now: MonotonicTime) -> SavedState? { now >= due ? settle(now) : nil }

  /// Returns the state to write before the end, without a delay; nil if the file is up to date.
  public mutating func lastState() -> SavedState? { wanted == written ? nil : settle(earliest) }

  private mutating func settle(_ now: MonotonicTime) -> SavedState? {
    written = wanted
    earliest = now + Self.interval
    return written
  }

  private var isChanged: Bool {
    guard let wanted else { return false }
    guard let written, wanted.isSame(as: written) else { return true }
    // In both directions, because a wrong clock may have been set back.
    return wanted.wallClock.subtractingReportingOverflow(written.wallClock).partialValue.magnitude >= Self.clockInterval
  }
}
