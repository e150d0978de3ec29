import Blocks
import Testing
import Units

@testable import Network

/// The join of a new connection's packets and titles with the buffer, with a simulated clock.
struct StreamSplicerTests {
  private static let duration = StreamTime(frames: FrameCount(1_152), at: .cd)

  /// A splicer with packets `numbers`; the newest packet arrived at `last`.
  private func splicer(of numbers: [UInt8], at last: MonotonicTime, in arena: Arena) -> StreamSplicer {
    splicer(of: numbers, at: last, on: BlockRing.make(blockCount: 32, in: arena))
  }

  private func splicer(
    of numbers: [UInt8], at last: MonotonicTime, on ring: UnsafePointer<BlockRing>
  ) -> StreamSplicer {
    var splicer = StreamSplicer(BlockWriter(ring))
    splicer.begin(epoch: 1)
    for number in numbers { _ = take(number, &splicer, at: last) }
    return splicer
  }

  private func take(
    _ number: UInt8, _ splicer: inout StreamSplicer, at now: MonotonicTime, sounding duration: StreamTime = duration
  ) -> Stitch? {
    let info = PacketInfo(
      format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2), byteCount: 100,
      duration: duration, byteOffset: 0, followsGap: false)
    return (0..<100).map { number &+ 7 &* $0 }.withUnsafeBytes { splicer.accept(info, $0, at: now) }
  }

  private func ticks(_ packets: Int) -> StreamTime { StreamTime(ticks: Int64(packets) * Self.duration.ticks) }

  @Test func aProvenOverlapIsDroppedAtOnceAndItsTitlesWithIt() throws {
    let arena = try Arena(.kibi(512))
    var splicer = splicer(of: [1, 2, 3, 4, 5], at: .zero, in: arena)
    splicer.join()
    #expect(splicer.accept(StationTitle(text: "Old")) == nil)
    #expect(take(3, &splicer, at: .zero) == nil)
    #expect(splicer.accept(StationTitle(text: "Now")) == nil)
    #expect(take(4, &splicer, at: .zero) == nil)
    let stitch = take(5, &splicer, at: .zero)
    #expect(stitch == Stitch(overlap: ticks(3), lost: .zero, isExact: true, isEstimated: false))
    #expect(splicer.removeReleasedTitles().map(\.title.text) == ["Now"])
    let (written, deadline) = (splicer.writer.time, splicer.deadline)
    #expect(written == ticks(5))
    #expect(deadline == nil)
    withExtendedLifetime(arena) {}
  }

  private func takeAac(_ number: UInt8, _ splicer: inout StreamSplicer, at now: MonotonicTime) -> Stitch? {
    let info = PacketInfo(
      format: PacketFormat(codec: .aac, sampleRate: .cd, channels: 2, profile: 1), byteCount: 100,
      duration: Self.duration, byteOffset: 0, followsGap: true)
    return (0..<100).map { number &+ 7 &* $0 }.withUnsafeBytes { splicer.accept(info, $0, at: now) }
  }

  @Test("Packets of another encoder are published at once, and the clock still estimates their overlap")
  func otherEncoder() throws {
    let arena = try Arena(.kibi(512))
    let ring = BlockRing.make(blockCount: 32, in: arena)
    var splicer = splicer(of: Array(0..<100), at: .zero, on: ring)
    splicer.join(byAudio: true)
    #expect(splicer.accept(StationTitle(text: "Now")) == nil)
    let stitch = takeAac(1, &splicer, at: .zero)
    #expect(stitch?.isPending == true)
    #expect(splicer.removeReleasedTitles().map(\.title.text) == ["Now"])
    let reader = BlockReader(ring)
    let (start, early) = (reader.joinStart, reader.joinEstimate)
    #expect(start == ticks(100) && early == nil)
    // A burst of 40 packets.
    for number in 2...40 as ClosedRange<UInt8> { #expect(takeAac(number, &splicer, at: .zero) == nil) }
    let due = splicer.deadline
    let end = splicer.settleInTime(at: try #require(due))
    let found = reader.joinEstimate
    let estimate = try #require(found)
    #expect(end == nil)
    #expect(estimate.overlap == ticks(40) && estimate.lost == .zero)
    let (written, later) = (splicer.writer.time, splicer.deadline)
    #expect(written == ticks(140) && later == nil)
    withExtendedLifetime(arena) {}
  }

  @Test("Packets of another bit rate are published without a position at the latest time for one")
  func otherBitRate() throws {
    let arena = try Arena(.kibi(512))
    let ring = BlockRing.make(blockCount: 32, in: arena)
    var splicer = splicer(of: Array(0..<100), at: .zero, on: ring)
    splicer.join(byAudio: true)
    for number in 200..<240 as Range<UInt8> { #expect(take(number, &splicer, at: .zero) == nil) }
    let due = splicer.deadline
    let latest = try #require(due)
    let (stitch, end) = (splicer.settleInTime(at: latest), splicer.settleInTime(at: latest))
    #expect(stitch?.isPending == true && end == nil)
    let reader = BlockReader(ring)
    let (start, estimate) = (reader.joinStart, reader.joinEstimate)
    #expect(start == ticks(100) && estimate?.overlap == ticks(40))
    withExtendedLifetime(arena) {}
  }

  @Test func aTitleBehindAnOverlapThatIsNotProvenBeginsWithItsPacket() throws {
    let arena = try Arena(.kibi(512))
    // By the clock, three and a half packets precede the start.
    let began = MonotonicTime(seconds: 100)
    let last = began - Duration(seconds: 2.5 * Self.duration.seconds)
    var splicer = splicer(of: [1, 1, 1, 1, 1, 1], at: last, in: arena)
    splicer.join()
    #expect(splicer.accept(StationTitle(text: "Old")) == nil)
    for number in [1, 1] as [UInt8] { #expect(take(number, &splicer, at: began) == nil) }
    #expect(splicer.accept(StationTitle(text: "Now")) == nil)
    for number in [1, 2] as [UInt8] { #expect(take(number, &splicer, at: began) == nil) }
    #expect(splicer.accept(StationTitle(text: "Next")) == nil)
    for number in [3, 4] as [UInt8] { #expect(take(number, &splicer, at: began) == nil) }
    let stitch = splicer.settle()
    #expect(stitch == Stitch(overlap: ticks(3), lost: .zero, isExact: false, isEstimated: true))
    let released = splicer.removeReleasedTitles()
    #expect(released.map(\.title.text) == ["Now", "Next"])
    #expect(zip(released.map(\.at), [ticks(6), ticks(7)]).allSatisfy { abs(($0 - $1).seconds) < 1e-6 })
    let written = splicer.writer.time
    #expect(written == ticks(9))
    withExtendedLifetime(arena) {}
  }

  /// Packets differ in length: the last one of a link is shorter, and Vorbis has short and long blocks.
  @Test func aTitleBehindAnOverlapBeginsWithItsPacketWhereTheyAreNotEquallyLong() throws {
    let arena = try Arena(.kibi(512))
    // The buffer is so large that a position is not settled at once.
    var splicer = splicer(of: [UInt8](1...60), at: .zero, in: arena)
    splicer.join()
    let short = StreamTime(frames: FrameCount(100), at: .cd)
    for number in [58, 59, 60, 61] as [UInt8] { #expect(take(number, &splicer, at: .zero) == nil) }
    #expect(take(62, &splicer, at: .zero, sounding: short) == nil)
    #expect(splicer.accept(StationTitle(text: "Next")) == nil)
    for number in [63, 64] as [UInt8] { #expect(take(number, &splicer, at: .zero) == nil) }
    let stitch = splicer.settle()
    #expect(stitch?.overlap == ticks(3))
    let released = splicer.removeReleasedTitles()
    #expect(released.map(\.at) == [ticks(61) + short])
    withExtendedLifetime(arena) {}
  }

  // MARK: Numbers of an Ogg stream

  /// An Opus packet with content `content` and the frames from `number` × 960 on.
  private func take(
    _ number: Int, _ content: UInt8, _ splicer: inout StreamSplicer, at now: MonotonicTime = .zero,
    followsGap: Bool = false
  ) -> Stitch? {
    let format = PacketFormat(codec: .opus, sampleRate: SampleRate(48_000), channels: 2)
    var info = PacketInfo(
      format: format, byteCount: 100, duration: StreamTime(frames: FrameCount(960), at: format.sampleRate),
      byteOffset: 0, followsGap: followsGap)
    (info.firstFrame, info.link) = (960 * number, 5)
    return (0..<100).map { content &+ 7 &* $0 }.withUnsafeBytes { splicer.accept(info, $0, at: now) }
  }

  private static let packet = StreamTime(seconds: 0.02)

  /// A splicer with the packets 1 to 60, all silent, and a new connection.
  private func silentSplicer(in arena: Arena) -> StreamSplicer {
    var splicer = StreamSplicer(BlockWriter(BlockRing.make(blockCount: 32, in: arena)))
    splicer.begin(epoch: 1)
    for number in 1...60 { _ = take(number, 0, &splicer) }
    splicer.join()
    return splicer
  }

  @Test("The very next packet is joined at once, without proof by content")
  func next() throws {
    let arena = try Arena(.kibi(512))
    var splicer = silentSplicer(in: arena)
    let stitch = take(61, 0, &splicer, at: MonotonicTime(seconds: 3))
    #expect(stitch == Stitch(overlap: .zero, lost: .zero, isExact: true, isEstimated: false))
    let second = take(62, 0, &splicer, at: MonotonicTime(seconds: 3))
    #expect(second == nil)
    let written = splicer.writer.time
    #expect(written.ticks == 62 * Self.packet.ticks)
    withExtendedLifetime(arena) {}
  }

  @Test("A repetition of silence is dropped exactly")
  func repeatedSilence() throws {
    let arena = try Arena(.kibi(512))
    var splicer = silentSplicer(in: arena)
    let early = (41...59).compactMap { take($0, 0, &splicer, followsGap: $0 == 41) }
    #expect(early.isEmpty)
    let stitch = take(60, 0, &splicer)
    let overlap = StreamTime(ticks: 20 * Self.packet.ticks)
    #expect(stitch == Stitch(overlap: overlap, lost: .zero, isExact: true, isEstimated: false))
    withExtendedLifetime(arena) {}
  }

  @Test("A loss is reported to the packet, without an estimate")
  func missing() throws {
    let arena = try Arena(.kibi(512))
    var splicer = silentSplicer(in: arena)
    let stitch = take(91, 0, &splicer, at: MonotonicTime(seconds: 5), followsGap: true)
    let lost = StreamTime(ticks: 30 * Self.packet.ticks)
    #expect(stitch == Stitch(overlap: .zero, lost: lost, isExact: false, isEstimated: false))
    withExtendedLifetime(arena) {}
  }

  @Test("A loss far above the time without data is not believed")
  func implausible() throws {
    let arena = try Arena(.kibi(512))
    var splicer = silentSplicer(in: arena)
    let first = take(60_000, 0, &splicer, at: MonotonicTime(seconds: 5), followsGap: true)
    #expect(first == nil)
    let stitch = splicer.settle()
    #expect(stitch?.isEstimated == true)
    #expect(stitch.map { $0.lost < StreamTime(seconds: 6) } == true)
    withExtendedLifetime(arena) {}
  }

  @Test("A restarted station with the same numbers but other content loses nothing")
  func restarted() throws {
    let arena = try Arena(.kibi(512))
    var splicer = silentSplicer(in: arena)
    let stitches = (41...62).compactMap { take($0, UInt8($0), &splicer, followsGap: $0 == 41) }
    #expect(stitches.isEmpty)
    let stitch = splicer.settle()
    #expect(stitch?.isExact == false)
    let written = splicer.writer.time
    #expect(written.ticks - (stitch?.overlap.ticks ?? 0) >= 0)
    #expect(stitch?.isEstimated == true)
    withExtendedLifetime(arena) {}
  }
}
