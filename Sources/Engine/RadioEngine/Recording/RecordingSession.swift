import Units

/// One recording for the listener: one segment, or one per title.
struct RecordingSession {
  let order: RecordingOrder
  var segment: RecordingSegment?
  /// For a split recording: number of files, and number of the last title.
  var (partCount, number) = (0, -1)
  private var pace = TitlePace()
  /// Bytes of the completed files.
  var byteCount = 0
  var seconds = 0.0
  var path: String

  init(_ order: RecordingOrder) { (self.order, path) = (order, order.path) }

  /// True if a title follows too soon after others for a file of its own.
  mutating func isFlooded(by title: StreamTime) -> Bool { pace.isExceeded(by: title) }

  var failure: RecordingError?
  /// True if the recording ends after the current file.
  var isEnding = false
}

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
