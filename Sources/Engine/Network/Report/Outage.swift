/// The reported faults that have not passed yet. A value.
struct Outage {
  /// True after a try was reported, until audio is reported.
  private(set) var isInDoubt = false
  private var hasReportedNoNetwork = false
  private var spareFault: PlaybackFault?

  /// Returns true if a temporary fault must be reported; a missing network is reported once.
  mutating func shouldReport(_ fault: PlaybackFault) -> Bool {
    guard fault.category == .noNetwork else { return true }
    defer { hasReportedNoNetwork = true }
    return !hasReportedNoNetwork
  }

  mutating func beginTry() { isInDoubt = true }

  mutating func endDoubt() -> Bool {
    defer { isInDoubt = false }
    return isInDoubt
  }

  /// Records a packet: the next missing network is reported again.
  mutating func recordPacket() { hasReportedNoNetwork = false }

  mutating func spareFailed(_ fault: PlaybackFault) { spareFault = fault }

  mutating func removeSpareFault() -> PlaybackFault? {
    defer { spareFault = nil }
    return spareFault
  }

  mutating func clearSpareFault() { spareFault = nil }
}
