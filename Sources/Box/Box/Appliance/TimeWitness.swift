import Units

/// The times of day that servers proved by TLS: two servers of different owners replace a time server (D14). A value.
struct TimeWitness {
  private struct Report {
    let domain: String
    /// Seconds since 1970 at the monotonic time zero, by this server.
    let origin: Double
    let received: MonotonicTime
  }

  /// One report for each domain, oldest first.
  private var reports: [Report] = []

  /// Difference in seconds up to which a server and the clock agree.
  static let tolerance = 300.0
  /// Time for which a report counts.
  static let lifetime = Duration(milliseconds: 600_000)
  private static let maxReports = 16

  /// Records a time, in place of the earlier report of its domain. Ignores hosts without a domain.
  mutating func record(_ time: ServerTime) {
    guard let domain = Self.domain(of: time.host) else { return }
    reports.removeAll { $0.domain == domain }
    if reports.count == Self.maxReports { reports.removeFirst() }
    let origin = Double(time.seconds) - time.received.seconds
    reports.append(Report(domain: domain, origin: origin, received: time.received))
  }

  /// Returns true if two domains agree with the clock. `wall`: the clock's time, in seconds since 1970.
  func confirms(_ wall: Double, at now: MonotonicTime) -> Bool {
    let agreeing = reports.filter { report in
      let age = now - report.received
      return age >= .zero && age <= Self.lifetime && abs(report.origin + now.seconds - wall) <= Self.tolerance
    }
    return agreeing.count >= 2
  }

  /// Returns the last two labels of a host; nil for an address or a single label.
  ///
  /// Hosts of one owner always share these labels. Owners below a suffix such as "co.uk" share them too, and count
  /// once: an error on the safe side.
  private static func domain(of host: String) -> String? {
    let labels = host.lowercased().split(separator: ".")
    guard labels.count >= 2, !host.contains(":"), let top = labels.last, !top.utf8.allSatisfy({ $0 < 0x3A }) else {
      return nil
    }
    return labels.suffix(2).joined(separator: ".")
  }
}
