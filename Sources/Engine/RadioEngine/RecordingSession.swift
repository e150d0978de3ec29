import Units

/// One recording as its listener sees it: one segment, or one for each title.
struct RecordingSession {
  let order: RecordingOrder
  /// The file that grows, where there is one.
  var segment: RecordingSegment?
  /// Where each title has its own file: how many there are, and the title of the last.
  var (partCount, number) = (0, -1)
  private var pace = TitlePace()
  /// What the complete ones have.
  var byteCount = 0
  var seconds = 0.0
  /// The path as it is told.
  var path: String

  init(_ order: RecordingOrder) { (self.order, path) = (order, order.path) }

  /// Whether a title that begins at a moment of the programme comes too soon after those before it for a file of its
  /// own.
  mutating func isFlooded(by title: StreamTime) -> Bool { pace.isExceeded(by: title) }

  /// Why it ended.
  var failure: RecordingError?
  /// Whether it ends as soon as its file is complete.
  var isEnding = false
}

/// How fast titles follow each other: no song is so short that a file for each of them makes sense.
struct TitlePace {
  /// More titles than this within `span` are a flood.
  static let most = 10
  static let span = StreamTime(seconds: 10)

  private var latest: [StreamTime] = []

  /// Notes a title that begins at a moment; whether it and those before it are a flood.
  mutating func isExceeded(by title: StreamTime) -> Bool {
    latest.append(title)
    guard latest.count > Self.most else { return false }
    return title - latest.removeFirst() < Self.span
  }
}
