import AudioOutput
import Blocks
import CLinux
import Foundation
import SinkBench
import System
import Testing
import Units

struct ReleaseTests {
  /// The thread is woken and released at the same moment, so its reported state is outdated.
  @Test func aThreadThatWasReleasedTouchesNoSinkUntilItIsTakenUp() throws {
    let bench = try SinkBench(.free(.null), isRunning: false)
    // Rendering is slow enough that a release based on the old state would overlap with it.
    let samples = Pcm.noise(4_000)
    var releases = 0
    for turn in 0..<1_500 {
      bench.tune(to: UInt32(turn + 1))
      bench.thread.discardStale()
      #expect(try bench.feed(samples, flags: .end))
      bench.thread.run()
      // About the time that the thread needs to wake up, different in each turn.
      let spin = bk_monotonic_ns() + Int64(turn &* 7_919 % 300) * 1_000
      while bk_monotonic_ns() < spin {}
      // Repeats until the release succeeds, as the radio does.
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

/// Thread stacks have the requested size and an inaccessible guard page below.
struct StackTests {
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

  /// The stack address of a thread, and the mappings at that time.
  private final class Look: @unchecked Sendable {
    /// The address of a variable on the stack.
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
    // A sanitizer needs extra room on every stack.
    #expect(look.address - stack.range.lowerBound <= UInt(size + 256 * 1_024), "it goes on below")
    let below = try #require(look.mappings.first { $0.range.upperBound == stack.range.lowerBound }, "nothing is there")
    #expect(below.access.hasPrefix("---"), "\(below)")
  }

  @Test func theRenderThreadsIs128KiB() { #expect(RenderThread.stackByteCount == 128 * 1_024) }
}
