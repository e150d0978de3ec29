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
    // A loop that begins after other audio counts from its own start.
    for seconds in [1, 25, 100] {
      let before = (0..<50 * seconds).map { _ in noise.next() }
      #expect(abs(Self.repeated(before + all) - 60) < 0.01, "after \(seconds) s")
    }
  }

  @Test("A loop with a pause, or with parts that repeat, is found wherever it begins", arguments: 0..<15)
  func parts(first: Int) {
    var noise = SeededGenerator(5)
    let (part, fill, pause) = ((0..<40).map { _ in noise.next() }, (0..<30).map { _ in noise.next() }, UInt64(9))
    for loop in [part + part + part + fill, part + Array(repeating: pause, count: 60), part + part + fill + part] {
      let all = Array(repeating: loop, count: 3_200 / loop.count + 1).flatMap { $0 }
      #expect(abs(Self.repeated(Array(all.dropFirst(first * loop.count / 15).prefix(3_000))) - 60) < 0.01)
    }
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

  @Test("Packets of one sample cause no more comparisons than others of the same duration")
  func shortPackets() {
    var noise = SeededGenerator(4)
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: PacketLoop.wordCount)
    defer { words.deallocate() }
    var loop = PacketLoop(words)
    let sample = StreamTime(seconds: 1 / 44_100)
    for number in 0..<44_100 { loop.consume(number % 8 == 0 ? noise.next() : 9, sample) }
    let most = PacketLoop.maxWork + PacketLoop.maxWorkPerSecond
    #expect((most / 2...most + 8).contains(loop.work), "\(loop.work) comparisons")
  }

  /// Returns the numbers of samples that repeat at the end, and at most. The frames arrive in parts of 1,280.
  private static func repeated(_ samples: [Int32]) -> (last: Int, most: Int) {
    let words = UnsafeMutablePointer<Int32>.allocate(capacity: SampleLoops.wordCount)
    defer { words.deallocate() }
    var loop = SampleLoops(words)
    var most = 0
    var frames: [Int32] = samples.flatMap { [$0, Int32(0)] }
    frames.withUnsafeMutableBufferPointer { buffer in
      for place in stride(from: 0, to: samples.count, by: 1_280) {
        guard let base = buffer.baseAddress else { return }
        loop.consume(base + 2 * place, min(1_280, samples.count - place), at: SampleRate(44_100))
        most = max(most, Int(loop.repeated.value))
      }
    }
    return (Int(loop.repeated.value), most)
  }

  @Test("Samples that repeat within -60 dBFS count from the first loud sample", arguments: [44_101, 132_300])
  func samples(period: Int) {
    var noise = SeededGenerator(3)
    let loop = (0..<period).map { $0 < 1_000 ? 0 : Int32.random(in: -1_000_000...1_000_000, using: &noise) }
    let all = Array(repeating: loop, count: 20 * 44_100 / period + 1).flatMap { $0 }.prefix(20 * 44_100)
    #expect(Self.repeated(Array(all)).last > 19 * 44_100)
    // Noise of -64 dBFS is inaudible, and noise of -50 dBFS is another programme.
    #expect(Self.repeated(all.map { $0 + Int32.random(in: -4_000...4_000, using: &noise) }).last > 19 * 44_100)
    #expect(Self.repeated(all.map { $0 + Int32.random(in: -26_000...26_000, using: &noise) }).last == 0)
  }

  @Test("A loop below or above zero is found (F3)", arguments: [-1, 1])
  func offset(sign: Int32) {
    var noise = SeededGenerator(7)
    let loop = (0..<88_200).map { _ in sign * Int32.random(in: 0...1_000_000, using: &noise) }
    #expect(Self.repeated((0..<6).flatMap { _ in loop }).last > 11 * 44_100)
  }

  @Test("A loop of 3 s counts from its start within 2 s, after any other audio", arguments: [0, 1, 2, 5, 17])
  func lateSamples(seconds: Int) {
    var noise = SeededGenerator(6)
    func random(_ count: Int) -> [Int32] {
      (0..<count).map { _ in Int32.random(in: -900_000...900_000, using: &noise) }
    }
    let loop = random(132_300)
    let all = random(seconds * 44_100 + 777) + (0..<5).flatMap { _ in loop }
    let most = Self.repeated(all).last
    #expect(most > 13 * 44_100 && most <= 15 * 44_100, "\(most)")
  }

  /// Programmes that repeat themselves but differ within each minute.
  enum Music: String, CaseIterable, Sendable {
    case drumsWithFills, metronomeOfChangingTempo, technoWithNoise

    static let rate = 11_025

    var samples: [Int32] {
      var noise = SeededGenerator(4)
      let beat = (0..<1_000).map { Int32.random(in: -4_000_000...4_000_000, using: &noise) / Int32(1 + $0 / 50) }
      return (0..<(150 * Self.rate)).map { place in
        let second = place / Self.rate
        switch self {
        case .drumsWithFills:
          // Another beat every 50 s.
          return place % 5_512 < 1_000 ? (second % 50 == 49 ? -1 : 1) * beat[place % 5_512] : 0
        case .metronomeOfChangingTempo:
          let period = 5_512 - 10 * (second / 45)
          return place % period < 1_000 ? beat[place % period] : 0
        case .technoWithNoise:
          let click = place % 5_167 < 1_000 ? beat[place % 5_167] : 0
          return click + Int32.random(in: -20_000...20_000, using: &noise)
        }
      }
    }
  }

  @Test("Music that differs within each minute is never a loop", arguments: Music.allCases)
  func music(_ music: Music) {
    let most = Self.repeated(music.samples).most
    #expect(most < 60 * Music.rate, "\(most)")
    #expect((music == .technoWithNoise) == (most < Music.rate), "\(most)")
  }
}
