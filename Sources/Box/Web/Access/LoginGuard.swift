import Units

/// Limits wrong passwords within an hour: 10 from an IPv4 address or the 64 bits of an IPv6 network, and 50 from all
/// addresses. A device with the cookie of an earlier session has 10 more, so that strangers cannot lock out the owner.
struct LoginGuard {
  struct Caller: Equatable {
    /// The network that counts as one visitor (`AddressGroup.network`).
    let network: String
    /// The cookie of an earlier session; nil for a stranger.
    let device: String?
  }

  private struct Failure {
    let network: String
    /// The device whose share the failure counts against; nil for the share of strangers.
    let device: String?
    let time: MonotonicTime
  }

  private var failures: [Failure] = []

  static let maxPerAddress = 10
  static let maxCount = 50
  static let maxPerDevice = 10
  private static let window = Duration(milliseconds: 3_600_000)

  init() {}

  /// Seconds until the caller's next attempt; nil if allowed now.
  mutating func wait(_ caller: Caller, at now: MonotonicTime) -> Int? {
    failures.removeAll { now - $0.time >= Self.window }
    if hasShare(caller) { return nil }
    let ends = [
      end(Self.maxPerAddress) { $0.device == nil && $0.network == caller.network },
      end(Self.maxCount) { $0.device == nil },
    ]
    return ends.compactMap(\.self).max().map { max(1, Int(($0 - now).seconds.rounded(.up))) }
  }

  /// Returns true if a known device has attempts of its own left.
  private func hasShare(_ caller: Caller) -> Bool {
    guard let device = caller.device else { return false }
    return failures.count { $0.device == device } < Self.maxPerDevice
  }

  /// The time at which fewer than `most` of these failures count; nil if fewer count now.
  private func end(_ most: Int, _ counts: (Failure) -> Bool) -> MonotonicTime? {
    let counted = failures.filter(counts)
    return counted.count >= most ? counted[counted.count - most].time + Self.window : nil
  }

  mutating func fail(_ caller: Caller, at now: MonotonicTime) {
    failures.append(Failure(network: caller.network, device: hasShare(caller) ? caller.device : nil, time: now))
  }
}
