import Blocks
import System
import Units

struct FileReport: Sendable {
  /// The whole path; nil until the file is open.
  var path: String?
  var existing: ExistingRecording?
  /// Bytes added, without the existing ones.
  var byteCount = 0
  /// Free disk space above the reserve, in bytes; nil if unknown.
  var freeByteCount: Int?
  var failure: RecordingError?
  var isClosed = false

  var isOpen: Bool { path != nil && !isClosed }
}

/// Writes recordings on another thread. Each file has a number; its data goes through `queue`.
protocol FileWriting: AnyObject {
  var queue: UnsafePointer<FileQueue> { get }
  /// Queues a file to open; false if the queue is full.
  func open(_ file: UInt32, _ order: FileOrder) throws(ThreadError) -> Bool
  func send()
  func requestRoomNotice()
  /// Waits up to `patience` for a free slot; any file's report may end the wait early.
  func waitForRoom(_ patience: Duration)
  func report(_ file: UInt32) -> FileReport
  func removeReport(_ file: UInt32)
  func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool)
  /// Writes everything queued, then ends the thread. Abandons a thread that its disk blocks longer than `patience`.
  func finish(within patience: Duration)
}
