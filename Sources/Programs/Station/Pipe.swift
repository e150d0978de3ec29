import Glibc
import System

/// A pipe that wakes a `poll(2)` from any thread.
struct Pipe: ~Copyable, Sendable {
  let readEnd: Descriptor
  private let writeEnd: Descriptor

  init() throws(StationError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .systemFailure(call: "pipe", reason: .lastError) }
    readEnd = Descriptor(ends[0])
    writeEnd = Descriptor(ends[1])
    readEnd.makeNonblocking()
    writeEnd.makeNonblocking()
  }

  /// Makes the read end readable for good.
  func signal() {
    var byte: UInt8 = 1
    _ = write(writeEnd.raw, &byte, 1)
  }
}
