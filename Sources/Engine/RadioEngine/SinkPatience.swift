import Units

/// How long the decode thread rests while the period ring is full: as long as it likes while the sink takes sound, and
/// longer while it takes none, as a pipe does whose reader stands still. What is wanted instead is given time anew:
/// what fills the ring is dropped for it.
struct SinkPatience {
  private var taken = -1
  private var (epoch, seek): (UInt32, UInt32) = (0, 0)
  private var since = MonotonicTime.zero

  /// A sink that took nothing for so long stands still.
  private static let limit = Duration(milliseconds: 300)
  private static let standingRest = Duration(milliseconds: 50)
  /// Where the ring is full of what nobody wants any more, there is room in a moment.
  private static let shortest = Duration(milliseconds: 1)

  /// The rest, `usual` or more, when so many periods have been taken out of the ring, and a programme is decoded after
  /// a seek.
  mutating func rest(
    _ usual: Duration, taken: Int, of epoch: UInt32, after seek: UInt32, at now: MonotonicTime
  ) -> Duration {
    let usual = max(usual, Self.shortest)
    if taken != self.taken || epoch != self.epoch || seek != self.seek {
      (self.taken, self.epoch, self.seek, since) = (taken, epoch, seek, now)
    }
    return now - since < Self.limit ? usual : max(usual, Self.standingRest)
  }
}
