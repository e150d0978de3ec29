import Blocks
import System
import Units

/// Writes recordings on another thread. Each file has a number; its data goes through `queue`.
package protocol FileWriting: AnyObject {
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
