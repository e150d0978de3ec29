import Units

/// How long the radio waits before it tries a broker again: from one second on, doubled each time, up to a minute.
struct RetryDelay {
  private static let longest = 60
  /// A connection that stood for so long was a good one.
  static let proof = Duration(milliseconds: 10_000)

  private var seconds = 1

  /// The next wait. A broker that said no is asked once a minute: somebody has to change something.
  mutating func next(after fault: BrokerFault) -> Duration {
    if fault.isRefusal { seconds = Self.longest }
    defer { seconds = min(Self.longest, 2 * seconds) }
    return Duration(milliseconds: Int64(seconds) * 1_000)
  }

  /// A connection was good: the waits begin anew.
  mutating func reset() { seconds = 1 }
}
