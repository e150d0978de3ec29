import Units

/// The delay before the next connection to a broker: one second, doubled after each delay, up to a minute.
struct RetryDelay {
  private static let maxDelay = 60
  /// Minimum duration of a connection that resets the delay.
  private static let proof = Duration(milliseconds: 10_000)

  private var seconds = 1

  /// Returns the next delay. The delay is a minute after a refusal, because the owner must first change the broker or
  /// the settings.
  mutating func next(after fault: BrokerFault, openFor length: Duration) -> Duration {
    if length >= Self.proof { seconds = 1 }
    if fault.isRefusal { seconds = Self.maxDelay }
    defer { seconds = min(Self.maxDelay, 2 * seconds) }
    return Duration(milliseconds: Int64(seconds) * 1_000)
  }
}
