import Units

/// Limits wrong passwords within an hour: 10 from an address, and 100 from all addresses. Known devices, which have the
/// cookie of an earlier session, have a share of 20, so that strangers cannot lock out the owner.
struct LoginGuard {
  struct Caller: Equatable {
    /// The address group that counts as one visitor (`AddressGroup`).
    let group: String
    /// True for a device with the cookie of an earlier session.
    let isKnown: Bool
  }

  private struct Failure {
    let caller: Caller
    let time: MonotonicTime
  }

  private var failures: [Failure] = []

  static let maxPerAddress = 10
  static let maxCount = 100
  static let maxKnown = 20
  private static let window = Duration(milliseconds: 3_600_000)

  init() {}

  /// Seconds until the caller's next attempt; nil if allowed now.
  mutating func wait(_ caller: Caller, at now: MonotonicTime) -> Int? {
    failures.removeAll { now - $0.time >= Self.window }
    let ends =
      caller.isKnown
      ? [end(Self.maxKnown) { $0.isKnown }]
      : [
        end(Self.maxPerAddress) { !$0.isKnown && $0.group == caller.group },
        end(Self.maxCount) { !$0.isKnown },
      ]
    return ends.compactMap(\.self).max().map { max(1, Int(($0 - now).seconds.rounded(.up))) }
  }

  /// The time at which fewer than `most` failures of these callers count; nil if that is so now.
  private func end(_ most: Int, _ counts: (Caller) -> Bool) -> MonotonicTime? {
    let counted = failures.filter { counts($0.caller) }
    return counted.count >= most ? counted[counted.count - most].time + Self.window : nil
  }

  mutating func fail(_ caller: Caller, at now: MonotonicTime) { failures.append(Failure(caller: caller, time: now)) }
}
