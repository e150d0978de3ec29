import Blocks
import Testing
import Units

@testable import Rendering

/// The measurement of dead air (F3).
struct QuietMeterTests {
  /// Renders seconds of a constant level; returns the milliseconds of silence so far.
  private static func quiet(_ bench: RenderBench, _ level: Int32, _ seconds: Double, epoch: UInt32 = 1) -> Int64 {
    for _ in 0..<Int(seconds * 100) {
      bench.write(.level(level, 441), epoch: epoch)
      _ = bench.render(441)
    }
    return bench.board.pointee.quietMilliseconds.load(ordering: .acquiring)
  }

  @Test("Silence is counted in steps of 400 ms below the limit, before the volume, and ends with a louder one")
  func counts() throws {
    let bench = try RenderBench()
    // -50 dBFS is 26,527 of 8,388,608.
    bench.board.pointee.quietLimit.store(26_527 * 26_527, ordering: .relaxed)
    #expect(Self.quiet(bench, 26_000, 0.39) == 0)
    #expect(Self.quiet(bench, 26_000, 0.01) == 400)
    #expect(Self.quiet(bench, 26_000, 1.2) == 1_600)
    #expect(bench.board.pointee.meanSquare.load(ordering: .relaxed) == 26_000 * 26_000)
    #expect(Self.quiet(bench, 27_000, 0.4) == 0)
    bench.setGain(0)
    #expect(Self.quiet(bench, 27_000, 0.4) == 0)
    #expect(Self.quiet(bench, 0, 2) == 2_000)
  }

  @Test("Another programme starts the count, and without a limit nothing is counted")
  func restarts() throws {
    let bench = try RenderBench()
    bench.board.pointee.quietLimit.store(1_000, ordering: .relaxed)
    #expect(Self.quiet(bench, 0, 0.8) == 800)
    bench.want(2)
    #expect(Self.quiet(bench, 0, 0.1, epoch: 2) == 0)
    #expect(Self.quiet(bench, 0, 0.4, epoch: 2) == 400)
    bench.board.pointee.quietLimit.store(0, ordering: .relaxed)
    #expect(Self.quiet(bench, 0, 0.8, epoch: 2) == 0)
  }

  @Test("An hour of silence is counted to the tenth of a second, whatever the length of the periods (F3)")
  func hour() throws {
    let bench = try RenderBench()
    bench.board.pointee.quietLimit.store(1_000, ordering: .relaxed)
    let count = 3_600 * 44_100 / 1_152
    for _ in 0..<count {
      bench.write(.level(0, 1_152), epoch: 1)
      _ = bench.render(1_152)
    }
    let quiet = bench.board.pointee.quietMilliseconds.load(ordering: .acquiring)
    #expect(abs(quiet - 3_600_000) < 500, "\(quiet)")
  }
}
