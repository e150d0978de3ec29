import Units

/// Limits the rate of titles: a file for each of many short titles makes no sense.
struct TitlePace {
  static let maxTitles = 10
  static let span = StreamTime(seconds: 10)

  private var latest: [StreamTime] = []

  /// Records a title; true if the limit is exceeded.
  mutating func isExceeded(by title: StreamTime) -> Bool {
    latest.append(title)
    guard latest.count > Self.maxTitles else { return false }
    return title - latest.removeFirst() < Self.span
  }
}
