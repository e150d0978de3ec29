import Testing
import Units

@testable import Blocks

struct PeriodRingTests {
  @Test func periodsAndTheirSamplesGoRound() throws {
    let arena = try Arena(PeriodRing.cost)
    let ring = PeriodRing.make(in: arena)
    var writer = PeriodWriter(ring)
    var reader = PeriodReader(ring)
    for round in 0..<5 {
      for number in 0..<PeriodRing.capacity {
        let queued = writer.queuedCount
        #expect(queued == number)
        var period = Period()
        period.frameCount = Int32(1_152 - number)
        period.byteOffset = round * 1_000 + number
        writer.room[0] = Int32(number)
        writer.room[2 * Period.frameCapacity - 1] = Int32(-number)
        writer.commit(period)
      }
      check(writer.freeCount == 0)
      check(writer.queuedFrames(of: 0, after: 0).value == (0..<PeriodRing.capacity).reduce(0) { $0 + 1_152 - $1 })
      check(!reader.isEmpty())
      for number in 0..<PeriodRing.capacity - 1 {
        let (period, samples) = (reader.period(), reader.samples())
        #expect(period.byteOffset == round * 1_000 + number)
        #expect(period.frameCount == Int32(1_152 - number))
        #expect(samples[0] == Int32(number))
        #expect(samples[2 * Period.frameCapacity - 1] == Int32(-number))
        reader.advance()
      }
      check(writer.freeCount == PeriodRing.capacity - 1)
      check(writer.queuedFrames(of: 0, after: 0).value == 1_153 - PeriodRing.capacity)
      check(!writer.beginsStale(for: 0, after: 0) && writer.beginsStale(for: 1, after: 0))
      check(writer.beginsStale(for: 0, after: 1))
      reader.advance()
      check(reader.isEmpty() && !writer.beginsStale(for: 1, after: 1))
    }
    withExtendedLifetime(arena) {}
  }

  @Test("Consecutive short periods share the space of one")
  func shared() throws {
    let arena = try Arena(PeriodRing.cost)
    let ring = PeriodRing.make(in: arena)
    var writer = PeriodWriter(ring)
    var reader = PeriodReader(ring)
    let length = StreamTime(frames: FrameCount(120), at: SampleRate(48_000))
    for number in 0..<20 {
      var period = Period()
      (period.frameCount, period.rate) = (120, SampleRate(48_000))
      (period.duration, period.byteOffset) = (length, number)
      period.start = StreamTime(ticks: length.ticks * Int64(number))
      for sample in 0..<240 { writer.room[sample] = Int32(number * 240 + sample) }
      writer.append(period)
    }
    check(writer.queuedCount == 2 && writer.freeCount == PeriodRing.capacity - 3)
    writer.publish()
    check(writer.queuedCount == 3 && writer.queuedFrames(of: 0, after: 0).value == 2_400)
    var next: Int32 = 0
    for (first, count) in [(0, 9), (9, 9), (18, 2)] {
      let (period, samples) = (reader.period(), reader.samples())
      #expect(period.frameCount == Int32(count * 120) && period.byteOffset == first)
      #expect(period.start.ticks == length.ticks * Int64(first))
      #expect(period.duration.ticks == length.ticks * Int64(count))
      for sample in 0..<Int(period.frameCount) * 2 {
        #expect(samples[sample] == next)
        next += 1
      }
      reader.advance()
    }
    check(reader.isEmpty())
    withExtendedLifetime(arena) {}
  }

  @Test(
    "A period that does not continue the last one has its own space",
    arguments: ["gap", "end", "leap", "back", "rate", "epoch", "seek", "channels", "long"])
  func apart(what: String) throws {
    let arena = try Arena(PeriodRing.cost)
    let ring = PeriodRing.make(in: arena)
    var writer = PeriodWriter(ring)
    var one = Period()
    (one.frameCount, one.duration) = (441, StreamTime(seconds: 0.01))
    var other = one
    other.start = one.duration
    switch what {
    case "gap": other.flags = .followsGap
    case "end": other.flags = .end
    case "leap": other.start += StreamTime(seconds: 0.001)
    case "back": other.start = one.start
    case "rate": other.rate = SampleRate(48_000)
    case "epoch": other.epoch = 1
    case "seek": other.seek = 1
    case "channels": other.sourceChannels = 1
    default: other.frameCount = 712
    }
    writer.append(one)
    check(writer.queuedCount == 0)
    writer.append(other)
    check(writer.queuedCount == 1)
    writer.publish()
    check(writer.queuedCount == 2 && writer.queuedFrames(of: 1, after: 0).value == (what == "epoch" ? 441 : 0))
    withExtendedLifetime(arena) {}
  }

  /// `#expect` does not support noncopyable values.
  private func check(_ isSo: Bool, at location: SourceLocation = #_sourceLocation) {
    #expect(isSo, sourceLocation: location)
  }
}

struct ArenaTests {
  @Test func piecesAreZeroedAndApart() throws {
    let arena = try Arena(ByteCount(256))
    let one = arena.reserve(UInt8.self, count: 3)
    let other = arena.reserve(Int.self, count: 16)
    #expect(UInt(bitPattern: one) % 64 == 0)
    #expect(UnsafeRawPointer(other) - UnsafeRawPointer(one) == 64)
    #expect((0..<16).allSatisfy { other[$0] == 0 })
    #expect(Arena.cost(of: Int.self, count: 16) == ByteCount(128))
    #expect(Arena.cost(of: UInt8.self, count: 0) == .zero)
    withExtendedLifetime(arena) {}
  }

  @Test func memoryThatIsNotThereIsASentence() {
    let error = #expect(throws: ArenaError.self) { _ = try Arena(ByteCount(1 << 60)) }
    let words = "; make the buffer smaller, or free some memory."
    #expect(error?.description.hasSuffix(words) == true)
  }

  @Test func nothingIsReservedOnceItIsSealed() async {
    await #expect(processExitsWith: .failure) {
      let arena = try Arena(.kibi(1))
      arena.seal()
      _ = arena.reserve(UInt8.self)
    }
  }

  @Test func aBudgetThatIsTooSmallIsNoticed() async {
    await #expect(processExitsWith: .failure) {
      let arena = try Arena(ByteCount(64))
      _ = arena.reserve(UInt8.self, count: 65)
    }
  }
}
