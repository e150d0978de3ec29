import Units

/// Decides when a state is written: once a change has stood for a second, so that no station which the knob passes is
/// kept, and no more than once in ten seconds, since a card wears out.
///
/// Pure: it is told the moment, and others do the writing. The time alone is worth a write once an hour.
public struct SavedStateWriter: Sendable {
  /// No two writes are closer.
  public static let interval = Duration(milliseconds: 10_000)
  /// A change that stood so long is meant; one that never comes to rest is written after `interval`.
  public static let rest = Duration(milliseconds: 1_000)
  /// The time as it goes by is kept this often, in seconds.
  static let clockInterval: Int64 = 3_600

  /// What is on the disk, as far as is known.
  private var written: SavedState?
  private var wanted: SavedState?
  private var earliest = MonotonicTime.zero
  /// When what is wanted changed last, and when it began to differ from what is written.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero

  /// A writer that knows what is on the disk; nil: nothing that could be used.
  public init(written: SavedState?) { self.written = written }

  /// When `take` gives something, if nothing else happens; `never` where all is written.
  public var due: MonotonicTime {
    isChanged ? max(earliest, min(changed + Self.rest, since + Self.interval)) : .never
  }

  /// Tells it the state of the radio; as often as one likes.
  public mutating func note(_ state: SavedState, at now: MonotonicTime) {
    let wasChanged = isChanged
    if wanted?.isSame(as: state) != true { changed = now }
    wanted = state
    if !wasChanged { since = now }
  }

  /// The state to be written now, which counts as written: whoever takes it tries again where that fails. Nil where
  /// nothing is due.
  public mutating func take(at now: MonotonicTime) -> SavedState? { now >= due ? settle(now) : nil }

  /// The state to be written before the radio ends, whatever the clock says; nil where all is written.
  public mutating func takeLast() -> SavedState? { wanted == written ? nil : settle(earliest) }

  private mutating func settle(_ now: MonotonicTime) -> SavedState? {
    written = wanted
    earliest = now + Self.interval
    return written
  }

  private var isChanged: Bool {
    guard let wanted else { return false }
    guard let written, wanted.isSame(as: written) else { return true }
    // Either way: a clock that was wrong may have been set back.
    return wanted.wallClock.subtractingReportingOverflow(written.wallClock).partialValue.magnitude >= Self.clockInterval
  }
}
