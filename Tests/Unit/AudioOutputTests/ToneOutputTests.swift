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

  @Test("An alarm's tone sounds in each second, also at volume 0, and ends with its order")
  func alarm() throws {
    let path = Self.file()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bench = try SinkBench(OutputRequest(.raw(path)))
    bench.thread.playTone(true)
    bench.thread.playAlarmTone(true)
    bench.board.pointee.gain.store(0, ordering: .relaxed)
    let loud: (Int16) -> Bool = { abs($0) > 900 }
    let rate = Int(bench.thread.rate.hertz)
    #expect(try bench.wait { Self.samples(path).count > 2 * 3 * rate })
    let samples = Self.samples(path)
    let first = try #require(samples.firstIndex(where: loud))
    let starts = (0..<2).map { second in samples[(first + 2 * second * rate)...].prefix(rate) }
    #expect(starts.allSatisfy { $0.contains(where: loud) })
    #expect(!samples[(first + rate + 100)...].prefix(rate - 300).contains(where: loud))
    bench.thread.playAlarmTone(false)
    bench.thread.playTone(false)
    #expect(try bench.wait { bench.thread.state == .idle })
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
