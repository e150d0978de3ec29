import Units

/// How often an HLS station is asked for something, whatever its lists say (H7). A value: each moment is given.
struct RequestPace: Hashable, Sendable {
  /// So many requests may be made at once; from then on, one in each interval.
  private static let burst: Int64 = 8
  /// So long is an interval, in nanoseconds.
  private static let interval: Int64 = 320_000_000

  /// When as many requests as were made would have been, one in each interval.
  private var paid = MonotonicTime.zero

  /// Nothing was asked for yet.
  init() {}

  /// When the next request may be made.
  var next: MonotonicTime { paid - Duration(nanoseconds: Self.interval * (Self.burst - 1)) }

  /// Counts requests that were made.
  mutating func count(_ requests: Int, at now: MonotonicTime) {
    paid = max(paid, now) + Duration(nanoseconds: Self.interval * Int64(requests))
  }
}
