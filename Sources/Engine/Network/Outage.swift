/// What was told of faults that have not passed yet. A value.
struct Outage {
  /// Whether a try was told of, and not yet that audio comes.
  private(set) var isInDoubt = false
  /// Whether a network that is gone has been told of.
  private var hasToldNoNetwork = false
  /// Why the last connection failed that was tried beside a silent one.
  private var spareFault: PlaybackFault?

  /// Whether a fault that may pass is told: that there is no network is told once.
  mutating func tells(_ fault: PlaybackFault) -> Bool {
    guard fault.category == .noNetwork else { return true }
    defer { hasToldNoNetwork = true }
    return !hasToldNoNetwork
  }

  /// A try is told of, or a network that is gone.
  mutating func beginTry() { isInDoubt = true }

  /// It is told that audio comes; whether that had been in doubt.
  mutating func endDoubt() -> Bool {
    defer { isInDoubt = false }
    return isInDoubt
  }

  /// A packet came.
  mutating func hear() { hasToldNoNetwork = false }

  /// A connection beside a silent one failed.
  mutating func spareFailed(_ fault: PlaybackFault) { spareFault = fault }

  /// Why the next one is tried; nil where the last one did not fail.
  mutating func takeSpareFault() -> PlaybackFault? {
    defer { spareFault = nil }
    return spareFault
  }

  /// The last try brought sound, or was called off: why others failed is no reason any more.
  mutating func forgetSpare() { spareFault = nil }
}
