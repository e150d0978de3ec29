import Units

/// How long the radio waits before it tries a broker again: from one second on, doubled each time, up to a minute.
struct RetryDelay {
  private static let longest = 60
  /// A connection that was open for so long was a good one.
  private static let proof = Duration(milliseconds: 10_000)

  private var seconds = 1

  /// The next wait, after a connection that was open for some time: after a good one the waits begin anew. A broker
  /// that said no is asked once a minute: somebody has to change something.
  mutating func next(after fault: BrokerFault, openFor length: Duration) -> Duration {
    if length >= Self.proof { seconds = 1 }
    if fault.isRefusal { seconds = Self.longest }
    defer { seconds = min(Self.longest, 2 * seconds) }
    return Duration(milliseconds: Int64(seconds) * 1_000)
  }
}
