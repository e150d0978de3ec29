import Blocks
import Rendering
import Testing
import Units

struct RendererTests {
  /// Frames in a ramp of 5 ms, plus one for rounding.
  static func rampFrames(_ rate: SampleRate = .cd) -> Int { Int(rate.hertz) / 200 + 1 }

  // MARK: Unchanged audio

  @Test("Samples pass bit by bit, in requests of any size", arguments: [1, 7, 441, 1_152, 2_205, 4_800])
  func passesThrough(_ count: Int) throws {
    let bench = try RenderBench()
    let samples = [Int32].noise(3 * 1_152 + 100)
    for start in stride(from: 0, to: samples.count, by: 2_304) {
      bench.write(Array(samples[start..<min(samples.count, start + 2_304)]), byteOffset: start)
    }
    var heard: [Int32] = []
    while true {
      let (part, stop) = bench.render(count)
      heard += part
      guard stop == .full else { break }
      #expect(part.count == count * 2)
    }
    #expect(heard == samples)
    #expect(bench.position == StreamTime(frames: FrameCount(samples.count / 2), at: .cd))
    #expect(bench.played == bench.position)
    #expect(bench.byteOffset == 3 * 2_304)
    #expect(bench.isSounding)
  }

  @Test func anEndIsToldWithItsLastFrame() throws {
    let bench = try RenderBench()
    let samples = [Int32].noise(100)
    bench.write(samples, flags: .end)
    let (heard, stop) = bench.render(441)
    #expect(heard == samples)
    #expect(stop == .end)
    #expect(!bench.isSounding)
    #expect(bench.render(441).stop == .dry)
  }

  @Test func anEmptyEndIsAnEnd() throws {
    let bench = try RenderBench()
    bench.write(.noise(100))
    bench.write([], flags: .end)
    let (heard, stop) = bench.render(441)
    #expect(heard == .noise(100))
    #expect(stop == .end)
  }

  @Test func anotherRateStopsBeforeItsFirstFrame() throws {
    let bench = try RenderBench()
    let other = SampleRate(48_000)
    bench.write(.noise(100))
    bench.write(.noise(200, seed: 9), rate: other)
    #expect(bench.render(441) == (.noise(100), .newFormat))
    #expect(bench.render(441) == ([], .newFormat))
    bench.setRate(other)
    #expect(bench.render(441) == (.noise(200, seed: 9), .dry))
    #expect(
      bench.played == StreamTime(frames: FrameCount(100), at: .cd) + StreamTime(frames: FrameCount(200), at: other))
  }

  @Test(
    "A duration limit is exact to the frame", arguments: [1, 1_151, 1_152, 1_153, 2_000],
    [Int32(44_100), 48_000, 8_000])
  func limit(_ frames: Int, _ hertz: Int32) throws {
    let rate = SampleRate(hertz)
    let bench = try RenderBench(rate: rate)
    bench.limit(StreamTime(frames: FrameCount(frames), at: rate))
    for _ in 0..<3 { bench.write(.noise(1_152), rate: rate) }
    var count = 0
    var stop = RenderStop.full
    while stop == .full {
      let part = bench.render(333)
      count += part.samples.count / 2
      stop = part.stop
    }
    #expect(count == frames)
    #expect(stop == .end)
    #expect(bench.render(333) == ([], .dry))
    #expect(!bench.hasPeriod)
    // The next programme has its own limit of the same length.
    bench.want(2)
    bench.write(.noise(500, seed: 3), epoch: 2, rate: rate)
    #expect(bench.render(1).samples == Array([Int32].noise(500, seed: 3)[..<2]))
  }

  @Test("A duration limit ends playback with its last frame, even if no audio follows", arguments: [100, 1_152, 1_153])
  func limitAtEnd(_ frames: Int) throws {
    let bench = try RenderBench()
    bench.limit(StreamTime(frames: FrameCount(frames), at: .cd))
    let samples = [Int32].noise(frames)
    bench.write(Array(samples.prefix(2_304)))
    if frames > 1_152 { bench.write(Array(samples.dropFirst(2_304))) }
    #expect(bench.render(2_000) == (samples, .end))
    #expect(!bench.isSounding && bench.render(333) == ([], .dry))
  }

  // MARK: Ramps

  @Test(
    "A cut fades out within 5 ms, and the new audio fades in at once, within 5 ms",
    arguments: [44_100, 8_000, 96_000] as [Int32])
  func cut(_ hertz: Int32) throws {
    let rate = SampleRate(hertz)
    let bench = try RenderBench(rate: rate)
    for _ in 0..<3 { bench.write(.level(8_000_000, 1_152), rate: rate) }
    bench.write(.noise(1_152), epoch: 2, rate: rate)
    #expect(bench.render(100).samples == .level(8_000_000, 100))
    bench.want(2)
    let ramp = Self.rampFrames(rate)
    let (heard, stop) = bench.render(ramp + 1_152)
    let fall = Array(heard[..<(heard.count - 2_304)])
    #expect(stop == .full || stop == .dry)
    #expect(fall.count / 2 <= ramp && fall.count / 2 >= ramp - 2)
    #expect(fall.left.falls && fall.right.rises)
    #expect(fall.left.first.map { $0 < 8_000_000 } == true)
    #expect(fall.left.last == 0 && ([8_000_000] + fall.left).steepest <= 8_000_000 / (ramp - 2) + 1)
    expectRise(Array(heard.suffix(2_304)), ramp)
    #expect(bench.epoch == 2)
    #expect(bench.played == StreamTime(frames: FrameCount(1_152), at: rate))
  }

  /// All periods of the old programme are played when the first new period arrives.
  @Test func aCutFallsEvenWhenNothingOfTheOldIsLeft() throws {
    let bench = try RenderBench()
    bench.write(.level(8_000_000, 100))
    _ = bench.render(100)
    bench.want(2)
    bench.write(.noise(1_152), epoch: 2)
    let (heard, _) = bench.render(Self.rampFrames() + 1_152)
    let fall = Array(heard.dropLast(2_304))
    #expect(fall.left.first.map { $0 > 7_800_000 && $0 < 8_000_000 } == true)
    #expect(fall.left.falls && fall.left.last == 0)
    expectRise(Array(heard.suffix(2_304)), Self.rampFrames())
  }

  /// Expects noise that rises from silence within a ramp.
  private func expectRise(_ heard: [Int32], _ ramp: Int) {
    let noise = [Int32].noise(1_152)
    let shares = zip(heard, noise).prefix(2 * ramp).map { abs(Double($0) / Double($1 == 0 ? 1 : $1)) }
    #expect(shares[0] <= 1.5 / Double(ramp - 2) && shares[ramp] > 0.4 && shares[ramp] < 0.6)
    #expect(Array(heard.dropFirst(2 * ramp)) == Array(noise.dropFirst(2 * ramp)))
  }

  @Test func nothingOfTheOldIsHeardAfterSilence() throws {
    let bench = try RenderBench()
    for _ in 0..<5 { bench.write(.level(8_000_000, 1_152)) }
    bench.want(2)
    bench.write(.noise(10), epoch: 2)
    #expect(bench.render(441) == (.noise(10), .dry))
  }

  @Test func whatFollowsAGapRises() throws {
    let bench = try RenderBench()
    bench.write(.level(8_000_000, 1_152))
    bench.write(.level(8_000_000, 1_152), flags: .followsGap)
    let (heard, _) = bench.render(2_304)
    let rise = heard.left[1_152...].prefix { $0 < 8_000_000 }
    #expect(heard.left[..<1_152].allSatisfy { $0 == 8_000_000 })
    #expect(rise.count >= Self.rampFrames() - 2 && rise.count <= Self.rampFrames())
    #expect(rise.first.map { $0 < 80_000 } == true)
    #expect(Array(rise).rises && Array(heard.left[1_152...]).steepest <= 8_000_000 / 220 + 1)
    #expect(heard.left[(1_152 + rise.count)...].allSatisfy { $0 == 8_000_000 })
  }

  @Test("A reopened sink's audio fades in, across requests", arguments: [1, 100, 220, 500])
  func aTornSinkRises(_ count: Int) throws {
    let bench = try RenderBench()
    for _ in 0..<2 { bench.write(.level(8_000_000, 1_152)) }
    _ = bench.render(100)
    let left = (bench.tear(.level(8_000_000, count)) + bench.render(400).samples).left
    #expect(left.rises && left[0] < 80_000 && left.last == 8_000_000)
    #expect(zip(left, left.dropFirst()).allSatisfy { $1 - $0 <= 8_000_000 / 220 + 1 })
    #expect(left.firstIndex(of: 8_000_000).map { (218...221).contains($0) } == true)
  }

  @Test func starvingFallsFromTheLastLevelAndRisesAgain() throws {
    let bench = try RenderBench()
    bench.write(.level(8_000_000, 100))
    #expect(bench.render(441).stop == .dry)
    let fall = bench.renderFall(441)
    #expect(fall.left.falls && fall.right.rises)
    #expect(fall.left[0] < 8_000_000 && fall.left[0] > 7_900_000)
    #expect(fall.left[Self.rampFrames()...].allSatisfy { $0 == 0 })
    #expect(!bench.isSounding)
    #expect(bench.renderFall(100) == .level(0, 100))
    bench.write(.level(8_000_000, 1_152))
    let left = bench.render(400).samples.left
    #expect(left.rises && left[0] < 80_000 && left[399] == 8_000_000 && left.steepest <= 8_000_000 / 220 + 1)
  }

  @Test("Gain reaches its new value within 5 ms, without a step", arguments: [(1.0, 0.0), (0.0, 1.0), (0.25, 0.5)])
  func gain(_ from: Double, _ to: Double) throws {
    let bench = try RenderBench()
    bench.setGain(from)
    for _ in 0..<2 { bench.write(.level(8_000_000, 1_152)) }
    #expect(bench.render(100).samples.left.allSatisfy { $0 == Int32(8_000_000 * from) })
    bench.setGain(to)
    let left = bench.render(1_000).samples.left
    let ramp = left.prefix { $0 != Int32(8_000_000 * to) }
    #expect(from < to ? left.rises : left.falls)
    #expect(ramp.count <= Self.rampFrames())
    #expect(ramp.count >= Int(abs(to - from) * Double(Self.rampFrames())) - 2)
    #expect(zip(ramp, ramp.dropFirst()).allSatisfy { abs($0 - $1) <= 8_000_000 / 220 + 1 })
    #expect(left[ramp.count...].allSatisfy { $0 == Int32(8_000_000 * to) })
  }

  @Test(
    "Gain rounds, and stays within 24 bits",
    arguments: [
      (1.0, 8_388_607, 8_388_607), (1.0, -8_388_608, -8_388_608), (0.5, 3, 2), (0.5, -3, -1), (0.5, 1, 1),
      (2.0 - 0x1p-24, 8_388_607, 8_388_607), (2.0 - 0x1p-24, -8_388_608, -8_388_608), (0.0, 8_388_607, 0),
    ] as [(Double, Int32, Int32)])
  func gainRounds(_ gain: Double, _ sample: Int32, _ expected: Int32) throws {
    let bench = try RenderBench()
    bench.setGain(gain)
    bench.write([sample, sample])
    #expect(bench.render(1).samples == [expected, expected])
  }

  /// Samples near ties and limits too, in periods of several lengths.
  @Test(
    "Each sample is multiplied exactly and rounded, ties upwards",
    arguments: [0x1p-24, 0.001, 0.25, 0.5, 0.6, 1 - 0x1p-24, 1 + 0x1p-24, 1.5, 3.981, 100])
  func gainIsExact(_ gain: Double) throws {
    let factor = Int64(Int32(gain * 0x1p24))
    let edges = [0, 1, -1, 2, -2, 3, -3, 8_388_607, 8_388_606, -8_388_607, -8_388_608, 4_194_304, -4_194_303]
    let samples = edges.map { Int32($0) } + [Int32].noise(1_100)
    for frames in [1, 2, 3, 4, 5, 7, 1_001] {
      let bench = try RenderBench()
      bench.setGain(gain)
      let part = Array(samples[..<(2 * frames)])
      bench.write(part)
      #expect(
        bench.render(frames).samples
          == part.map { Int32(max(-8_388_608, min(8_388_607, (Int64($0) * factor + (1 << 23)) >> 24))) })
    }
  }
}

private func == (lhs: (samples: [Int32], stop: RenderStop), rhs: ([Int32], RenderStop)) -> Bool {
  lhs.samples == rhs.0 && lhs.stop == rhs.1
}
