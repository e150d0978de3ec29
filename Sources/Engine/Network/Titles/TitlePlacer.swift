import Units

/// Selects the titles to report and computes their stream times. A value without a clock.
struct TitlePlacer {
  private var reported = TitleMemory()
  private var last = StreamTime.zero

  mutating func place(_ title: StationTitle, at time: StreamTime) -> NetNotice? {
    guard reported.insertIfNew(title) else { return nil }
    last = max(last, time)
    return .title(text: title.text, url: title.url, at: time)
  }

  /// Places a title that waited with its packets. Returns nil if already reported with an earlier copy of the packets.
  mutating func place(_ title: ReleasedTitle) -> NetNotice? {
    if title.isRepeated, reported.contains(title.title) { return nil }
    return place(title.title, at: title.at)
  }

  /// Places a title from outside the stream. `moment`: start in seconds since 1970; nil for the live title.
  /// `wall`: `now` in seconds since 1970. `delay`: seconds by which the stream lags behind the start times.
  mutating func place(
    beside title: ExternalTitle, of moment: Double?, on air: OnAir, delay: Double, at now: MonotonicTime, wall: Double
  ) -> NetNotice? {
    let text = StationTitle(text: (title.artist.map { $0 + " - " } ?? "") + title.track, url: title.url)
    guard reported.insertIfNew(text) else { return nil }
    // The last packet was live when it arrived, except for the lag of a paused server.
    let silence = (now - air.lastData).seconds
    let onAir = wall - silence - air.lag
    let ahead = (moment ?? onAir + silence) + delay - onAir
    last = max(last, air.time + StreamTime(seconds: max(-1e6, min(1e6, ahead))))
    return .externalTitle(title, at: last)
  }
}
