import AudioOutput
import Blocks
import CLinux
import Foundation
import SinkBench
import System
import Testing
import Units

/// What the render thread obeys, and when it is known to have.
struct ReleaseTests {
  /// The thread is called and told to let go in the same moment: what it tells of itself is then of the past.
  @Test func aThreadThatWasReleasedTouchesNoSinkUntilItIsTakenUp() throws {
    let bench = try SinkBench(.free(.null), isRunning: false)
    // Rendering takes some time, so a release that trusts the old state comes in between.
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

/// The stacks of the engine's threads: as large as was asked for, and with a page below that nobody may touch.
struct StackTests {
  /// A mapping of this process.
  private struct Mapping {
    var range: Range<UInt>
    var access: Substring
  }

  private static func mappings() throws -> [Mapping] {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 ? Mapping(range: ends[0]..<ends[1], access: words[1]) : nil
    }
  }

  /// Where a thread's stack is, and what is mapped meanwhile.
  private final class Look: @unchecked Sendable {
    /// The address of something on the stack.
    var address: UInt = 0
    var mappings: [Mapping] = []

    func take() {
      var mark = 0
      address = withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
      mappings = (try? StackTests.mappings()) ?? []
    }
  }

  @Test(
    "A thread's stack has a guard page below it",
    arguments: [OwnedThread.Priority.realtime(RenderThread.priority), .usual])
  func guardPage(_ priority: OwnedThread.Priority) throws {
    let look = Look()
    let size = RenderThread.stackByteCount
    try OwnedThread("look", stackByteCount: size, priority) { look.take() }.join()
    let stack = try #require(look.mappings.first { $0.range.contains(look.address) })
    // A sanitizer takes room of its own on every stack.
    #expect(look.address - stack.range.lowerBound <= UInt(size + 256 * 1_024), "it goes on below")
    let below = try #require(look.mappings.first { $0.range.upperBound == stack.range.lowerBound }, "nothing is there")
    #expect(below.access.hasPrefix("---"), "\(below)")
  }

  @Test func theRenderThreadsIs128KiB() { #expect(RenderThread.stackByteCount == 128 * 1_024) }
}
