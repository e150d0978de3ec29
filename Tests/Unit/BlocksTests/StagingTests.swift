import Testing
import Units

@testable import Blocks

/// Packets of a new connection stay unpublished until their overlap with the buffer is decided.
struct StagingTests {
  /// Packet size that fits into a block only once.
  private static let large = 4_000

  @Test(
    "All staged packets except the overlap are published",
    arguments: [0, 1, 11, 12, 13, 29, 30], [400, Self.large / 2])
  func publishes(_ dropped: Int, _ byteCount: Int) throws {
    let bench = try RingBench(blockCount: 32)
    for number in 0..<3 { #expect(bench.write(number)) }
    for number in 100..<130 { #expect(bench.stage(number, byteCount: byteCount)) }
    #expect(bench.unread.ticks == 3 * Packet.duration.ticks, "what waits is not seen")
    #expect(bench.publishStaged(dropping: dropped, followsGap: false).ticks == Int64(dropped) * Packet.duration.ticks)
    #expect(bench.write(200))
    let numbers = Array(0..<3) + Array((100 + dropped)..<130) + [200]
    for (index, number) in numbers.enumerated() {
      let (read, held) = try #require(bench.read())
      #expect(read == number)
      #expect(held.start.ticks == Int64(index) * Packet.duration.ticks)
      #expect(held.info.byteOffset == number * 1_000)
    }
    #expect(bench.read() == nil)
  }

  @Test("A gap is marked at the first packet after it, and at no other", arguments: [true, false], [0, 1, 11, 13])
  func gaps(_ followsGap: Bool, _ dropped: Int) throws {
    let bench = try RingBench(blockCount: 32)
    #expect(bench.write(1))
    for _ in 0..<20 { #expect(bench.stage(1)) }
    bench.publishStaged(dropping: dropped, followsGap: followsGap)
    #expect(try #require(bench.read()).held.info.followsGap == false)
    var gaps: [Bool] = []
    while let (_, held) = bench.read() { gaps.append(held.info.followsGap) }
    #expect(gaps == [followsGap] + Array(repeating: false, count: 19 - dropped))
  }

  @Test func whatIsDroppedIsNotCounted() throws {
    let bench = try RingBench(blockCount: 32)
    for number in 0..<5 { #expect(bench.write(number, byteCount: 1_000)) }
    for number in 100..<120 { #expect(bench.stage(number, byteCount: 500)) }
    #expect(bench.statistics.byteCount == ByteCount(5_000))
    bench.publishStaged(dropping: 12, followsGap: false)
    #expect(bench.statistics.byteCount == ByteCount(5_000 + 8 * 500))
    #expect(bench.statistics.written.ticks == (5 + 8) * Packet.duration.ticks)
    #expect(bench.statistics.ahead == bench.unread)
  }

  @Test("Blocks without remaining packets are released", arguments: [0, 4, 10])
  func givesBack(_ dropped: Int) throws {
    let bench = try RingBench()
    for number in 0..<10 { #expect(bench.stage(number, byteCount: Self.large)) }
    #expect(bench.available == BlockPool.minCount - 10)
    bench.publishStaged(dropping: dropped, followsGap: true)
    #expect(bench.available == BlockPool.minCount - 10 + dropped)
    #expect(bench.statistics.heldCount == 10 - dropped)
  }

  @Test func whatWaitsIsDroppedWhole() throws {
    let bench = try RingBench()
    #expect(bench.write(1))
    for number in 0..<10 { #expect(bench.stage(number, byteCount: Self.large)) }
    bench.unstage()
    #expect(bench.available == BlockPool.minCount - 1)
    #expect(bench.write(2))
    #expect(bench.read()?.number == 1)
    #expect(bench.read()?.number == 2)
    #expect(bench.read() == nil)
  }

  @Test("Staged packets of another encoder are all published, the first with a mark and its time in the ring")
  func joins() throws {
    let bench = try RingBench(blockCount: 32)
    for number in 1..<4 { #expect(bench.write(number)) }
    #expect(bench.joinStart == nil)
    for number in 100..<130 { #expect(bench.stage(number)) }
    bench.publishJoin()
    let start = StreamTime(ticks: 3 * Packet.duration.ticks)
    #expect(bench.joinStart == start && bench.joinEstimate == nil)
    bench.estimateJoin(overlap: StreamTime(ticks: 5), lost: StreamTime(ticks: 7))
    let estimate = try #require(bench.joinEstimate)
    #expect((estimate.overlap.ticks, estimate.lost.ticks) == (5, 7))
    var marks: [Int] = []
    while let (number, held) = bench.read() {
      #expect(!held.info.joins || !held.info.followsGap && held.start == start)
      if held.info.joins { marks.append(number) }
    }
    #expect(marks == [100])
    bench.begin(epoch: 2)
    #expect(bench.joinStart == nil)
  }

  @Test("A cursor of the reader's thread copies packets before and after the reader, which stays where it is")
  func readersCursor() throws {
    let bench = try RingBench(blockCount: 32)
    for number in 0..<30 { #expect(bench.write(number)) }
    for number in 0..<15 { #expect(bench.read()?.number == number) }
    var cursor = bench.cursor()
    #expect(cursor.seek(to: StreamTime(ticks: 3 * Packet.duration.ticks)) != nil)
    let room = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
    defer { room.deallocate() }
    for number in 3..<30 {
      let found = cursor.next(into: room)
      let held = try #require(found)
      #expect(Packet.number(held, room) == number)
    }
    let last = cursor.next(into: room)
    #expect(last == nil && bench.checkInvariants() == [])
    for number in 15..<30 { #expect(bench.read()?.number == number) }
  }

  @Test func nothingUnheardMakesRoomForWhatWaits() throws {
    let bench = try RingBench()
    for number in 0..<BlockPool.minCount - 1 { #expect(bench.write(number, byteCount: Self.large)) }
    #expect(bench.stage(99, byteCount: Self.large))
    #expect(!bench.stage(100, byteCount: Self.large))
    bench.publishStaged(dropping: 0, followsGap: false)
    for number in 0..<BlockPool.minCount - 1 { #expect(bench.read()?.number == number) }
    #expect(bench.read()?.number == 99)
  }
}
