import Units

/// How fast one connection delivers, beside real time. A value: each moment is given by the caller.
struct DeliveryPace {
  /// When its first packet came.
  private(set) var firstPacket: MonotonicTime?
  private var lastPacket = MonotonicTime.zero
  private var leadBeforePause: StreamTime?
  /// How long we let the server wait, and since when we do.
  private var held = Duration.zero
  private var heldSince: MonotonicTime?

  /// So late a packet is on time.
  private static let leastLag = 0.1

  /// How much more was delivered than real time had room for, since the first packet: the server's burst, and more and
  /// more where a server sends as fast as it can.
  func lead(of delivered: StreamTime, at now: MonotonicTime) -> StreamTime {
    firstPacket.map { delivered - StreamTime(seconds: (now - $0).seconds) } ?? .zero
  }

  /// A packet came.
  mutating func mark(_ delivered: StreamTime, at now: MonotonicTime) {
    firstPacket = firstPacket ?? now
    lastPacket = now
    if lag(of: delivered) <= Self.leastLag { leadBeforePause = nil }
  }

  /// The server has to wait, behind what came until `now`.
  mutating func hold(_ delivered: StreamTime, at now: MonotonicTime) {
    leadBeforePause = leadBeforePause ?? lead(of: delivered, at: lastPacket)
    heldSince = heldSince ?? now
  }

  /// Bytes are taken.
  mutating func flow(at now: MonotonicTime) {
    if let heldSince { held = held + (now - heldSince) }
    heldSince = nil
  }

  /// How long the server needed for what came behind the first packet while we did not let it wait.
  func flowingTime(at now: MonotonicTime) -> Duration {
    guard let firstPacket else { return .zero }
    let holding = heldSince.map { max(.zero, now - $0) } ?? .zero
    return max(.zero, now - firstPacket - held - holding)
  }

  /// Seconds by which the last packet came late because we had let the server wait.
  func lag(of delivered: StreamTime) -> Double {
    leadBeforePause.map { max(0, ($0 - lead(of: delivered, at: lastPacket)).seconds) } ?? 0
  }
}
