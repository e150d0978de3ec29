import AudioOutput
import CLinux
import MediaSupport
import SinkBench
import Testing
import Units

/// A card's queued audio after the listener left it.
struct CardQueueTests {
  private enum Departure: CaseIterable {
    case zap, seek
  }

  private static let level: Int16 = 20_000
  /// Slow, so that most frames are unplayed even on a busy machine.
  private static let rate = SampleRate(8_000)

  /// Writes 3.75 s to a card with a buffer of 4 s, leaves them, and plays 2,000 other frames. Returns the left samples.
  private static func play(_ departure: Departure, _ card: BenchCard, then next: [Int32]) throws -> [Int16] {
    var output = card.output
    (output.periodMilliseconds, output.bufferMilliseconds) = (500, 4_000)
    let bench = try SinkBench(output, isRunning: false)
    bench.tune(to: 1)
    #expect(try bench.feed([Int32](repeating: Int32(level) << 8, count: 60_000), rate: rate))
    bench.thread.run()
    #expect(try bench.wait { bench.playedFrames == 30_000 })
    switch departure {
    case .zap: bench.tune(to: 2)
    case .seek: bench.seek(to: 1)
    }
    bench.thread.call()
    #expect(try bench.feed(next, rate: rate, flags: .end))
    #expect(try bench.waitForEnd())
    bench.thread.stop()
    #expect(bench.board.pointee.xruns.load(ordering: .acquiring) == 0)
    let samples = Pcm.samples(card.playedPcm)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  @Test(
    "A zap or seek drops a card's queue, fades out, and continues with the next audio",
    arguments: Departure.allCases)
  private func drop(_ departure: Departure) throws {
    let next = Pcm.noise(2_000)
    let left = try Self.play(departure, BenchCard(), then: next)
    let old = left.prefix { $0 == Self.level }.count
    #expect(old < 29_000)
    let fade = left[old..<(old + 40)].map(Int.init)
    let steps = zip(fade, fade.dropFirst()).map { $0 - $1 }
    #expect(steps.allSatisfy { (1...501).contains($0) })
    #expect(left[old + 40] == 0)
    let rest = left[(old + 40)...].drop { $0 == 0 }
    #expect(rest.count <= 2_000 && rest.count > 1_900)
  }

  private static func bench(_ file: TemporaryFile, milliseconds: Int) throws -> SinkBench {
    var output = OutputRequest(.raw(file.path))
    output.bufferMilliseconds = milliseconds
    return try SinkBench(output, isRunning: false)
  }

  @Test("Many zaps write at most a buffer and a period more than real time to a paced file")
  func pacedFile() throws {
    let file = try TemporaryFile()
    let bench = try Self.bench(file, milliseconds: 400)
    let start = bk_monotonic_ns()
    bench.thread.run()
    for epoch in 1...20 {
      bench.tune(to: UInt32(epoch))
      bench.thread.call()
      let before = bench.playedFrames
      #expect(try bench.feed(Pcm.noise(8_000), rate: Self.rate))
      #expect(try bench.wait { bench.playedFrames > before + 400 })
    }
    bench.thread.stop()
    let seconds = Double(bk_monotonic_ns() - start) / 1e9
    let written = Double(try file.bytes().count / 4) / Double(Self.rate.hertz)
    #expect(written < seconds + 0.4 + 0.2 + 0.1)
  }

  @Test("The next programme follows at once if a zap comes just after a paced file is full")
  func fullFile() throws {
    let file = try TemporaryFile()
    let bench = try Self.bench(file, milliseconds: 500)
    bench.thread.run()
    for epoch in 1...4 {
      bench.tune(to: UInt32(epoch))
      bench.thread.call()
      #expect(try bench.wait { epoch == 1 || bench.thread.state == .silent })
      let (before, start) = (bench.playedFrames, bk_monotonic_ns())
      #expect(try bench.feed(Pcm.noise(1_000), rate: Self.rate))
      #expect(try bench.wait { bench.playedFrames > before })
      // Less than the 250 ms of a write.
      #expect(bk_monotonic_ns() - start < 200_000_000)
      #expect(try bench.feed(Pcm.noise(7_000), rate: Self.rate))
      // Another 1,000 frames wait for the next write.
      #expect(try bench.wait { bench.playedFrames == before + 7_000 })
    }
    bench.thread.stop()
  }

  @Test("A zap does not count as an underrun of the null sink")
  func nullSink() throws {
    var output = OutputRequest(.null)
    output.bufferMilliseconds = 4_000
    let bench = try SinkBench(output, isRunning: false)
    bench.thread.run()
    for epoch in 1...10 {
      bench.tune(to: UInt32(epoch))
      bench.thread.call()
      let before = bench.playedFrames
      #expect(try bench.wait { epoch == 1 || bench.thread.state == .silent })
      #expect(try bench.feed(Pcm.noise(20_000), rate: Self.rate))
      #expect(try bench.wait { bench.playedFrames > before + 10_000 })
    }
    #expect(bench.board.pointee.xruns.load(ordering: .acquiring) == 0)
    bench.thread.stop()
  }

  @Test("A card that cannot drop its queue plays it, and then fades out")
  func refusal() throws {
    let card = BenchCard()
    card.refuseRewind()
    let left = try Self.play(.zap, card, then: Pcm.noise(2_000))
    #expect(left.prefix { $0 == Self.level }.count == 30_000)
  }
}
