import Units

/// Decides when a state is written. A change is written after a second without further changes, so that stations passed
/// by the knob are not stored. To reduce wear of the SD card, writes are at least ten seconds apart, and more than six
/// are a minute apart. A changed intent is written at once, because an owner may cut the power after pressing a key.
/// These writes are a second apart, and more than twenty a minute. If only the time changes, the state is written once
/// an hour. A value; the caller passes the time and writes the file.
public struct SavedStateWriter: Sendable {
  /// Minimum time between two writes.
  public static let interval = Duration(milliseconds: 10_000)
  /// Mean time between many writes.
  static let meanInterval = Duration(milliseconds: 60_000)
  /// Number of writes after a long rest that are only `interval` apart.
  static let burstCount = 6
  /// Number of changed intents written after a long rest, a second apart.
  private static let intentBurstCount = 20
  /// Time without a change before a write. A value that changes continuously is written after `interval`.
  public static let rest = Duration(milliseconds: 1_000)
  /// Interval of writes in seconds if only the time changes.
  static let clockInterval: Int64 = 3_600

  private var written: SavedState?
  private var wanted: SavedState?
  private var earliest = MonotonicTime.zero
  /// The earliest time to write a changed intent.
  private var earliestIntent = MonotonicTime.zero
  /// The times at which a full burst is allowed again.
  private var rested = MonotonicTime.zero
  private var restedIntent = MonotonicTime.zero
  /// `changed`: time of the last change. `since`: time at which the state first differed from the file.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero

  /// Creates a writer. `written`: the state in the file; nil if no usable file exists.
  public init(written: SavedState?) { self.written = written }

  /// The time at which `nextState` returns a state, if no other change occurs; `never` if the file is up to date.
  public var due: MonotonicTime {
    guard isChanged else { return .never }
    let usual = max(earliest, min(changed + Self.rest, since + Self.interval))
    return isIntentChanged ? min(usual, max(earliestIntent, since)) : usual
  }

  /// True if the radio must be in another state after a power cut.
  private var isIntentChanged: Bool {
    wanted?.intent != written?.intent || (wanted?.sleep == nil) != (written?.sleep == nil)
  }

  /// Records the radio's state. The call is cheap enough for each iteration of the main loop.
  public mutating func update(_ state: SavedState, at now: MonotonicTime) {
    let wasChanged = isChanged
    if wanted?.isSame(as: state) != true { changed = now }
    wanted = state
    if !wasChanged { since = now }
  }

  /// Returns the state to write now; nil if no write is due. The state then counts as written, so the caller must retry
  /// a failed write.
  public mutating func nextState(at now: MonotonicTime) -> SavedState? { now >= due ? settle(now) : nil }

  /// Returns the state to write before the program ends, without a delay; nil if the file is up to date.
  public mutating func lastState() -> SavedState? {
    defer { written = wanted }
    return wanted == written ? nil : wanted
  }

  private mutating func settle(_ now: MonotonicTime) -> SavedState? {
    if isIntentChanged {
      restedIntent = max(restedIntent, now) + Self.meanInterval
      earliestIntent = max(now + Self.rest, Self.end(ofBurst: Self.intentBurstCount, restedIntent))
    }
    written = wanted
    rested = max(rested, now) + Self.meanInterval
    earliest = max(now + Self.interval, Self.end(ofBurst: Self.burstCount, rested))
    return written
  }

  /// The time of the next write after a burst. `rested`: the time at which a full burst is allowed again.
  private static func end(ofBurst count: Int, _ rested: MonotonicTime) -> MonotonicTime {
    rested - Duration(nanoseconds: meanInterval.nanoseconds * Int64(count - 1))
  }

  private var isChanged: Bool {
    guard let wanted else { return false }
    guard let written, wanted.isSame(as: written) else { return true }
    // A time in the past also counts as a change, because a wrong clock may have been set back.
    return wanted.wallClock.subtractingReportingOverflow(written.wallClock).partialValue.magnitude >= Self.clockInterval
  }
}
