import Units

/// The pace of a connection compared to real time. A value; the caller passes the current time.
struct DeliveryPace {
  private(set) var firstPacket: MonotonicTime?
  private var lastPacket = MonotonicTime.zero
  private var leadBeforePause: StreamTime?
  /// Total time of past pauses of the server, and start of the current pause.
  private var totalPause = Duration.zero
  private var pauseStart: MonotonicTime?

  /// Maximum delay, in seconds, of a packet that counts as on time.
  private static let minLag = 0.1

  /// Audio delivered in excess of real time since the first packet: the burst. It has no limit if the server sends at
  /// full speed.
  func lead(of delivered: StreamTime, at now: MonotonicTime) -> StreamTime {
    firstPacket.map { delivered - StreamTime(seconds: (now - $0).seconds) } ?? .zero
  }

  mutating func mark(_ delivered: StreamTime, at now: MonotonicTime) {
    firstPacket = firstPacket ?? now
    lastPacket = now
    if lag(of: delivered) <= Self.minLag { leadBeforePause = nil }
  }

  mutating func pause(_ delivered: StreamTime, at now: MonotonicTime) {
    leadBeforePause = leadBeforePause ?? lead(of: delivered, at: lastPacket)
    pauseStart = pauseStart ?? now
  }

  mutating func resume(at now: MonotonicTime) {
    if let pauseStart { totalPause = totalPause + (now - pauseStart) }
    pauseStart = nil
  }

  /// Time from the first packet to `now`, without pauses of the server.
  func flowingTime(at now: MonotonicTime) -> Duration {
    guard let firstPacket else { return .zero }
    let holding = pauseStart.map { max(.zero, now - $0) } ?? .zero
    return max(.zero, now - firstPacket - totalPause - holding)
  }

  /// Seconds by which the last packet arrived late because its server had been paused.
  func lag(of delivered: StreamTime) -> Double {
    leadBeforePause.map { max(0, ($0 - lead(of: delivered, at: lastPacket)).seconds) } ?? 0
  }
}
