import Blocks
import Testing
import Units

@testable import Network

/// The join of a new connection's packets and titles with the buffer, with a simulated clock.
struct StreamSplicerTests {
  private static let duration = StreamTime(frames: FrameCount(1_152), at: .cd)

  /// A splicer with packets `numbers`; the newest packet arrived at `last`.
  private func splicer(of numbers: [UInt8], at last: MonotonicTime, in arena: Arena) -> StreamSplicer {
    var splicer = StreamSplicer(BlockWriter(BlockRing.make(blockCount: 32, in: arena)))
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
}
