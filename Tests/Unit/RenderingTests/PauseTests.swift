import Blocks
import Foundation
import Rendering
import Synchronization
import Testing
import Units

/// Pauses and seeks are audible at once (R3).
@Suite struct PauseTests {
  private static let ramp = RendererTests.rampFrames()
  private static let whole = (0..<4).flatMap { [Int32].noise(1_152, seed: $0 &* 77) }

  private static func bench() throws -> RenderBench {
    let bench = try RenderBench()
    for start in stride(from: 0, to: whole.count, by: 2_304) { bench.write(Array(whole[start..<(start + 2_304)])) }
    return bench
  }

  @Test(
    "A pause fades out within 5 ms, and resumes with the next sample", arguments: [0, 1, 100, 1_152, 1_200])
  func pauseKeepsEverySample(_ before: Int) throws {
    let bench = try Self.bench()
    var heard = bench.render(before + 1).samples
    bench.pause(true)
    let (fall, stop) = bench.render(4_410)
    #expect(stop == .paused)
    #expect(fall.count / 2 <= Self.ramp && fall.count / 2 >= Self.ramp - 2)
    #expect(bench.render(441) == ([], .paused))
    #expect(!bench.isSounding)
    bench.pause(false)
    heard += fall
    heard += bench.render(4_608).samples
    #expect(heard.count == Self.whole.count)
    let (first, last) = (2 * (before + 1), 2 * (before + 1) + 4 * Self.ramp)
    #expect(heard[..<first] == Self.whole[..<first])
    #expect(heard[last...] == Self.whole[last...])
    for (sample, original) in zip(heard, Self.whole) { #expect(abs(Int(sample)) <= abs(Int(original))) }
  }

  @Test func aPauseBeforeAnySoundLeavesItWhole() throws {
    let bench = try Self.bench()
    bench.pause(true)
    #expect(bench.render(441) == ([], .paused))
    bench.pause(false)
    #expect(bench.render(4_608).samples == Self.whole)
  }

  @Test func aPauseThatIsTakenBackAtOnceNeverFallsSilent() throws {
    let bench = try RenderBench()
    for _ in 0..<3 { bench.write(.level(8_000_000, 1_152)) }
    _ = bench.render(100)
    bench.pause(true)
    let fall = bench.render(50).samples
    #expect(fall.left.falls && (fall.left.last ?? 0) > 6_000_000)
    bench.pause(false)
    let (rise, stop) = bench.render(60)
    #expect(stop == .full && rise.left.rises)
    #expect(rise.left.last == 8_000_000)
  }

  @Test("Audio continues until the goal is decoded, and only then fades")
  func seekLeavesNoHole() throws {
    let bench = try RenderBench()
    for _ in 0..<3 { bench.write(.level(8_000_000, 1_152)) }
    _ = bench.render(100)
    bench.seek(1)
    #expect(bench.render(500) == (.level(8_000_000, 500), .full))
    bench.write(.level(4_000_000, 1_152), seek: 1)
    bench.ready(1)
    let (heard, _) = bench.render(1_000)
    let fall = Array(heard.left.prefix(Self.ramp))
    #expect(fall.falls && fall.contains(0))
    let rise = Array(heard.left.drop { $0 > 0 })
    #expect(rise.rises && rise.last == 4_000_000)
    #expect(bench.seek == 1 && bench.epoch == 1)
  }

  @Test func whatWasSoughtWhilePausedTakesTheRoomOfWhatWasLeft() throws {
    let bench = try Self.bench()
    _ = bench.render(100)
    bench.pause(true)
    _ = bench.render(441)
    bench.seek(1)
    #expect(bench.render(441) == ([], .paused))
    #expect(!bench.hasPeriod)
    bench.write(.level(4_000_000, 1_152), seek: 1)
    bench.ready(1)
    bench.pause(false)
    let heard = bench.render(1_152).samples
    #expect(heard.left.rises && heard.left.last == 4_000_000 && (heard.left.first ?? 0) < 100_000)
  }

  @Test func theEndOfWhatWasLeftIsNoEnd() throws {
    let bench = try RenderBench()
    bench.write(.level(8_000_000, 100), flags: .end)
    _ = bench.render(50)
    bench.seek(1)
    #expect(bench.render(441).stop == .dry)
    bench.write(.level(4_000_000, 1_152), seek: 1, flags: .end)
    bench.ready(1)
    var stop = RenderStop.full
    while stop == .full { stop = bench.render(441).stop }
    #expect(stop == .end)
  }

  @Test("No obsolete audio follows the last seek, however seeks and periods race")
  func lastSeekWins() throws {
    let bench = try RenderBench()
    bench.write(.level(1_000_000, 1_152))
    _ = bench.render(100)
    bench.seek(1)
    bench.seek(2)
    bench.write(.level(2_000_000, 1_152), seek: 1)
    bench.write(.level(3_000_000, 1_152), seek: 2)
    bench.ready(2)
    let heard = bench.render(1_300).samples.left
    #expect(heard.last == 3_000_000)
    #expect(Array(heard.drop { $0 > 0 }).rises)
    #expect(bench.seek == 2)
  }
}

struct ZapTests {
  /// The zap and the only period of the new programme arrive while the renderer works.
  @Test func noZapLosesItsFirstPeriod() throws {
    let zaps: UInt32 = 100
    nonisolated(unsafe) let bench = try RenderBench()
    let progress = Progress()
    Thread {
      while progress.ended.load(ordering: .relaxed) < zaps, !progress.isLost.load(ordering: .relaxed) {
        if bench.render(4_800).stop == .end { progress.ended.store(bench.epoch, ordering: .releasing) }
      }
      progress.done.signal()
    }.start()
    for epoch in 2...zaps {
      for _ in 0..<4 { bench.write(.level(0, 1_152), epoch: epoch - 1) }
      bench.want(epoch)
      bench.write(.level(1, 8), epoch: epoch, flags: .end)
      let limit = Date(timeIntervalSinceNow: 5)
      while progress.ended.load(ordering: .acquiring) != epoch, limit.timeIntervalSinceNow > 0 { sched_yield() }
      if progress.ended.load(ordering: .acquiring) != epoch {
        progress.isLost.store(true, ordering: .relaxed)
        break
      }
    }
    progress.done.wait()
    let ended = progress.ended.load(ordering: .relaxed)
    #expect(ended == zaps)
  }

  private final class Progress: Sendable {
    let ended = Atomic<UInt32>(1)
    let isLost = Atomic<Bool>(false)
    let done = DispatchSemaphore(value: 0)
  }
}
