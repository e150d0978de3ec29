/// One recording as its listener sees it: one take, or a take for each title.
struct RecordingSession {
  let order: RecordingOrder
  /// The file that grows, where there is one.
  var take: Take?
  /// Where each title has its own file: how many there are, and the title of the last.
  var (partCount, number) = (0, -1)
  /// What the complete ones have.
  var byteCount = 0
  var seconds = 0.0
  /// The path as it is told.
  var path: String

  init(_ order: RecordingOrder) { (self.order, path) = (order, order.path) }

  /// Why it ended.
  var failure: RecordingError?
  /// Whether it ends as soon as its file is complete.
  var isEnding = false
}
