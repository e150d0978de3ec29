import Units

/// When a lost connection is tried again (R4.1, R4.3): pure, so that a test can ask it about days.
struct ReconnectPolicy: Hashable, Sendable {
  /// Never two tries within this.
  static let shortest = Duration(milliseconds: 1_000)
  /// So long it is tried that often, before the tries come further and further apart.
  static let eager = Duration(milliseconds: 120_000)
  /// The furthest apart.
  static let longest = Duration(milliseconds: 30_000)
  /// So much audio, and the schedule starts anew.
  static let proof = StreamTime(seconds: 10)

  /// So long a connection has to bring audio at least, not to count as a failed try.
  private static let leastAudio = Duration(milliseconds: 2_000)

  /// Whether a connection that lived so long and brought audio for so long was good for most of it, so that the eager
  /// tries begin anew though it proved nothing.
  static func wasGood(for audio: Duration, of life: Duration) -> Bool { audio >= leastAudio && audio + audio >= life }

  /// Tries planned since audio came.
  private(set) var attempt = 0
  private var lastTry: MonotonicTime?
  /// When the eager tries began, and how many came after them.
  private var start: MonotonicTime?
  private var lateCount: Int64 = 0
  private var noise: UInt64

  init(seed: UInt64) { noise = seed | 1 }

  /// A connection begins.
  mutating func tries(at now: MonotonicTime) { lastTry = now }

  /// Audio proved the connection good.
  mutating func succeeded() {
    attempt = 0
    hurry()
  }

  /// The eager tries begin anew: the network is not what it was.
  mutating func hurry() {
    start = nil
    lateCount = 0
  }

  /// The first moment at which a try is allowed.
  func soonest(after now: MonotonicTime) -> MonotonicTime { max(now, lastTry.map { $0 + Self.shortest } ?? now) }

  /// The next try, counted: at once, then every second for two minutes, then further and further apart, up to 30 s;
  /// `notBefore` is what the server asked for.
  mutating func next(after now: MonotonicTime, notBefore: MonotonicTime = .zero) -> MonotonicTime {
    attempt += 1
    let start = start ?? now
    self.start = start
    let soonest = max(notBefore, soonest(after: now))
    return now - start < Self.eager ? soonest : max(soonest, (lastTry ?? now) + lateDelay())
  }

  private mutating func lateDelay() -> Duration {
    lateCount = min(lateCount + 1, 60)
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let whole = min(Self.longest.nanoseconds, (lateCount + 1) * 1_000_000_000)
    // A tenth at most, so that the listeners of a station that fell over do not all come back at once.
    return Duration(nanoseconds: whole - whole / 10_240 * Int64(noise >> 54))
  }
}
