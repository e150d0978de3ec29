import Testing
import Units

@testable import Blocks

struct BlockRingTests {
  /// Packet size that fits into a block only once.
  private static let large = 4_000

  @Test func packetsComeBackInOrderWithTheirFacts() throws {
    let bench = try RingBench()
    for number in 0..<100 { #expect(bench.write(number)) }
    for number in 0..<100 {
      let (read, held) = try #require(bench.read())
      #expect(read == number)
      #expect(held.info == Packet.info(number, 400))
      #expect(held.start.ticks == Packet.duration.ticks * Int64(number))
      #expect(held.epoch == 1)
    }
    #expect(bench.read() == nil)
  }

  @Test(
    "All facts of a packet survive its 24 bytes",
    arguments: [
      (Codec.mpegLayer1, 8_000, 1, 0, 384), (.mpegLayer2, 48_000, 2, 0, 1_152), (.aac, 96_000, 0, 3, 1_024),
      (.aac, 7_350, 8, 1, 2_048), (.flac, 655_350, 8, 0, 65_535), (.pcm, 384_000, 2, 0, 629),
      (.opus, 48_000, 2, 0, 120),
    ])
  func recordRoundTrip(_ codec: Codec, _ hertz: Int32, _ channels: UInt8, _ profile: UInt8, _ frames: Int) {
    #expect(MemoryLayout<PacketRecord>.size == 24 && MemoryLayout<PacketRecord>.stride == 24)
    var format = PacketFormat(codec: codec, sampleRate: SampleRate(hertz), channels: channels, profile: profile)
    format.setup = codec.rawValue > 4 ? 255 : 0
    for (followsGap, isFree) in [(true, false), (false, true)] {
      var info = PacketInfo(
        format: format, byteCount: 500_000, duration: StreamTime(frames: FrameCount(frames), at: format.sampleRate),
        byteOffset: 1 << 40, followsGap: followsGap, isFreeFormat: isFree)
      (info.isTrimmed, info.mutedHead, info.mutedTail) = (isFree, 312, 65_535)
      let offset = info.byteOffset - 70_000
      #expect(PacketRecord(info, blockOffset: offset).info(blockOffset: offset) == info)
    }
  }

  @Test("A packet fits a block to the byte", arguments: [Packet.smallest, 9, 10, 11, 24, 440, 5_032])
  func sizes(_ byteCount: Int) throws {
    let bench = try RingBench()
    let perBlock = Block.payloadByteCount / PacketRecord.cost(byteCount)
    for number in 0...perBlock { #expect(bench.write(number, byteCount: byteCount)) }
    #expect(bench.statistics.heldCount == 2)
    for number in 0...perBlock {
      let (read, held) = try #require(bench.read())
      #expect(read == number)
      #expect(held.sequence == number / perBlock)
    }
  }

  @Test func theWriterRefusesWhileNothingWasHeard() throws {
    let bench = try RingBench()
    for number in 0..<BlockPool.minCount { #expect(bench.write(number, byteCount: Self.large)) }
    #expect(!bench.write(99, byteCount: Self.large))
    #expect(!bench.makeRoom(1))
    // The reader occupies the first block until it reads the second block's packet.
    #expect(bench.read()?.number == 0)
    #expect(!bench.write(99, byteCount: Self.large))
    #expect(bench.read()?.number == 1)
    #expect(bench.makeRoom(1) && !bench.makeRoom(2))
    #expect(bench.write(16, byteCount: Self.large))
    #expect(!bench.write(99, byteCount: Self.large))
  }

  @Test func roomThatWasMadeStaysWhateverTheReaderDoes() throws {
    let bench = try RingBench()
    for number in 0..<BlockPool.minCount { #expect(bench.write(number, byteCount: Self.large)) }
    for number in 0..<7 { #expect(bench.read()?.number == number) }
    #expect(bench.makeRoom(4) && bench.available == 4)
    #expect(!bench.makeRoom(7), "the reader stands in the seventh block")
    #expect(bench.available == 6, "what was heard is gone all the same")
    for number in 16..<22 { #expect(bench.write(number, byteCount: Self.large)) }
    for number in 7..<22 { #expect(bench.read()?.number == number) }
  }

  @Test("A wrapping ring drops the oldest, played or not, and the reader continues with the rest")
  func wraps() throws {
    let bench = try RingBench()
    for number in 0..<BlockPool.minCount { #expect(bench.write(number, byteCount: Self.large)) }
    #expect(bench.read()?.number == 0)
    #expect(bench.makeRoom(3, wraps: true))
    // The reader's block is retained, so four blocks were dropped.
    #expect(bench.statistics.heldCount == BlockPool.minCount - 4 && bench.available == 3)
    for number in 16..<19 { #expect(bench.write(number, byteCount: Self.large)) }
    for number in 4..<19 { #expect(bench.read()?.number == number) }
    #expect(bench.read() == nil)
  }

  @Test func aRingThatWrapsKeepsTheBlockBeingFilled() throws {
    let bench = try RingBench()
    #expect(bench.write(0))
    #expect(!bench.makeRoom(BlockPool.minCount, wraps: true))
    #expect(bench.write(1))
    #expect(bench.read()?.number == 0 && bench.read()?.number == 1)
  }

  @Test func theRingGoesRoundAndDropsOnlyWhatWasHeard() throws {
    let bench = try RingBench()
    var written = 0
    for number in 0..<200 {
      while bench.write(written, byteCount: Self.large) { written += 1 }
      #expect(bench.read()?.number == number)
    }
    // The reader was in block 198 when the last packet found room.
    #expect(written == 198 + BlockPool.minCount)
  }

  @Test func aNewProgrammeForgetsTheOldAndStartsAtZero() throws {
    let bench = try RingBench()
    for number in 0..<30 { #expect(bench.write(number)) }
    #expect(bench.read()?.number == 0)
    bench.begin(epoch: 2)
    #expect(bench.writtenEpoch == 2)
    #expect(bench.read() == nil)
    #expect(bench.write(1_000))
    let (read, held) = try #require(bench.read())
    #expect(read == 1_000)
    #expect(held.epoch == 2)
    #expect(held.start == .zero)
    #expect(bench.ahead == .zero)
  }

  @Test func theReadersBlockStaysUntilItMovesOn() throws {
    let bench = try RingBench()
    for number in 0..<30 { #expect(bench.write(number)) }
    #expect(bench.read()?.number == 0)
    bench.begin(epoch: 2)
    #expect(bench.available == BlockPool.minCount - 1)
    // All other blocks can be filled and dropped again.
    for round in 0..<3 {
      for number in 1..<BlockPool.minCount { #expect(bench.write(number, byteCount: Self.large), "\(round)") }
      #expect(!bench.write(99, byteCount: Self.large))
      bench.begin(epoch: 3)
    }
    #expect(bench.read() == nil)
    #expect(bench.write(1))
    #expect(bench.available == BlockPool.minCount - 1)
    #expect(bench.read()?.number == 1)
  }

  @Test func nothingOfTheOldProgrammeIsLeftInTheBlockBeingRead() throws {
    let bench = try RingBench()
    for number in 0..<5 { #expect(bench.write(number)) }
    #expect(bench.read()?.number == 0)
    bench.begin(epoch: 2)
    #expect(bench.read() == nil)
    #expect(bench.write(1_000))
    #expect(bench.read()?.number == 1_000)
  }

  @Test("The statistics contain blocks, buffer and capacity (R2.7)")
  func statisticsTellWhatIsHeld() throws {
    let bench = try RingBench(blockCount: 20)
    #expect(bench.statistics.bitRate == nil)
    for number in 0..<10 { #expect(bench.write(number, byteCount: 2_500)) }
    for _ in 0..<4 { #expect(bench.read() != nil) }
    let statistics = bench.statistics
    #expect(statistics.blockCount == 20)
    #expect(statistics.usedCount == 5)
    #expect(statistics.heldCount == 5)
    #expect(statistics.playing == 1)
    #expect(statistics.ahead.ticks == 6 * Packet.duration.ticks)
    #expect(statistics.ahead == bench.unread)
    #expect(statistics.ahead == bench.ahead)
    #expect(statistics.written.ticks == 10 * Packet.duration.ticks)
    #expect(statistics.byteCount == ByteCount(25_000))
    let bitRate = try #require(statistics.bitRate)
    #expect(bitRate.bitsPerSecond == 765_625)
    let capacity = try #require(statistics.capacity)
    // A block fits two packets, and twelve blocks are free when the ring wraps.
    #expect(abs(capacity.seconds - 16 * Packet.duration.seconds) < 1e-6)
  }

  @Test("The estimated capacity is within 3 % of the real one", arguments: [104, 144, 417, 1_044])
  func capacity(byteCount: Int) throws {
    let bench = try RingBench(blockCount: 400)
    var early: Double?
    // Makes room before each packet, as the net thread does.
    for number in 0..<20_000 {
      let hasRoom = bench.makeRoom(BlockWriter.readRoom, wraps: true)
      try #require(hasRoom && bench.write(number, byteCount: byteCount - number % 3))
      let statistics = bench.statistics
      if early == nil, statistics.heldCount == 40 { early = statistics.capacity?.seconds }
    }
    let statistics = bench.statistics
    let held = (statistics.written - statistics.oldest).seconds
    #expect(statistics.oldest > .zero && statistics.heldCount > 380, "it has wrapped")
    for told in [early, statistics.capacity?.seconds] { #expect(abs(try #require(told) - held) < 0.03 * held) }
  }

  @Test func anEndBelongsToItsProgramme() throws {
    let bench = try RingBench(epoch: 7)
    #expect(bench.write(0))
    #expect(!bench.hasEnded(7))
    bench.finish()
    #expect(bench.hasEnded(7))
    bench.begin(epoch: 8)
    #expect(!bench.hasEnded(8))
  }

  @Test func theWriterSeesThatPacketsAreAwaited() throws {
    let bench = try RingBench()
    #expect(!bench.isAwaited)
    bench.await(true)
    #expect(bench.isAwaited)
    bench.await(false)
    #expect(!bench.isAwaited)
  }
}
