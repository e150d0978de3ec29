import SeededRandom
import Testing
import Units

@testable import Blocks

/// Compares each ring with a plain list in random steps, and checks the invariants after each step.
@Suite struct RingModelTests {
  @Test("A block ring equals a list, and obeys its invariants", arguments: 1...4 as ClosedRange<UInt64>)
  func blocks(_ seed: UInt64) throws {
    var model = try BlockModel(seed: seed)
    for step in 0..<800 {
      let deed = model.step()
      try #require(model.faults() == [], "after step \(step): \(deed)")
    }
    #expect(model.readCount > 150, "the steps lead somewhere")
  }

  @Test("A period ring returns its input in order, and obeys its invariants", arguments: 1...3 as ClosedRange<UInt64>)
  func periods(_ seed: UInt64) throws {
    let arena = try Arena(PeriodRing.cost)
    let ring = PeriodRing.make(in: arena)
    var writer = PeriodWriter(ring)
    var reader = PeriodReader(ring)
    var random = SeededGenerator(seed)
    var (written, read) = (0, 0)
    for _ in 0..<1_000 {
      let free = writer.freeCount
      if UInt8.random(in: 0..<2, using: &random) == 0, free > 0 {
        var period = Period()
        let isFull = UInt8.random(in: 0..<20, using: &random) == 0
        period.frameCount = isFull ? Int32(Period.frameCapacity) : Int32.random(in: 0...16, using: &random)
        period.sequence = written
        writer.room[0] = Int32.random(in: Period.lowestSample...Period.highestSample, using: &random)
        writer.commit(period)
        written += 1
      } else if read < written {
        let number = reader.period().sequence
        #expect(number == read)
        reader.advance()
        read += 1
      }
      let (queued, isEmpty) = (writer.queuedCount, reader.isEmpty())
      #expect(queued == written - read && isEmpty == (read == written))
      try #require(ring.pointee.checkInvariants() == [])
    }
    withExtendedLifetime(arena) {}
  }

  @Test("A file queue returns its input in order, and obeys its invariants", arguments: 1...3 as ClosedRange<UInt64>)
  func files(_ seed: UInt64) throws {
    let arena = try Arena(FileQueue.cost)
    let queue = FileQueue.make(in: arena)
    var random = SeededGenerator(seed)
    var sent: [(file: UInt32, bytes: [UInt8])] = []
    var next: UInt32 = 0
    for _ in 0..<1_000 {
      if UInt8.random(in: 0..<2, using: &random) == 0 {
        let slot = queue.pointee.claim(.packets, of: next)
        #expect((slot == nil) == (sent.count == FileQueue.slotCount))
        guard let slot else { continue }
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...70, using: &random) {
          let packet = [UInt8](repeating: random.bytes(1)[0], count: Int.random(in: 1...400, using: &random))
          if packet.withUnsafeBytes({ slot.append($0) }) { bytes += packet }
        }
        queue.pointee.commit()
        sent.append((next, bytes))
        next += 1
      } else {
        let front = queue.pointee.front
        #expect(front?.file == sent.first?.file && front.map { Array($0.bytes) } == sent.first?.bytes)
        guard front != nil else { continue }
        queue.pointee.release()
        sent.removeFirst()
      }
      try #require(queue.pointee.checkInvariants() == [])
    }
    withExtendedLifetime(arena) {}
  }

  @Test("Recent frames return the first of the removed frames", arguments: 1...3 as ClosedRange<UInt64>)
  func recent(_ seed: UInt64) throws {
    let arena = try Arena(RecentFrames.cost)
    var recent = RecentFrames(in: arena)
    var random = SeededGenerator(seed)
    var given: [Int32] = []
    var out = [Int32](repeating: 0, count: 600)
    for _ in 0..<200 {
      let frameCount = Int.random(in: 0...4_800, using: &random)
      let samples = (0..<2 * frameCount).map { _ in Int32.random(in: -9...9, using: &random) }
      recent.append(samples, samples.count / 2)
      given += samples
      #expect(recent.count() <= RecentFrames.capacity && recent.count() <= given.count / 2)
      let count = Int.random(in: 0...recent.count(), using: &random)
      let wanted = min(count, Int.random(in: 0...300, using: &random))
      recent.remove(count, first: wanted, into: &out)
      let removed = given.suffix(2 * count)
      #expect(Array(out.prefix(2 * wanted)) == Array(removed.prefix(2 * wanted)))
      given.removeLast(2 * count)
    }
    recent.clear()
    #expect(recent.count() == 0)
    withExtendedLifetime(arena) {}
  }

  @Test("A monitor ring returns the newest frames played", arguments: 1...3 as ClosedRange<UInt64>)
  func monitor(_ seed: UInt64) throws {
    let arena = try Arena(MonitorRing.cost)
    let ring = MonitorRing.make(in: arena)
    var random = SeededGenerator(seed)
    var given: [UInt32] = []
    ring.pointee.want(true)
    for _ in 0..<60 {
      let samples = (0..<Int.random(in: 0...600, using: &random)).flatMap { _ in
        let sample = Int32.random(in: -32_768...32_767, using: &random)
        return [sample << 8, ~sample << 8]
      }
      ring.pointee.put(samples, samples.count / 2)
      given += stride(from: 0, to: samples.count, by: 2).map {
        UInt32(truncatingIfNeeded: samples[$0] >> 8) & 0xFFFF | UInt32(truncatingIfNeeded: samples[$0 + 1] >> 8) << 16
      }
      try #require(ring.pointee.checkInvariants(given: given.count) == [])
      let delay = Int.random(in: 0...min(1_200, given.count), using: &random)
      var out = [UInt32](repeating: 0, count: 512)
      let count = out.withUnsafeMutableBufferPointer { ring.pointee.read(into: $0, since: 0, delay: delay) }
      let end = max(given.count - delay, min(given.count, out.count))
      #expect(Array(out.prefix(count)) == Array(given[max(0, end - out.count)..<end].prefix(count)))
      // The last frames of a window are the end of the whole window.
      var last = [UInt32](repeating: 0, count: 100)
      let lastCount = last.withUnsafeMutableBufferPointer {
        ring.pointee.read(into: $0, since: 0, delay: delay, of: out.count)
      }
      #expect(last.prefix(lastCount).elementsEqual(out.prefix(count).suffix(last.count)))
    }
    withExtendedLifetime(arena) {}
  }
}

/// A block ring with writer and reader, and a list of the expected packets.
private struct BlockModel {
  private let bench: RingBench
  private var cursor: BlockCursor
  private var random: SeededGenerator
  private var epoch: UInt32 = 1
  /// Numbers of the programme's packets in order; the first `readTo` are read.
  private var written: [Int] = []
  private var readTo = 0
  private var staged: [Int] = []
  private var nextNumber = 0
  private var found: [String] = []
  /// Number of packets read in all programmes.
  private(set) var readCount = 0

  init(seed: UInt64) throws {
    bench = try RingBench(blockCount: BlockPool.minCount + Int(seed))
    cursor = BlockCursor(bench.ring)
    random = SeededGenerator(seed)
  }

  /// Returns and clears the faults since the last call.
  mutating func faults() -> [String] {
    defer { found = [] }
    return found + bench.checkInvariants() + cursor.checkInvariants()
  }

  private mutating func note(_ isSo: Bool, _ sentence: String) { if !isSo { found.append(sentence) } }

  /// Performs a random action and returns its name.
  mutating func step() -> String {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: return write()
    case 7..<9: return stage()
    case 9: return publish()
    case 10: return makeRoom()
    case 11: return seek()
    case 14: return copy()
    case 12 where Int.random(in: 0..<8, using: &random) == 0: return begin()
    case 13 where Int.random(in: 0..<4, using: &random) == 0:
      bench.unstage()
      staged = []
      return "unstage"
    default: return read()
    }
  }

  private mutating func write() -> String {
    if !staged.isEmpty { return publish() }
    let isLong = Int.random(in: 0..<6, using: &random) == 0
    let byteCount = Int.random(in: Packet.smallest...(isLong ? 24_000 : 5_000), using: &random)
    if bench.write(nextNumber, byteCount: byteCount) { written.append(nextNumber) }
    nextNumber += 1
    return "write \(byteCount) bytes"
  }

  private mutating func stage() -> String {
    let isLong = Int.random(in: 0..<6, using: &random) == 0
    let byteCount = Int.random(in: Packet.smallest...(isLong ? 16_000 : 2_000), using: &random)
    if bench.stage(nextNumber, byteCount: byteCount) { staged.append(nextNumber) }
    nextNumber += 1
    return "stage \(byteCount) bytes"
  }

  private mutating func publish() -> String {
    let dropped = Int.random(in: 0...staged.count, using: &random)
    bench.publishStaged(dropping: dropped, followsGap: false)
    written += staged.dropFirst(dropped)
    staged = []
    return "publish but for \(dropped)"
  }

  private mutating func makeRoom() -> String {
    let (count, wraps) = (Int.random(in: 1...8, using: &random), Bool.random(using: &random))
    if bench.makeRoom(count, wraps: wraps) { note(bench.available >= count, "there is no room") }
    // A reader whose packets were dropped continues at the oldest packet.
    let oldest = Int(bench.statistics.oldest.ticks / Packet.duration.ticks)
    readTo = max(readTo, oldest)
    return "make room for \(count)\(wraps ? ", heard or not" : "")"
  }

  private mutating func seek() -> String {
    let goal = Int.random(in: 0...written.count, using: &random)
    let place = bench.seek(to: StreamTime(ticks: Packet.duration.ticks * Int64(goal)))
    let oldest = Int(bench.statistics.oldest.ticks / Packet.duration.ticks)
    if let place {
      readTo = max(goal, oldest)
      note(place.ticks == Packet.duration.ticks * Int64(readTo), "it is at \(place), and not at \(readTo)")
    }
    return "seek to \(goal)"
  }

  private mutating func begin() -> String {
    epoch += 1
    bench.begin(epoch: epoch)
    (written, staged, readTo) = ([], [], 0)
    return "begin"
  }

  private mutating func copy() -> String {
    let room = UnsafeMutableRawPointer.allocate(byteCount: Block.payloadByteCount, alignment: 16)
    defer { room.deallocate() }
    while let held = cursor.next(into: room) {
      let number = Packet.number(held, room)
      note(number.map { written.contains($0) } == true, "a cursor copies what is not held")
    }
    return "copy"
  }

  private mutating func read() -> String {
    let expected = readTo < written.count ? written[readTo] : nil
    let (number, held) = bench.read().map { ($0.number, $0.held) } ?? (nil, nil)
    note(number == expected, "packet \(number ?? -1) is read, and not \(expected ?? -1)")
    if let held {
      note(held.epoch == epoch, "it is of another programme")
      note(held.start.ticks == Packet.duration.ticks * Int64(readTo), "it has another time")
      readTo += 1
      readCount += 1
    }
    return "read"
  }
}
