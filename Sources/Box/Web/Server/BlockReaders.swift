import System
import Units

/// Reads blocks of files on at most four threads, because a disk may stall. Further blocks wait in a queue. A thread
/// without a block ends after 2 s.
final class BlockReaders: Sendable {
  /// Copies bytes at an offset into the buffer; returns their number, nil at the end of the file.
  typealias Read = @Sendable (PassedFile, _ offset: Int, UnsafeMutableRawBufferPointer) -> Int?

  /// A part of a file that is being read.
  final class Block: Sendable {
    let file: PassedFile
    let part: Range<Int>
    private let read = Locked<[UInt8]?>(nil)

    init(_ file: PassedFile, _ part: Range<Int>) { (self.file, self.part) = (file, part) }

    /// The bytes of the part; nil until the read ends, empty after a failure.
    var bytes: [UInt8]? { read.withLock { $0 } }

    fileprivate func finish(_ bytes: [UInt8]) { read.withLock { $0 = bytes } }
  }

  private struct Queue {
    var waiting: [Block] = []
    var threadCount = 0
    var idleCount = 0
  }

  static let maxThreadCount = 4
  private static let idlePatience = Duration(milliseconds: 2_000)

  /// Raised after each read.
  let finished = SharedWakeFlag()
  private let queue = Locked(Queue())
  private let wake = WakeFlag()
  private let clock: Clock
  private let read: Read

  init(_ clock: Clock, _ read: @escaping Read) { (self.clock, self.read) = (clock, read) }

  /// Appends a block to the queue. The block is empty if the kernel refuses a thread.
  func submit(_ block: Block) {
    let needsThread = queue.withLock { queue in
      queue.waiting.append(block)
      guard queue.idleCount < queue.waiting.count, queue.threadCount < Self.maxThreadCount else { return false }
      queue.threadCount += 1
      return true
    }
    wake.raise()
    guard needsThread, !OwnedThread.detach("download", { self.run() }) else { return }
    let stranded = queue.withLock { queue in
      queue.threadCount -= 1
      guard queue.threadCount == 0 else { return [Block]() }
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for block in stranded { block.finish([]) }
    finished.flag.raise()
  }

  /// Removes a block from the queue; no effect if a thread already reads the block.
  func cancel(_ block: Block) { queue.withLock { queue in queue.waiting.removeAll { $0 === block } } }

  private func run() {
    while let block = next() {
      let bytes = [UInt8](unsafeUninitializedCapacity: block.part.count) { room, count in
        count = read(block.file, block.part.lowerBound, UnsafeMutableRawBufferPointer(room)) ?? 0
      }
      block.finish(bytes)
      finished.flag.raise()
    }
  }

  /// Removes the oldest block, and waits for one if the queue is empty. Returns nil if the thread must end.
  private func next() -> Block? {
    var (isIdle, isLate) = (false, false)
    while true {
      let (block, isMore) = queue.withLock { queue -> (Block?, Bool) in
        if isIdle { queue.idleCount -= 1 }
        if !queue.waiting.isEmpty { return (queue.waiting.removeFirst(), !queue.waiting.isEmpty) }
        if isLate { queue.threadCount -= 1 } else { queue.idleCount += 1 }
        return (nil, false)
      }
      // One wait may clear the flag for several blocks.
      if isMore { wake.raise() }
      if block != nil || isLate { return block }
      isIdle = true
      isLate = !wake.wait(Self.idlePatience, by: clock)
    }
  }
}
