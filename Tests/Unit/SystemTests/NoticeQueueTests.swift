import CAllocGuard
import Testing
import Units

@testable import System

private struct Report: Notice, Equatable {
  let number: Int
  let kind: Int?
  let replacesOlder: Bool

  init(_ number: Int, kind: Int? = nil, replacesOlder: Bool = false) {
    self.number = number
    self.kind = kind
    self.replacesOlder = replacesOlder
  }
}

@Suite struct NoticeQueueTests {
  private final class Bench {
    let wake = SharedWakeFlag()
    let queue: NoticeQueue<Report>

    init(_ capacity: Int) { queue = NoticeQueue(capacity: capacity, wake: wake) }

    func drain() -> [Int] {
      var numbers: [Int] = []
      while let (_, report) = queue.next() { numbers.append(report.number) }
      return numbers
    }
  }

  @Test(
    "Reading an empty queue takes no lock", .enabled(if: guard_works(), "a sanitizer has locks of its own"))
  func emptyQueue() {
    let bench = Bench(4)
    bench.queue.append(Report(1), epoch: 7)
    _ = bench.queue.next()
    guard_start()
    let next = bench.queue.next()
    let counts = guard_stop()
    #expect(next == nil && counts.locks == 0)
  }

  @Test("Notices arrive in order with their programme, and wake the reader")
  func arrives() {
    let bench = Bench(4)
    for number in 0..<3 { bench.queue.append(Report(number), epoch: UInt32(number + 7)) }
    let isAwake = bench.wake.flag.wait(.zero, by: .machine)
    #expect(isAwake)
    for number in 0..<3 {
      let entry = bench.queue.next()
      #expect(entry?.notice == Report(number) && entry?.epoch == UInt32(number + 7))
    }
    #expect(bench.drain().isEmpty && bench.queue.missedCount == 0)
  }

  @Test("A full queue drops the oldest notice with a newer one of its kind")
  func replaces() {
    let bench = Bench(5)
    for (number, kind) in [(0, nil), (1, 1), (2, 2), (3, 2), (4, nil)] as [(Int, Int?)] {
      bench.queue.append(Report(number, kind: kind), epoch: 1)
    }
    bench.queue.append(Report(5, kind: 1), epoch: 1)
    bench.queue.append(Report(6), epoch: 1)
    #expect(bench.queue.missedCount == 2)
    #expect(bench.drain() == [0, 3, 4, 5, 6])
  }

  @Test("Without a newer one of its kind, a notice that may be missed is dropped before one that must arrive")
  func dropsWhatMayBeMissed() {
    let bench = Bench(4)
    for number in 0..<4 { bench.queue.append(Report(number, kind: number == 2 ? 1 : nil), epoch: 1) }
    bench.queue.append(Report(4), epoch: 1)
    #expect(bench.drain() == [0, 1, 3, 4])
    for number in 0..<4 { bench.queue.append(Report(number), epoch: 1) }
    bench.queue.append(Report(4, kind: 1), epoch: 1)
    #expect(bench.drain() == [0, 1, 2, 3])
    #expect(bench.queue.missedCount == 2)
  }

  @Test("Only the newest of the large notices waits")
  func large() {
    let bench = Bench(8)
    for number in 0..<6 { bench.queue.append(Report(number, replacesOlder: number % 2 == 0), epoch: 1) }
    #expect(bench.drain() == [1, 3, 4, 5] && bench.queue.missedCount == 0)
  }

  @Test("A reader that never polls costs bounded memory, and misses the oldest")
  func isBounded() {
    let bench = Bench(128)
    for number in 0..<1_000 { bench.queue.append(Report(number), epoch: 1) }
    #expect(bench.queue.missedCount == 1_000 - 128)
    #expect(bench.drain() == Array(872..<1_000))
  }

  @Test("Notices from another thread arrive in order; each is read or counted as missed")
  func threads() throws {
    let bench = Bench(32)
    let (queue, count) = (bench.queue, 10_000)
    let ended = Locked(false)
    let writer = try OwnedThread("writer") {
      for number in 0..<count { queue.append(Report(number, kind: number % 3 == 0 ? nil : number % 3), epoch: 1) }
      ended.withLock { $0 = true }
    }
    var numbers: [Int] = []
    while true {
      let isAll = ended.withLock { $0 }
      guard let (_, report) = queue.next() else {
        if isAll { break }
        continue
      }
      numbers.append(report.number)
    }
    writer.join()
    #expect(numbers.count + queue.missedCount == count)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }
}
