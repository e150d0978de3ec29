/// What was told of trouble that has not passed yet. A value.
struct Outage {
  /// Whether a try was told of, and not yet that audio comes.
  private(set) var isInDoubt = false
  /// Whether a network that is gone has been told of.
  private var hasToldNoNetwork = false
  /// Why the last connection failed that was tried beside a silent one.
  private var spareTrouble: PlaybackFault?

  /// Whether trouble that may pass is told: that there is no network is told once.
  mutating func tells(_ trouble: PlaybackFault) -> Bool {
    guard trouble.category == .noNetwork else { return true }
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
  mutating func spareFailed(_ trouble: PlaybackFault) { spareTrouble = trouble }

  /// Why the next one is tried; nil where the last one did not fail.
  mutating func takeSpareTrouble() -> PlaybackFault? {
    defer { spareTrouble = nil }
    return spareTrouble
  }

  /// The last try brought sound, or was called off: why others failed is no reason any more.
  mutating func forgetSpare() { spareTrouble = nil }
}
