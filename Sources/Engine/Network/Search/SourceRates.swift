import Units

/// The known bit rates of a programme's addresses and variants, and the choice of a lower one (F6). A value; the caller
/// passes the time.
struct SourceRates {
  private var rates: [StationAddress: Int] = [:]
  /// Addresses that failed, with the time.
  private var failures: [StationAddress: MonotonicTime] = [:]
  private static let maxCount = 64
  /// Share of a line that a source may need.
  private static let maxShare = 0.95

  subscript(_ url: StationAddress) -> Int? { rates[url] }

  /// True if a bit rate is lower by more than an error of measurement.
  static func isLower(_ rate: Int, than limit: Int) -> Bool { Double(rate) < Double(limit) * maxShare }

  /// Records a bit rate in bit/s.
  mutating func record(_ rate: Int?, of url: StationAddress) {
    guard let rate, rate > 0 else { return }
    if rates.count >= Self.maxCount, rates[url] == nil { rates = [:] }
    rates[url] = rate
  }

  /// Records that an address did not play. Only `BandwidthRule.returnInterval` later the address is chosen again.
  mutating func recordFailure(of url: StationAddress, at now: MonotonicTime) {
    if failures.count >= Self.maxCount { failures = [:] }
    failures[url] = now
  }

  /// Returns the source for a slow line: the highest bit rate below `limit` that the line allows, else the lowest. An
  /// address with an unknown bit rate is the last choice. `line`: bit/s that the line allows; nil if unknown.
  func lower(
    than limit: Int?, line: Double?, among others: [Candidates.Candidate], at now: MonotonicTime
  ) -> Candidates.Candidate? {
    let usable = others.filter { other in
      failures[other.address.url].map { now - $0 >= BandwidthRule.returnInterval } ?? true
    }
    let lower = usable.filter { other in
      guard let rate = rates[other.address.url], let limit else { return false }
      return Self.isLower(rate, than: limit)
    }
    let sorted = lower.sorted { rates[$0.address.url, default: 0] > rates[$1.address.url, default: 0] }
    let fitting = sorted.first { other in
      line.map { Double(rates[other.address.url, default: 0]) <= $0 * Self.maxShare } ?? true
    }
    return fitting ?? sorted.last ?? usable.first { rates[$0.address.url] == nil }
  }
}
