import Testing
import Units

@testable import RadioEngine

/// Rest of the decode thread while the period ring is full.
@Suite struct SinkPatienceTests {
  private var patience = SinkPatience()

  /// The rest in milliseconds; the usual rest is 4 ms.
  private mutating func rest(at milliseconds: Int64, taken: Int = 7, seek: UInt32 = 0, epoch: UInt32 = 1) -> Int32 {
    let now = MonotonicTime(milliseconds: milliseconds)
    return patience.rest(Duration(milliseconds: 4), taken: taken, of: epoch, after: seek, at: now).milliseconds
  }

  @Test("A sink stalled for 300 ms is polled every 50 ms, and normally once it continues")
  mutating func standing() {
    #expect([rest(at: 0), rest(at: 299), rest(at: 300), rest(at: 9_000)] == [4, 4, 50, 50])
    #expect([rest(at: 9_001, taken: 8), rest(at: 9_300, taken: 8), rest(at: 9_301, taken: 8)] == [4, 4, 50])
  }

  @Test("A new goal gets 300 ms again: the ring is emptied for it in a moment")
  mutating func sought() {
    #expect([rest(at: 0), rest(at: 2_000)] == [4, 50])
    #expect([rest(at: 2_001, seek: 1), rest(at: 2_300, seek: 1), rest(at: 2_301, seek: 1)] == [4, 4, 50])
    #expect([rest(at: 3_000, seek: 1, epoch: 2), rest(at: 3_300, seek: 1, epoch: 2)] == [4, 50])
  }
}
