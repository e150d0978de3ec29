import Blocks
import System
import Units

/// How a file fares that is being written.
struct FileReport: Sendable {
  /// Its whole path, once it is open.
  var path: String?
  /// What was in it before.
  var existing: ExistingRecording?
  /// Bytes added so far.
  var byteCount = 0
  /// Bytes that it may still take.
  var freeByteCount: Int?
  /// Why it ended by itself.
  var failure: RecordingError?
  /// Whether nothing more becomes of it.
  var isClosed = false

  /// Whether it can be written to.
  var isOpen: Bool { path != nil && !isClosed }
}

/// What brings recordings to the disk behind the control thread's back. Files have numbers; what is to be written goes
/// through `queue`.
protocol FileWriting: AnyObject {
  /// What is on its way to the files.
  var queue: UnsafePointer<FileQueue> { get }
  /// Sends for a file; false where the queue is full.
  func open(_ file: UInt32, _ order: FileOrder) throws(ThreadError) -> Bool
  /// Sends the slot that was claimed last.
  func send()
  /// Asks to be called when there is a slot again.
  func awaitRoom()
  /// Waits for a slot, or for so long.
  func waitForRoom(_ patience: Duration)
  /// How a file fares.
  func report(_ file: UInt32) -> FileReport
  /// Forgets a file that is closed.
  func forget(_ file: UInt32)
  /// Waits until something is so of a file, or for so long.
  func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool)
  /// Lets what was sent be written, and ends; for so long at most.
  func finish(within patience: Duration)
}
