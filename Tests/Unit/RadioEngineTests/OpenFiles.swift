import Units

@testable import Blocks
@testable import Recordings

/// Files that are open at once, and are never written.
final class OpenFiles: FileWriting {
  let queue: UnsafePointer<FileQueue>
  private var reports: [UInt32: FileReport] = [:]

  init(_ queue: UnsafePointer<FileQueue>) { self.queue = queue }

  func open(_ file: UInt32, _ order: FileOrder) -> Bool {
    var report = FileReport()
    report.path = order.path
    reports[file] = report
    return true
  }

  func send() { queue.pointee.commit() }
  func requestRoomNotice() {}
  func waitForRoom(_ patience: Duration) {}
  func report(_ file: UInt32) -> FileReport { reports[file] ?? FileReport() }
  func removeReport(_ file: UInt32) { reports[file] = nil }
  func wait(_ file: UInt32, _ patience: Duration, until isSo: (FileReport) -> Bool) {}
  func finish(within patience: Duration) {}
}
