import Units

/// Limits the rate of requests to an HLS station, whatever its lists say (H7). A value; the caller passes the time.
struct RequestPace: Hashable, Sendable {
  /// Requests permitted at once; after that, one in each interval.
  static let burst = 8
  /// In nanoseconds.
  private static let interval: Int64 = 320_000_000

  /// Time when the past requests would have been made at one request per interval.
  private var paid = MonotonicTime.zero

  init() {}

  var next: MonotonicTime { paid - Duration(nanoseconds: Self.interval * Int64(Self.burst - 1)) }

  /// Returns `next` after more requests.
  func next(after requests: Int, at now: MonotonicTime) -> MonotonicTime {
    var later = self
    later.count(requests, at: now)
    return later.next
  }

  mutating func count(_ requests: Int, at now: MonotonicTime) {
    paid = max(paid, now) + Duration(nanoseconds: Self.interval * Int64(requests))
  }
}
