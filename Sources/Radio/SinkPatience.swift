import Units

/// How long the decode thread rests while the period ring is full: as long as it likes while the sink takes sound, and
/// longer while it takes none, as a pipe does whose reader stands still.
struct SinkPatience {
  private var taken = -1
  private var since = MonotonicTime.zero

  /// A sink that took nothing for so long stands still.
  private static let limit = MonotonicTime(milliseconds: 300)
  private static let standingRest = MonotonicTime(milliseconds: 50)
  /// Where the ring is full of what nobody wants any more, there is room in a moment.
  private static let shortest = MonotonicTime(milliseconds: 1)

  /// The rest, `usual` or more, when so many periods have been taken out of the ring.
  mutating func rest(_ usual: MonotonicTime, taken: Int, at now: MonotonicTime) -> MonotonicTime {
    let usual = max(usual, Self.shortest)
    if taken != self.taken { (self.taken, since) = (taken, now) }
    return now - since < Self.limit ? usual : max(usual, Self.standingRest)
  }
}
