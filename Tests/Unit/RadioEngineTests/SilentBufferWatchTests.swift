import Blocks
import Decoding
import Testing
import Units

@testable import RadioEngine

/// The watch for buffered but inaudible audio (R2.2), second by second.
@Suite struct SilentBufferWatchTests {
  private static let unheard = SilentBufferWatch.Snapshot(
    isWanted: true, isAtSink: false, isComplete: true, held: StreamTime(seconds: 3), written: StreamTime(seconds: 9),
    playedFrames: 1_000)

  /// The seconds at which the watch is due, with `look` applied to each second.
  private func due(_ seconds: Int, _ look: (Int, inout SilentBufferWatch.Snapshot) -> Void = { _, _ in }) -> [Int] {
    var watch = SilentBufferWatch()
    return (0..<seconds).filter { second in
      var now = Self.unheard
      look(second, &now)
      return watch.isDue(now, at: MonotonicTime(milliseconds: Int64(second) * 1_000))
    }
  }

  @Test("Complete buffered audio is due after 5 s, and again every 5 s")
  func complete() { #expect(due(20) == [5, 10, 15]) }

  @Test("If bytes may still arrive, audio is due 5 s after 5 s without bytes")
  func quiet() { #expect(due(20) { $1.isComplete = false } == [10, 15]) }

  @Test("A stalled pipe reader's buffer does not count", arguments: [(8, 0), (1, 1)])
  func atReader(_ seconds: Int, _ rescues: Int) throws {
    let bench = try RadioBench.inSituation(.playing) { $0.cardDelay = seconds * 44_100 }
    bench.engine.isSounding = false
    bench.hold(0...8)
    bench.engine.receivedEpoch = bench.engine.epoch
    bench.sound(at: 0)
    for _ in 0..<9 { bench.step(after: 1) }
    #expect(bench.orders().count { $0 == .rescue } == rescues)
  }

  @Test("A prebuffer with incoming bytes is never due")
  func gathering() {
    let times = due(60) { second, look in
      look.isComplete = false
      look.written = StreamTime(seconds: Double(second) / 10)
    }
    #expect(times.isEmpty)
  }

  @Test("The 5 s start when audio ended and no more data arrived", arguments: [(7, 0), (0, 7), (7, 7), (3, 7)])
  func begins(lastSound: Int, complete: Int) {
    let times = due(15) { second, look in
      look.playedFrames = Int64(min(second, lastSound))
      look.isComplete = second >= complete
      look.written = StreamTime(seconds: Double(min(second, complete)))
    }
    #expect(times.first == max(lastSound, complete) + 5)
  }

  /// Seconds of audio that a rate converter retains after 8,000 frames.
  private func keptByConverter(from: SampleRate, to: SampleRate) throws -> Double {
    let made = RateConverter(from: from, to: to)
    guard var converter = consume made else { throw ConverterMissing() }
    let frames = [Int32](repeating: 1_000, count: 2 * Period.maxPart)
    var out = [Int32](repeating: 0, count: 2 * Period.frameCapacity)
    var (taken, given) = (0, 0)
    for _ in 0..<8 {
      converter.consume(frames, count: 1_000)
      taken += 1_000
      while case let count = converter.next(&out), count > 0 { given += count }
    }
    return Double(taken) / Double(from.hertz) - Double(given) / Double(to.hertz)
  }

  private struct ConverterMissing: Error {}

  /// Maximum seconds of audio that steering retains.
  private func keptBySteering(at rate: SampleRate) -> Double {
    var interpolator = Interpolator(.bits16)
    interpolator.steer(to: ClockRatio(1.003))
    let frames = [Int32](repeating: 1_000, count: 2 * Period.frameCapacity)
    var out = frames
    var most = 0.0
    for _ in 0..<30 {
      _ = interpolator.consume(frames, count: 1_000)
      while interpolator.next(&out) > 0 {}
      most = max(most, interpolator.pending(at: rate).seconds)
    }
    return most
  }

  @Test("The rest below a refill, and the buffers of conversion and steering, do not count")
  func remainders() throws {
    let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000].map { SampleRate($0) }
    var most = 0.0
    for to in rates {
      let steering = keptBySteering(at: to)
      for from in rates where to != from { most = max(most, try keptByConverter(from: from, to: to) + steering) }
    }
    #expect(most > 0.01 && most < 0.02)
    #expect(
      PrebufferGate.minAudible.seconds + most < SilentBufferWatch.minSilentDuration.seconds, "they keep \(most) s")
    #expect(SilentBufferWatch.minSilentDuration < StreamTime(seconds: 0.5), "sound of half a second is heard")
  }

  @Test(
    "Audio is never due while unwanted, empty, written to the sink, or playing",
    arguments: ["wanted", "held", "sink", "sound"])
  func legitimate(reason: String) {
    let times = due(60) { second, look in
      switch reason {
      case "wanted": look.isWanted = false
      case "held": look.held = SilentBufferWatch.minSilentDuration
      case "sink": look.isAtSink = true
      default: look.playedFrames = Int64(second / 4)
      }
    }
    #expect(times.isEmpty)
  }
}
