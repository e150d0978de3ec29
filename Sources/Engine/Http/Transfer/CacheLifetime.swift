import Units

/// Time for which a response may be reused, from `Cache-Control` and `Expires` (RFC 9111, 4.2.1).
struct CacheLifetime: Equatable {
  /// Maximum time in seconds: one hour.
  private static let most: Int64 = 3_600

  /// Seconds; nil if the headers state no time.
  private(set) var seconds: Int64?
  private var hasDirective = false
  private var expires: Int64?
  private var isExpired = false

  mutating func store(cacheControl value: String) {
    for part in value.lowercased().split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      let name = pair.first?.split(separator: " ").first
      switch name {
      case "no-store", "no-cache": (seconds, hasDirective) = (0, true)
      case "max-age":
        let digits = pair.count < 2 ? "" : pair[1].filter { $0 != " " && $0 != "\"" }
        let age = HttpHead.count(digits).map { min($0, Self.most) } ?? 0
        (seconds, hasDirective) = (min(seconds ?? age, age), true)
      default: break
      }
    }
  }

  /// `moment`: seconds since 1970; nil for an invalid date, which means "expired".
  mutating func store(expires moment: Int64?) { (expires, isExpired) = (moment, moment == nil) }

  /// Returns the time for a redirect with this status. `date`: time of the response in seconds since 1970; nil if
  /// unknown. A temporary redirect without a stated time may be reused for a minute, a permanent one for an hour.
  func redirectDuration(status: Int, date: Int64?) -> Duration {
    if hasDirective { return Duration(seconds: Double(seconds ?? 0)) }
    if isExpired { return .zero }
    if let expires, let date { return Duration(seconds: Double(max(0, min(Self.most, expires - date)))) }
    return Duration(seconds: Double(status == 301 || status == 308 ? Self.most : 60))
  }
}
