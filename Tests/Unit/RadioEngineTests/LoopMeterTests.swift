import SeededRandom
import Testing
import Units

@testable import RadioEngine

/// The search for repeated audio (F3).
struct LoopMeterTests {
  /// Returns the seconds that repeat after packets of 20 ms with these hashes.
  private static func repeated(_ hashes: [UInt64]) -> Double {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: PacketLoop.wordCount)
    defer { words.deallocate() }
    var loop = PacketLoop(words)
    for hash in hashes { loop.consume(hash, StreamTime(seconds: 0.02)) }
    return loop.repeated.seconds
  }

  @Test("Packets that repeat count from the first, whatever the period (F3)", arguments: [1, 5, 8, 150, 1_400])
  func packets(period: Int) {
    var noise = SeededGenerator(1)
    let loop = (0..<period).map { _ in noise.next() }
    let all = Array(repeating: loop, count: 3_000 / period + 1).flatMap { $0 }.prefix(3_000)
    #expect(abs(Self.repeated(Array(all)) - 60) < 0.01)
    #expect(Self.repeated(Array(all) + [7]) == 0)
    // Eight packets that appear again after a minute are not a loop yet.
    let once = (0..<1_400).map { _ in noise.next() }
    #expect(Self.repeated(once + once.prefix(8)) == 0)
    // A loop that begins after 25 s of other audio counts from its own start.
    let before = (0..<1_250).map { _ in noise.next() }
    let later = Array(repeating: loop, count: 6_000 / period + 1).flatMap { $0 }.prefix(6_000)
    #expect(abs(Self.repeated(before + later) - (120 - (period > 250 ? 0 : 5))) < 30.1)
  }

  @Test("A bar that repeats within a longer pattern is not a loop until the whole pattern repeats")
  func bars() {
    var noise = SeededGenerator(2)
    let bar = (0..<50).map { _ in noise.next() }
    let fill = (0..<50).map { _ in noise.next() }
    let song = Array(repeating: bar, count: 7).flatMap { $0 } + fill
    #expect(Self.repeated(Array(repeating: song, count: 7).flatMap { $0 }) > 50)
    let changing = (0..<60).flatMap { number in bar + bar + bar + [UInt64(number)] }
    #expect(Self.repeated(changing) < 4)
  }

  /// Returns the number of samples that repeat. The frames arrive in parts of 1,280.
  private static func repeated(_ samples: [Int32]) -> Int {
    let words = UnsafeMutablePointer<Int32>.allocate(capacity: SampleLoop.wordCount)
    defer { words.deallocate() }
    var loop = SampleLoop(words)
    var frames: [Int32] = samples.flatMap { [$0, Int32(0)] }
    frames.withUnsafeMutableBufferPointer { buffer in
      for place in stride(from: 0, to: samples.count, by: 1_280) {
        guard let base = buffer.baseAddress else { return }
        loop.consume(base + 2 * place, min(1_280, samples.count - place))
      }
    }
    return Int(loop.repeated.value)
  }

  @Test("Samples that repeat within -60 dBFS count from the first loud sample", arguments: [44_101, 132_300])
  func samples(period: Int) {
    var noise = SeededGenerator(3)
    let loop = (0..<period).map { $0 < 1_000 ? 0 : Int32.random(in: -1_000_000...1_000_000, using: &noise) }
    let all = Array(repeating: loop, count: 20 * 44_100 / period + 1).flatMap { $0 }.prefix(20 * 44_100)
    #expect(Self.repeated(Array(all)) > 19 * 44_100)
    // Noise of -64 dBFS is inaudible, and noise of -50 dBFS is another programme.
    #expect(Self.repeated(all.map { $0 + Int32.random(in: -4_000...4_000, using: &noise) }) > 19 * 44_100)
    #expect(Self.repeated(all.map { $0 + Int32.random(in: -26_000...26_000, using: &noise) }) == 0)
  }
}
