import Blocks
import Foundation
import Rendering
import Synchronization
import Testing
import Units

struct ZapTests {
  /// The zap comes while the renderer is at work, and the new programme's only period with it.
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
