import Units

/// Limits reads from a server that sends without pause: first its longest message, then a low rate.
struct ReadAllowance {
  private static let maxBytes = RoomMessage.maxLength
  private static let bytesPerSecond: Int64 = 131_072
  /// Time after which the full allowance is restored.
  private static let refillTime = Duration(milliseconds: 10_000)

  private var bytes = ReadAllowance.maxBytes
  private var since: MonotonicTime

  init(at now: MonotonicTime) { since = now }

  mutating func consume(_ count: Int) { bytes -= count }

  /// Time at which more may be read; `now` if at once.
  mutating func next(at now: MonotonicTime) -> MonotonicTime {
    let microseconds = max(.zero, min(Self.refillTime, now - since)).nanoseconds / 1_000
    let gained = Int(microseconds * Self.bytesPerSecond / 1_000_000)
    if gained > 0 { (bytes, since) = (min(Self.maxBytes, bytes + gained), now) }
    return bytes > 0 ? now : now + Duration(seconds: Double(1 - bytes) / Double(Self.bytesPerSecond))
  }
}
