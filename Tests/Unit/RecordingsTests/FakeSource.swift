import Units

@testable import Blocks
@testable import Recordings

/// A ring without a net thread. The clock stands still until the test moves it.
final class FakeSource: RecordingSource {
  var now = MonotonicTime(milliseconds: 1_000_000)
  let ring: UnsafePointer<BlockRing>
  let files: FakeFiles
  private let arena: Arena
  private var isRecorded: Bool?

  init() throws {
    arena = try Arena(MemoryBudget(blockCount: BlockPool.minCount).total)
    ring = BlockRing.make(blockCount: BlockPool.minCount, in: arena)
    files = FakeFiles(FileQueue.make(in: arena))
  }

  var blocks: BlockStatistics { ring.pointee.statistics }

  func receiveForRecording(_ isRecorded: Bool) { self.isRecorded = isRecorded }

  /// The last order of `receiveForRecording` since the last call; nil without one.
  func takeOrder() -> Bool? {
    defer { isRecorded = nil }
    return isRecorded
  }
}
