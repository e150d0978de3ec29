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
