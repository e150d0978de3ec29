import Units

/// Maximum average rate at which a station's texts may be requested again: lists, and headers without audio.
enum ReceiveRate {
  private static let bytesPerSecond: Int64 = 256 << 10
  private static let maxDuration = Duration(milliseconds: 300_000)

  /// Returns the minimum time from a request for that many bytes to the next request, at most 5 min.
  static func duration(of byteCount: Int64) -> Duration {
    let count = max(0, min(byteCount, 1 << 40))
    return min(maxDuration, Duration(milliseconds: count * 1_000 / bytesPerSecond))
  }
}
