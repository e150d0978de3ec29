import AudioOutput
import Blocks
import CLinux
import SinkBench
import Testing
import Units

/// What the render thread obeys, and when it is known to have.
struct ReleaseTests {
  /// The thread is called and told to let go in the same moment: what it tells of itself is then of the past.
  @Test func aThreadThatWasReleasedTouchesNoSinkUntilItIsTakenUp() throws {
    let bench = try SinkBench(.free(.null), isRunning: false)
    // It takes a while to render so much: a release that believes what the thread told before comes in between.
    let samples = Pcm.noise(4_000)
    var releases = 0
    for turn in 0..<1_500 {
      bench.tune(to: UInt32(turn + 1))
      bench.thread.discardStale()
      #expect(try bench.feed(samples, flags: .end))
      bench.thread.run()
      // As long as the thread takes to wake up, or a little less or more.
      let spin = bk_monotonic_ns() + Int64(turn &* 7_919 % 300) * 1_000
      while bk_monotonic_ns() < spin {}
      // As the radio does: over and over, until it is let go.
      try #require(try bench.wait { bench.thread.release() })
      let played = bench.playedFrames
      bk_sleep_until_ns(bk_monotonic_ns() + 1_000_000)
      #expect(bench.playedFrames == played, "it played on in turn \(turn)")
      if bench.playedFrames != played { break }
      releases += 1
    }
    #expect(releases == 1_500)
    bench.thread.stop()
  }
}
