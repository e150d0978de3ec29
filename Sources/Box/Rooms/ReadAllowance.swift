import Units

/// How much may be read of a server that never stops talking: its longest message at once, and then so much in a second
/// that the work with it stays small.
struct ReadAllowance {
  private static let most = RoomMessage.longest
  private static let bytesPerSecond: Int64 = 131_072
  /// After so long everything may be read again.
  private static let longest = Duration(milliseconds: 10_000)

  private var bytes = ReadAllowance.most
  private var since: MonotonicTime

  init(at now: MonotonicTime) { since = now }

  /// So much was read.
  mutating func take(_ count: Int) { bytes -= count }

  /// When more may be read; `now` where it may be read at once.
  mutating func next(at now: MonotonicTime) -> MonotonicTime {
    let microseconds = max(.zero, min(Self.longest, now - since)).nanoseconds / 1_000
    let gained = Int(microseconds * Self.bytesPerSecond / 1_000_000)
    if gained > 0 { (bytes, since) = (min(Self.most, bytes + gained), now) }
    return bytes > 0 ? now : now + Duration(seconds: Double(1 - bytes) / Double(Self.bytesPerSecond))
  }
}
