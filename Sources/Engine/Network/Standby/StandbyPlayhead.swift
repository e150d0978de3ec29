import Units

/// The position of a listener who would hear a standby programme. A value; the caller passes the time.
struct StandbyPlayhead {
  private var start: (moment: MonotonicTime, time: StreamTime)?

  /// Additional distance from the newest audio, so that playback starts at once if a packet is late.
  static let margin = StreamTime(seconds: 0.5)

  /// Starts at a position of a programme that was heard so far.
  init(at time: StreamTime, now: MonotonicTime) { start = (now, time) }

  init() {}

  /// Returns the position; nil before `goal` and the margin are buffered. The position moves in real time, and remains
  /// before the last `goal` of the audio. `oldest`, `newest`: ends of the buffered audio.
  mutating func position(from oldest: StreamTime, to newest: StreamTime, goal: StreamTime, at now: MonotonicTime)
    -> StreamTime?
  {
    let latest = newest - goal - Self.margin
    guard let start else {
      guard latest >= oldest else { return nil }
      self.start = (now, oldest)
      return oldest
    }
    let time = max(oldest, start.time + StreamTime(seconds: (now - start.moment).seconds))
    guard time > latest else { return time }
    // Late audio delays the listener.
    let delayed = max(oldest, min(time, latest))
    self.start = (now, delayed)
    return delayed
  }
}
