import Units

/// Which of a programme's titles are told, and at which place of the stream each begins. A value without a clock.
struct TitlePlacer {
  private var told = TitleMemory()
  /// Where the last title was placed.
  private var last = StreamTime.zero

  /// A title in the stream, which begins at `time`; nil where it is the one told last.
  mutating func place(_ title: StationTitle, at time: StreamTime) -> NetNotice? {
    guard told.isNew(title) else { return nil }
    last = max(last, time)
    return .title(text: title.text, url: title.url, at: time)
  }

  /// A title that stood in packets which waited for their place; nil where it was told when these packets came first.
  mutating func place(_ title: ReleasedTitle) -> NetNotice? {
    if title.isRepeated, told.knows(title.title) { return nil }
    return place(title.title, at: title.at)
  }

  /// A title that was told beside the stream; nil where it is the one told last.
  ///
  /// - Parameters:
  ///   - moment: When it begins, in seconds since 1970; nil: it belongs to what is on the air now.
  ///   - delay: Seconds that the stream is behind the times that are told.
  ///   - wall: `now` in seconds since 1970.
  mutating func place(
    beside title: ExternalTitle, of moment: Double?, on air: OnAir, delay: Double, at now: MonotonicTime, wall: Double
  ) -> NetNotice? {
    let text = StationTitle(text: (title.artist.map { $0 + " - " } ?? "") + title.track, url: title.url)
    guard told.isNew(text) else { return nil }
    // What came last was on the air when it came, unless the server was made to wait.
    let silence = (now - air.lastData).seconds
    let onAir = wall - silence - air.lag
    let ahead = (moment ?? onAir + silence) + delay - onAir
    last = max(last, air.time + StreamTime(seconds: max(-1e6, min(1e6, ahead))))
    return .externalTitle(title, at: last)
  }
}
