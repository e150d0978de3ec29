import Framing
import Units

/// Selects the titles to report and computes their stream times: the only place that suppresses repeated titles. A
/// value without a clock.
struct TitlePlacer {
  /// The last reported titles, the newest at the end.
  private var reported: [StationTitle] = []
  private var lastOfSegments: StationTitle?
  /// True if the last title came from tags of a container.
  private var isTitledByTags = false
  /// The artist at the start of the last ICY title.
  private var artist: String?
  private var last = StreamTime.zero
  /// True after the mark of an ad, until its end or a title.
  private var isInAd = false

  private static let maxReportedCount = 16

  /// Returns nil for the current title, a title that another segment repeats, and empty tags that clear nothing. A
  /// repeated title after an ad ends the ad.
  mutating func place(_ title: StationTitle, at time: StreamTime) -> NetNotice? {
    if let ad = title.ad {
      isInAd = ad != .end
      return .ad(ad, at: time)
    }
    let followsAd = isInAd && !title.text.isEmpty
    if followsAd { isInAd = false }
    return placeTitle(title, at: time) ?? (followsAd ? .ad(.end, at: time) : nil)
  }

  private mutating func placeTitle(_ title: StationTitle, at time: StreamTime) -> NetNotice? {
    switch title.origin {
    case .stream, .list: isTitledByTags = false
    case .tags:
      guard isTitledByTags || !title.text.isEmpty else { return nil }
      isTitledByTags = !title.text.isEmpty
    case .segment:
      guard title != lastOfSegments else { return nil }
      lastOfSegments = title
    }
    guard insertIfNew(title) else { return nil }
    last = max(last, time)
    return .title(text: title.text, url: title.url, isWhole: repeatsArtist(title), at: time)
  }

  /// True for an ICY title that starts with the artist of the previous title. Icecast sends the artist of an earlier
  /// update before each later title, so that this artist may be wrong.
  private mutating func repeatsArtist(_ title: StationTitle) -> Bool {
    let before = artist
    artist = title.origin == .stream ? TrackTitle.split(title.text).artist : nil
    return artist != nil && artist == before
  }

  /// Places a title that waited with its packets. Returns nil if already reported with an earlier copy of the packets.
  mutating func place(_ title: ReleasedTitle) -> NetNotice? {
    if title.isRepeated, title.title.ad != nil { return nil }
    if title.isRepeated, reported.contains(where: { $0.isEqual(to: title.title) }) { return nil }
    return place(title.title, at: title.at)
  }

  /// Places a title from outside the stream. `moment`: start in seconds since 1970; nil for the live title.
  /// `wall`: `now` in seconds since 1970. `delay`: seconds by which the stream lags behind the start times.
  mutating func place(
    beside title: ExternalTitle, of moment: Double?, on air: OnAir, delay: Double, at now: MonotonicTime, wall: Double
  ) -> NetNotice? {
    let text = StationTitle(artist: title.artist, track: title.track, url: title.url)
    guard insertIfNew(text) else { return nil }
    // The last packet was live when it arrived, except for the lag of a paused server.
    let silence = (now - air.lastData).seconds
    let onAir = wall - silence - air.lag
    let ahead = (moment ?? onAir + silence) + delay - onAir
    last = max(last, air.time + StreamTime(seconds: max(-1e6, min(1e6, ahead))))
    return .externalTitle(title, at: last)
  }

  /// Returns true if the title differs from the last one, and stores it.
  private mutating func insertIfNew(_ title: StationTitle) -> Bool {
    guard reported.last?.isEqual(to: title) != true else { return false }
    if reported.count == Self.maxReportedCount { reported.removeFirst() }
    reported.append(title)
    return true
  }
}

extension StationTitle {
  /// True if a listener reads the same.
  fileprivate func isEqual(to other: StationTitle) -> Bool { text == other.text && url == other.url }
}
