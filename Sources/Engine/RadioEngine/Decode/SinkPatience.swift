import Units

/// Decides how long the decode thread sleeps while the period ring is full: longer while the sink accepts nothing, as
/// with a pipe whose reader has stopped. A seek or another programme resets the time, because the ring is then emptied.
struct SinkPatience {
  private var taken = -1
  private var (epoch, seek): (UInt32, UInt32) = (0, 0)
  private var since = MonotonicTime.zero

  /// Time without progress after which the sink counts as stalled.
  private static let limit = Duration(milliseconds: 300)
  private static let standingRest = Duration(milliseconds: 50)
  /// Minimum sleep, while the ring contains only obsolete periods.
  private static let minRest = Duration(milliseconds: 1)

  /// Returns the sleep, at least `usual`, for the number of periods consumed so far and the current seek.
  mutating func rest(
    _ usual: Duration, taken: Int, of epoch: UInt32, after seek: UInt32, at now: MonotonicTime
  ) -> Duration {
    let usual = max(usual, Self.minRest)
    if taken != self.taken || epoch != self.epoch || seek != self.seek {
      self.taken = taken
      self.epoch = epoch
      self.seek = seek
      since = now
    }
    return now - since < Self.limit ? usual : max(usual, Self.standingRest)
  }
}
