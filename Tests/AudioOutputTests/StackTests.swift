import AudioOutput
import CLinux
import Foundation
import Testing

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

  @Test("A thread's stack has a guard page below it", arguments: [RenderThread.priority, 0])
  func guardPage(_ priority: Int32) throws {
    let look = Look()
    let size = RenderThread.stackByteCount
    let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
      context.map { Unmanaged<Look>.fromOpaque($0).takeUnretainedValue().take() }
    }
    let context = Unmanaged.passUnretained(look).toOpaque()
    let thread: OpaquePointer = try #require(bk_thread_start(body, context, "bk-look", size, priority, nil))
    bk_thread_join(thread)
    let stack = try #require(look.mappings.first { $0.range.contains(look.address) })
    // A sanitizer takes room of its own on every stack.
    #expect(look.address - stack.range.lowerBound <= UInt(size + 256 * 1_024), "it goes on below")
    let below = try #require(look.mappings.first { $0.range.upperBound == stack.range.lowerBound }, "nothing is there")
    #expect(below.access.hasPrefix("---"), "\(below)")
  }

  @Test func theRenderThreadsIs128KiB() { #expect(RenderThread.stackByteCount == 128 * 1_024) }
}
