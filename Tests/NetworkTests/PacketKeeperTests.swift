import Blocks
import Testing
import Units

@testable import Network

/// How a new connection's packets and titles join what is held, on a clock that is only counted.
struct PacketKeeperTests {
  private static let duration = StreamTime(frames: FrameCount(1_152), at: .cd)

  /// A keeper that holds the packets of these numbers, and at `last` was given the newest.
  private func keeper(of numbers: [UInt8], at last: MonotonicTime, in arena: Arena) -> PacketKeeper {
    var keeper = PacketKeeper(BlockWriter(BlockRing.make(blockCount: 32, in: arena)))
    keeper.begin(epoch: 1)
    for number in numbers { _ = take(number, &keeper, at: last) }
    return keeper
  }

  private func take(_ number: UInt8, _ keeper: inout PacketKeeper, at now: MonotonicTime) -> Stitch? {
    let info = PacketInfo(
      format: PacketFormat(codec: .mpegLayer3, sampleRate: .cd, channels: 2), byteCount: 100,
      duration: Self.duration, byteOffset: 0, followsGap: false)
    return (0..<100).map { number &+ 7 &* $0 }.withUnsafeBytes { keeper.take(info, $0, at: now) }
  }

  private func ticks(_ packets: Int) -> StreamTime { StreamTime(ticks: Int64(packets) * Self.duration.ticks) }

  @Test func aProvenOverlapIsDroppedAtOnceAndItsTitlesWithIt() throws {
    let arena = try Arena(.kibi(512))
    var keeper = keeper(of: [1, 2, 3, 4, 5], at: .zero, in: arena)
    keeper.join()
    #expect(keeper.take(StationTitle(text: "Old")) == nil)
    #expect(take(3, &keeper, at: .zero) == nil)
    #expect(keeper.take(StationTitle(text: "Now")) == nil)
    #expect(take(4, &keeper, at: .zero) == nil)
    let stitch = take(5, &keeper, at: .zero)
    #expect(stitch == Stitch(overlap: ticks(3), lost: .zero, isExact: true, isEstimated: false))
    #expect(keeper.releasedTitles().map(\.title.text) == ["Now"])
    let (written, deadline) = (keeper.writer.time, keeper.deadline)
    #expect(written == ticks(5))
    #expect(deadline == nil)
    withExtendedLifetime(arena) {}
  }

  @Test func aTitleBehindAnOverlapThatIsNotProvenBeginsWithItsPacket() throws {
    let arena = try Arena(.kibi(512))
    // By the clock, three packets and a half came before.
    let began = MonotonicTime(seconds: 100)
    let last = began - MonotonicTime(seconds: 2.5 * Self.duration.seconds)
    var keeper = keeper(of: [1, 1, 1, 1, 1, 1], at: last, in: arena)
    keeper.join()
    #expect(keeper.take(StationTitle(text: "Old")) == nil)
    for number in [1, 1] as [UInt8] { #expect(take(number, &keeper, at: began) == nil) }
    #expect(keeper.take(StationTitle(text: "Now")) == nil)
    for number in [1, 2] as [UInt8] { #expect(take(number, &keeper, at: began) == nil) }
    #expect(keeper.take(StationTitle(text: "Next")) == nil)
    for number in [3, 4] as [UInt8] { #expect(take(number, &keeper, at: began) == nil) }
    let stitch = keeper.settle()
    #expect(stitch == Stitch(overlap: ticks(3), lost: .zero, isExact: false, isEstimated: true))
    let released = keeper.releasedTitles()
    #expect(released.map(\.title.text) == ["Now", "Next"])
    #expect(zip(released.map(\.at), [ticks(6), ticks(7)]).allSatisfy { abs(($0 - $1).seconds) < 1e-6 })
    let written = keeper.writer.time
    #expect(written == ticks(9))
    withExtendedLifetime(arena) {}
  }
}
