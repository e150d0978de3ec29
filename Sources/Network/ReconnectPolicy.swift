import Units

/// When a lost connection is tried again (R4.1, R4.3): pure, so that a test can ask it about days.
struct ReconnectPolicy {
  /// Never two tries within this.
  static let shortest = MonotonicTime(milliseconds: 1_000)
  /// So much audio, and the schedule starts anew.
  static let proof = StreamTime(seconds: 10)

  private(set) var attempt = 0
  private var lastTry: MonotonicTime?
  private var noise: UInt64

  init(seed: UInt64) { noise = seed | 1 }

  /// A connection begins.
  mutating func tries(at now: MonotonicTime) { lastTry = now }

  /// Audio proved the connection good.
  mutating func succeeded() { attempt = 0 }

  /// The next try, counted: at once, then every second for two minutes, then further and further apart, up to 30 s;
  /// `atLeast` is what the server asked for.
  mutating func next(after now: MonotonicTime, atLeast: MonotonicTime = .zero) -> MonotonicTime {
    attempt += 1
    let earliest = lastTry.map { $0 + Self.shortest } ?? now
    let wanted = attempt == 1 ? now : (lastTry ?? now) + delay()
    return max(now + atLeast, max(now, max(earliest, wanted)))
  }

  private mutating func delay() -> MonotonicTime {
    guard attempt > 120 else { return Self.shortest }
    noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let jitter = Int64(noise >> 54)  // 0 ... 1,023 ms
    return MonotonicTime(milliseconds: min(30_000, Int64(attempt - 119) * 1_000) + jitter)
  }
}
