import Testing
import Units

@testable import Blocks

/// A packet longer than a block occupies a run of blocks (R2.1).
struct RunTests {
  /// Sizes around the block limits, and the maximum packet size.
  static let sizes = [5_033, 10_088, 10_089, 15_144, 15_145, 65_000]

  @Test("A long packet returns whole among short ones", arguments: sizes)
  func comesBack(_ byteCount: Int) throws {
    let bench = try RingBench(blockCount: 40)
    for number in 0..<6 { #expect(bench.write(number, byteCount: number.isMultiple(of: 3) ? byteCount : 300)) }
    #expect(bench.checkInvariants() == [])
    #expect(bench.statistics.heldCount == 2 * Block.runCount(byteCount) + 2, "short ones share a block, runs are alone")
    for number in 0..<6 {
      let (read, held) = try #require(bench.read())
      #expect(read == number && held.info.byteOffset == number * 1_000)
      #expect(held.start.ticks == Packet.duration.ticks * Int64(number))
    }
    #expect(bench.read() == nil)
    #expect(bench.write(6, byteCount: byteCount) && bench.read()?.number == 6, "the reader went behind the run")
  }

  /// A record stores a duration in 32 bits, at most 6.08 s.
  @Test(arguments: [400, 6_000])
  func aPacketThatClaimsHoursMovesTheRingAsFarAsItsReader(byteCount: Int) throws {
    let bench = try RingBench(blockCount: 40)
    for (number, seconds) in [1.0, 8.2, 65_535, 2].enumerated() {
      #expect(bench.write(number, lasting: seconds, byteCount: byteCount))
    }
    #expect(bench.checkInvariants() == [])
    for number in 0..<4 { #expect(bench.read()?.number == number) }
    #expect(bench.ahead == .zero)
  }

  @Test("A run has as many blocks as its bytes need", arguments: zip(sizes, [2, 2, 3, 3, 4, 13]))
  func count(_ byteCount: Int, _ count: Int) { #expect(Block.runCount(byteCount) == count) }

  @Test func whoSeeksFindsALongPacketByAnyOfItsTimes() throws {
    let bench = try RingBench(blockCount: 64)
    for number in 0..<9 { #expect(bench.write(number, byteCount: number.isMultiple(of: 2) ? 30_000 : 300)) }
    for number in (0..<9).shuffled() {
      let start = Packet.duration.ticks * Int64(number)
      for ticks in [start, start + Packet.duration.ticks / 2, start + Packet.duration.ticks - 1] {
        #expect(bench.start(at: StreamTime(ticks: ticks))?.ticks == start)
        #expect(bench.seek(to: StreamTime(ticks: ticks))?.ticks == start)
        #expect(bench.read()?.number == number)
      }
    }
    let end = Packet.duration.ticks * 9
    #expect(bench.seek(to: StreamTime(ticks: end))?.ticks == end, "behind a run that is the newest there is nothing")
    #expect(bench.read() == nil && bench.checkInvariants() == [])
  }

  @Test func aRunIsDroppedAsAWhole() throws {
    let bench = try RingBench(blockCount: 16)
    for number in 0..<4 { #expect(bench.write(number, byteCount: 20_000)) }
    #expect(bench.available == 0 && !bench.write(4, byteCount: 300), "all of it is unheard")
    #expect(bench.read()?.number == 0 && !bench.makeRoom(1), "the reader stands in the first run")
    #expect(bench.read()?.number == 1 && bench.makeRoom(1))
    #expect(bench.available == 4 && bench.statistics.oldest == Packet.duration)
    #expect(bench.write(4, byteCount: 15_000) && bench.checkInvariants() == [])
    for number in 2...4 { #expect(bench.read()?.number == number) }
  }

  @Test func aRunThatFindsNoRoomTakesNone() throws {
    let bench = try RingBench(blockCount: 16)
    for number in 0..<3 { #expect(bench.write(number, byteCount: 20_000)) }
    #expect(!bench.write(3, byteCount: 40_000) && !bench.stage(3, byteCount: 40_000))
    #expect(bench.available == 4 && bench.checkInvariants() == [])
    #expect(bench.write(3, byteCount: 300) && bench.statistics.heldCount == 13)
  }

  @Test func aRunThatIsReadStaysWhileTheRingWraps() throws {
    let bench = try RingBench(blockCount: 16)
    for number in 0..<4 { #expect(bench.write(number, byteCount: 20_000)) }
    let held = bench.readFirstPiece()
    #expect(bench.makeRoom(8, wraps: true), "two further runs go instead of the one that is read")
    #expect(bench.write(4, byteCount: 38_000) && bench.checkInvariants() == [])
    #expect(bench.readRest(of: held) == 0, "its bytes were not written over")
    #expect(bench.read()?.number == 3 && bench.read()?.number == 4)
    #expect(bench.makeRoom(1) && bench.checkInvariants() == [])
  }

  @Test("A search that reads a block of a run pins the whole run", arguments: 0..<4)
  func lookedAt(_ place: Int) throws {
    let bench = try RingBench(blockCount: 16)
    for number in 0..<4 { #expect(bench.write(number, byteCount: 20_000)) }
    bench.ring.pointee.probe.store(place, ordering: .sequentiallyConsistent)
    bench.ring.pointee.pin.store(12, ordering: .sequentiallyConsistent)
    #expect(bench.makeRoom(4) && bench.available == 4, "the second run goes, the first one is looked at")
    #expect(!bench.makeRoom(12) && bench.available == 8)
    bench.ring.pointee.probe.store(BlockRing.noBlock, ordering: .sequentiallyConsistent)
    #expect(bench.makeRoom(12))
  }

  @Test("Staged packets may be long; their buffered part is dropped by packets", arguments: [0, 1, 2, 4])
  func staged(_ dropped: Int) throws {
    let bench = try RingBench(blockCount: 40)
    #expect(bench.write(0, byteCount: 300))
    for number in 1...4 { #expect(bench.stage(number, byteCount: number.isMultiple(of: 2) ? 300 : 20_000)) }
    bench.publishStaged(dropping: dropped, followsGap: true)
    #expect(bench.checkInvariants() == [])
    #expect(bench.write(9, byteCount: 300))
    for number in [0] + Array(dropped + 1..<5) + [9] {
      let (read, held) = try #require(bench.read())
      #expect(read == number && (held.info.followsGap || number == 0 || number > dropped + 1))
    }
    #expect(bench.read() == nil)
    bench.unstage()
    #expect(bench.checkInvariants() == [])
  }

  @Test func aCursorSeesARunAsOnePacket() throws {
    let bench = try RingBench(blockCount: 40)
    var cursor = BlockCursor(bench.ring)
    for number in 0..<5 { #expect(bench.write(number, byteCount: number.isMultiple(of: 2) ? 20_000 : 300)) }
    let room = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
    defer { room.deallocate() }
    for number in 0..<5 {
      let next = cursor.next(into: room)
      let held = try #require(next)
      #expect(Packet.number(held, room) == number && held.info.byteCount == (number.isMultiple(of: 2) ? 20_000 : 300))
    }
    let isOver = cursor.next(into: room) == nil
    #expect(isOver && cursor.checkInvariants() == [])
  }
}
