import Units

/// Limits reads from a server that sends without pause. At once, one message of the maximum length may be read; after
/// that, reads have a low rate.
struct ReadAllowance {
  private static let maxBytes = RoomMessage.maxLength
  private static let bytesPerSecond: Int64 = 131_072
  /// Maximum time that counts for a refill of the allowance.
  private static let refillTime = Duration(milliseconds: 10_000)

  private var bytes = ReadAllowance.maxBytes
  private var since: MonotonicTime

  init(at now: MonotonicTime) { since = now }

  mutating func consume(_ count: Int) { bytes -= count }

  /// Refills the allowance. Returns the time of the next read; `now` if reading is allowed at once.
  mutating func next(at now: MonotonicTime) -> MonotonicTime {
    let microseconds = max(.zero, min(Self.refillTime, now - since)).nanoseconds / 1_000
    let gained = Int(microseconds * Self.bytesPerSecond / 1_000_000)
    if gained > 0 { (bytes, since) = (min(Self.maxBytes, bytes + gained), now) }
    return bytes > 0 ? now : now + Duration(seconds: Double(1 - bytes) / Double(Self.bytesPerSecond))
  }
}
