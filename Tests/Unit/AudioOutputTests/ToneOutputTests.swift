import AudioOutput
import Foundation
import SinkBench
import Testing
import Units

/// The tone at the sink, without a decoder (F4).
struct ToneOutputTests {
  private static func file() -> String {
    FileManager.default.temporaryDirectory.appending(path: "bk-\(UUID().uuidString.prefix(8)).pcm").path
  }

  private static func samples(_ path: String) -> [Int16] {
    Pcm.samples(Array((try? Data(contentsOf: URL(filePath: path))) ?? Data()))
  }

  @Test("The tone plays before any programme, and again after one (F4)")
  func tone() throws {
    let path = Self.file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bench = try SinkBench(OutputRequest(.raw(path)))
    let loud: (Int16) -> Bool = { abs($0) > 900 }
    bench.thread.playTone(true)
    #expect(try bench.wait { Self.samples(path).contains(where: loud) })
    bench.tune(to: 1)
    #expect(try bench.feed(Pcm.noise(4_410), rate: bench.thread.rate, flags: .end))
    #expect(try bench.waitForEnd())
    let before = Self.samples(path).count
    #expect(try bench.wait { Self.samples(path).dropFirst(before).contains { abs($0) > 900 } })
    bench.thread.playTone(false)
    #expect(try bench.wait { bench.thread.state == .idle })
    let end = Self.samples(path).count
    #expect(Self.samples(path).suffix(2).allSatisfy { $0 == 0 } && end > before)
  }

  @Test("A sink without a clock has no tone, and rests")
  func free() throws {
    let path = Self.file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bench = try SinkBench(.free(.raw(path)))
    bench.tune(to: 1)
    bench.thread.playTone(true)
    #expect(try bench.feed(Pcm.noise(4_410), flags: .end))
    #expect(try bench.waitForEnd())
    #expect(try bench.wait { bench.thread.state == .idle })
    #expect(Self.samples(path).count == 2 * 4_410)
  }
}
