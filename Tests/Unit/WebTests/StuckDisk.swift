import Foundation
import System

@testable import Web

/// A disk that delivers no byte until `free`.
final class StuckDisk: Sendable {
  private let condition = NSCondition()
  private nonisolated(unsafe) var isFree = false
  private nonisolated(unsafe) var count = 0

  /// Number of reads that wait for the disk.
  var readingCount: Int { condition.withLock { count } }

  func free() {
    condition.withLock {
      isFree = true
      condition.broadcast()
    }
  }

  func read(_ file: PassedFile, _ offset: Int, _ room: UnsafeMutableRawBufferPointer) -> Int? {
    condition.withLock {
      count += 1
      while !isFree { condition.wait() }
      count -= 1
    }
    return file.read(at: offset, into: room)
  }
}
