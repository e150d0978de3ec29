import Blocks
import Decoding
import Foundation
import Testing
import Units

/// Resamples synthetic audio, and records the source position of every output frame.
private final class Bench {
  var interpolator: Interpolator
  /// The source frame with this number.
  let source: (Int) -> (Int32, Int32)
  private(set) var taken = 0
  private(set) var out: [Int32] = []
  /// Source positions of the output frames.
  private(set) var places: [Double] = []
  /// Maximum number of periods drained after one input period.
  private(set) var mostPeriods = 0
  private let room = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)

  /// One tick per frame: the finest resolution.
  private static let frames = SampleRate(1)

  /// Never inlined: Swift 6.3.1 crashes if an optimised test has such an object on its stack.
  @inline(never)
  init(depth: SampleDepth = .bits24, _ source: @escaping (Int) -> (Int32, Int32)) {
    interpolator = Interpolator(depth)
    self.source = source
  }

  deinit { room.deallocate() }

  var isIdle: Bool { interpolator.isIdle }
  var left: [Double] { stride(from: 0, to: out.count, by: 2).map { Double(out[$0]) } }
  var right: [Double] { stride(from: 1, to: out.count, by: 2).map { Double(out[$0]) } }
  /// Source position of the next output frame.
  var place: Double { Double(taken) - interpolator.pending(at: Self.frames).seconds }

  /// Plays `count` frames in periods of `step`. With few frames, each position is exact.
  func play(_ count: Int, step: Int = Period.maxPart) {
    for start in stride(from: 0, to: count, by: step) {
      let period = min(step, count - start)
      for index in 0..<period { (room[2 * index], room[2 * index + 1]) = source(taken + index) }
      let before = place
      let isTaken = interpolator.consume(room, count: period)
      taken += period
      if isTaken { draw(from: before) } else { note(period, from: before) }
    }
  }

  func playTail() {
    let before = place
    interpolator.flush()
    draw(from: before)
  }

  private func draw(from before: Double) {
    var before = before
    var count = 0
    while case let made = interpolator.next(room), made > 0 {
      note(made, from: before)
      before = place
      count += 1
    }
    mostPeriods = max(mostPeriods, count)
  }

  private func note(_ made: Int, from before: Double) {
    out += UnsafeBufferPointer(start: room, count: 2 * made)
    let step = (place - before) / Double(made)
    for index in 0..<made { places.append(before + Double(index) * step) }
  }
}

struct InterpolatorTests {
  private static let whole = 8_388_607.0

  private static func tone(_ pitch: Double, level: Double = 1) -> (Int) -> (Int32, Int32) {
    { frame in
      let angle = 2 * Double.pi * pitch * Double(frame) / 44_100
      return (Int32((whole * level * sin(angle)).rounded()), Int32((whole * level * cos(angle)).rounded()))
    }
  }

  private static func noise(_ frame: Int) -> (Int32, Int32) {
    let number = UInt64(frame &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return (Int32(truncatingIfNeeded: number >> 40) - 8_388_608, Int32(truncatingIfNeeded: number >> 33) >> 8)
  }

  /// Fits a sine of `angle` per frame by least squares. Returns its level, and the level of the rest below it, in
  /// decibels.
  private func fit(_ samples: ArraySlice<Double>, angle: Double) -> (level: Double, rest: Double) {
    var (ss, sc, cc, sx, cx) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let (s, c) = (sin(angle * Double(index)), cos(angle * Double(index)))
      ss += s * s
      sc += s * c
      cc += c * c
      sx += s * sample
      cx += c * sample
    }
    let determinant = ss * cc - sc * sc
    let (a, b) = ((sx * cc - cx * sc) / determinant, (cx * ss - sx * sc) / determinant)
    let rest = samples.enumerated().reduce(0) { sum, pair in
      let error = pair.element - a * sin(angle * Double(pair.offset)) - b * cos(angle * Double(pair.offset))
      return sum + error * error
    }
    let power = (a * a + b * b) / 2
    return (10 * log10(2 * power / Self.whole / Self.whole), 10 * log10(rest / Double(samples.count) / power))
  }

  /// The fit of a tone in both channels, once the ratio is reached.
  private func steered(_ pitch: Double, _ parts: Int32, _ depth: SampleDepth = .bits24) -> [(
    level: Double, rest: Double
  )] {
    let bench = Bench(depth: depth, Self.tone(pitch))
    bench.interpolator.steer(to: ClockRatio(partsPerBillion: parts))
    bench.play(40_000)
    let angle = 2 * Double.pi * pitch / 44_100 / ClockRatio(partsPerBillion: parts).value
    return [fit(bench.left[24_000...], angle: angle), fit(bench.right[24_000...], angle: angle)]
  }

  private static let ratios: [Int32] = [500_000, -500_000, 3_000_000, -3_000_000, 20_000]

  @Test(arguments: ratios)
  func aToneIsAToneStill(parts: Int32) {
    for (pitch, most) in [(997.0, -100.0), (10_007, -85)] {
      for channel in steered(pitch, parts) {
        #expect(channel.rest < most, "\(pitch) Hz")
      }
    }
  }

  @Test(arguments: ratios)
  func theResponseIsFlat(parts: Int32) {
    for pitch in [100.0, 1_000, 5_000, 10_000, 12_500, 15_000] {
      let level = steered(pitch, parts)[0].level
      #expect(abs(level) < 0.1, "\(pitch) Hz")
    }
  }

  @Test func sixteenBitsAreSixteenBits() {
    for (depth, most) in [(SampleDepth.bits16, -96.0), (.bits16Dithered, -92)] {
      let channels = steered(997, 500_000, depth)
      #expect(channels.allSatisfy { $0.rest < most })
      let bench = Bench(depth: depth, Self.noise)
      bench.interpolator.steer(to: ClockRatio(partsPerBillion: 500_000))
      bench.play(5_000)
      #expect(bench.out.dropFirst(2_000).allSatisfy { $0 & 0xFF == 0 && $0 >= -8_388_608 && $0 <= 8_388_352 })
    }
  }

  @Test func nothingIsTouchedWhileTheRatioIsOne() {
    let bench = Bench(Self.noise)
    bench.play(10_000, step: 333)
    #expect(bench.taken == 10_000 && bench.isIdle && bench.place == 10_000)
    #expect((0..<10_000).allSatisfy { (bench.out[2 * $0], bench.out[2 * $0 + 1]) == Self.noise($0) })
  }

  /// From the ratio 1 to another ratio and back: each sample equals the source at its position.
  @Test func everySampleIsWhereItSaysItIs() {
    let angle = 2 * Double.pi * 997 / 44_100
    let bench = Bench(Self.tone(997))
    bench.play(1_000, step: 8)
    for parts: Int32 in [3_000_000, -3_000_000, 500_000, 1_000, 0, -500_000, 0] {
      bench.interpolator.steer(to: ClockRatio(partsPerBillion: parts))
      bench.play(20_000, step: 8)
    }
    #expect(bench.isIdle)
    bench.play(1_000, step: 8)
    let errors = zip(bench.left, bench.places).map { abs($0 - Self.whole * sin(angle * $1)) / Self.whole }
    #expect(20 * log10(errors.max() ?? 1) < -98)
    // The source neither repeats nor skips a part.
    let steps = zip(bench.places.dropFirst(), bench.places).map { $0 - $1 }
    #expect(steps.allSatisfy { abs($0 - 1) < 0.00302 })
    #expect(bench.places.last == 141_999)
  }

  @Test func theSoundIsUntouchedAgainAfterSteering() {
    let bench = Bench(Self.noise)
    for parts: Int32 in [500_000, 0, -3_000_000, 0] {
      bench.interpolator.steer(to: ClockRatio(partsPerBillion: parts))
      bench.play(60_000)
    }
    #expect(bench.isIdle && bench.place == 240_000)
    let frames = bench.out.count / 2
    #expect(
      (1...2_000).allSatisfy {
        (bench.out[2 * (frames - $0)], bench.out[2 * (frames - $0) + 1])
          == Self.noise(240_000 - $0)
      })
  }

  private static let slope = 4_000.0
  private static let turn = 4_000.0

  /// Rises and falls through all 24 bits; its value gives a position to a thousandth of a frame.
  private static func triangle(_ place: Double) -> Double {
    let phase = place.truncatingRemainder(dividingBy: 2 * turn)
    return slope * ((phase < turn ? phase : 2 * turn - phase) - turn / 2)
  }

  /// True if the triangle is far from its corners there, and `Float` is precise enough.
  private static func isOnSlope(_ place: Double, of count: Int) -> Bool {
    let phase = place.truncatingRemainder(dividingBy: turn)
    return phase > turn / 4 && phase < turn * 3 / 4 && place < Double(count - 20)
  }

  @Test func nothingIsLostOrHeardTwice() {
    let bench = Bench { frame in
      let height = Int32(Self.triangle(Double(frame)))
      return (height, -height)
    }
    var random: UInt64 = 5
    for _ in 0..<2_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let parts = Int32(random >> 40 % 6_000_001) - 3_000_000
      bench.interpolator.steer(to: random >> 33 % 4 == 0 ? .one : ClockRatio(partsPerBillion: parts))
      bench.play(1 + Int(random >> 50) % 1_152, step: 8)
    }
    bench.playTail()
    let taken = bench.taken
    let errors = zip(bench.left, bench.places).filter { Self.isOnSlope($1, of: taken) }.map {
      abs($0 - Self.triangle($1)) / Self.slope
    }
    #expect(errors.count > taken * 2 / 5)
    #expect(errors.allSatisfy { $0 < 1e-3 })
    #expect(bench.place == Double(taken))
  }

  @Test(arguments: [3_000_000, -3_000_000, 500_000, 1, 0])
  func theTailComesOut(parts: Int32) {
    for count in 1_100..<1_180 {
      let bench = Bench { $0 == count - 1 ? (1_000_000, -1_000_000) : (0, 0) }
      bench.interpolator.steer(to: ClockRatio(partsPerBillion: parts))
      bench.play(count, step: 500)
      bench.playTail()
      #expect(bench.isIdle == (parts == 0))
      #expect(abs(Double(bench.out.count / 2) - Double(count)) <= 1)
      #expect(bench.left.reduce(0, +) > 400_000)
      #expect(bench.place == Double(count))
      bench.play(100, step: 50)
      #expect(bench.out.suffix(10).allSatisfy { $0 == 0 })
    }
  }

  /// Otherwise the ring would contain many short periods, and half as much audio.
  @Test(arguments: [3_000_000, -3_000_000, 500_000, -500_000])
  func whatWasOnePeriodIsOneAgain(parts: Int32) {
    let bench = Bench(Self.noise)
    bench.interpolator.steer(to: ClockRatio(partsPerBillion: parts))
    bench.play(400_000)
    #expect(bench.mostPeriods == 1)
    bench.interpolator.steer(to: .one)
    bench.play(100_000)
    #expect(bench.mostPeriods == 1 && bench.isIdle)
  }

  @Test func aNewPlaceBeginsWithItsFirstFrame() {
    let bench = Bench(Self.noise)
    bench.interpolator.steer(to: ClockRatio(partsPerBillion: 3_000_000))
    bench.play(5_000)
    bench.interpolator.reset()
    let before = bench.out.count
    let first = Self.noise(bench.taken)
    bench.play(1_000)
    #expect((bench.out[before], bench.out[before + 1]) == first)
  }

  @Test func fullScaleIsClippedNotWrapped() {
    for (depth, highest) in [
      (SampleDepth.bits24, Int32(8_388_607)), (.bits16, 8_388_352), (.bits16Dithered, 8_388_352),
    ] {
      let bench = Bench(depth: depth) { $0 / 20 % 2 == 0 ? (8_388_607, -8_388_608) : (-8_388_608, 8_388_607) }
      bench.interpolator.steer(to: ClockRatio(partsPerBillion: -3_000_000))
      bench.play(20_000)
      let steered = bench.out.dropFirst(4_000)
      #expect(steered.max() == highest && steered.min() == -8_388_608)
      // A wrapped sample would jump from one end of the range to the other within a plateau.
      #expect(
        zip(bench.left, bench.places).dropFirst(4_000).allSatisfy { sample, place in
          let phase = place.truncatingRemainder(dividingBy: 40)
          return phase < 3 || abs(phase - 20) < 3 || phase > 37 || (sample > 0) == (phase < 20)
        })
    }
  }
}

struct RateConverterTests {
  /// The output for a sine of `frames` frames, including the tail.
  private func convert(_ from: Int32, _ to: Int32, frames: Int, pitch: Double, step: Int = 1152) throws -> [Int32] {
    guard var converter = RateConverter(from: SampleRate(from), to: SampleRate(to)) else { throw NoMemory() }
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: Period.frameCapacity * 2)
    defer { room.deallocate() }
    var out: [Int32] = []
    func draw() {
      while case let count = converter.next(room), count > 0 {
        out += UnsafeBufferPointer(start: room, count: 2 * count)
      }
    }
    for start in stride(from: 0, to: frames, by: step) {
      let count = min(step, frames - start)
      for index in 0..<count {
        let angle = 2 * Double.pi * pitch * Double(start + index) / Double(from)
        room[2 * index] = Int32((7_000_000 * sin(angle)).rounded())
        room[2 * index + 1] = Int32((3_500_000 * cos(angle)).rounded())
      }
      converter.consume(room, count: count)
      draw()
    }
    converter.flush()
    draw()
    return out
  }

  private struct NoMemory: Error {}

  private static let rates: [(Int32, Int32)] = [
    (44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (8_000, 48_000), (32_000, 44_100), (96_000, 48_000),
    (44_100, 96_000),
  ]

  @Test(arguments: rates)
  func lengthIsKept(from: Int32, to: Int32) throws {
    for (frames, step) in [(2 * Int(from), 1152), (12_345, 576), (1024, 1024), (100, 100)] {
      let out = try convert(from, to, frames: frames, pitch: 440, step: step)
      let ought = Double(frames) * Double(to) / Double(from)
      #expect(abs(Double(out.count / 2) - ought) <= max(2, Double(to) / Double(from)), "\(frames) frames")
    }
  }

  /// The level of everything except a sine of this pitch, in decibels below it, and the sine's phase.
  private func residue(_ samples: [Double], rate: Double, pitch: Double, start: Int) -> (level: Double, phase: Double) {
    var (sine, cosine) = (0.0, 0.0)
    let angles = samples.indices.map { 2 * Double.pi * pitch * Double(start + $0) / rate }
    for (sample, angle) in zip(samples, angles) {
      sine += sample * sin(angle)
      cosine += sample * cos(angle)
    }
    sine *= 2 / Double(samples.count)
    cosine *= 2 / Double(samples.count)
    let rest = zip(samples, angles).reduce(0) { sum, pair in
      let error = pair.0 - sine * sin(pair.1) - cosine * cos(pair.1)
      return sum + error * error
    }
    let power = (sine * sine + cosine * cosine) / 2
    return (10 * log10(rest / Double(samples.count) / power), atan2(cosine, sine))
  }

  @Test(arguments: rates)
  func aSineStaysASineInItsPlace(from: Int32, to: Int32) throws {
    // One second in the middle, with whole periods.
    let pitch = 997.0
    let out = try convert(from, to, frames: 2 * Int(from), pitch: pitch)
    let middle = Int(to) / 2..<Int(to) / 2 + Int(to)
    let left = residue(middle.map { Double(out[2 * $0]) }, rate: Double(to), pitch: pitch, start: middle.lowerBound)
    let right = residue(
      middle.map { Double(out[2 * $0 + 1]) }, rate: Double(to), pitch: pitch, start: middle.lowerBound)
    #expect(left.level < -115)
    #expect(right.level < -115)
    // A thousandth of a period.
    #expect(abs(left.phase) < 0.006)
    #expect(abs(right.phase - .pi / 2) < 0.006)
  }

  @Test("A conversion that another one continues has no edge between them", arguments: rates)
  func continues(from: Int32, to: Int32) throws {
    let border = Int(from) / 2
    let sine = (0..<Int(from)).flatMap { place -> [Int32] in
      let sample = Int32((7_000_000 * sin(2 * Double.pi * 997 * Double(place) / Double(from))).rounded())
      return [sample, sample]
    }
    let whole = try convert(from, to, frames: Int(from), pitch: 997)
    guard var first = RateConverter(from: SampleRate(from), to: SampleRate(to)),
      var second = RateConverter(from: SampleRate(from), to: SampleRate(to))
    else { throw NoMemory() }
    var out: [Int32] = []
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: Period.frameCapacity * 2)
    defer { room.deallocate() }
    sine.withUnsafeBufferPointer { sine in
      guard let sine = sine.baseAddress else { return }
      for start in stride(from: 0, to: border, by: 1_000) {
        first.consume(sine + 2 * start, count: min(1_000, border - start))
        while case let count = first.next(room), count > 0 { out += UnsafeBufferPointer(start: room, count: 2 * count) }
      }
      first.flush(into: sine + 2 * border, count: 1_000)
      while case let count = first.next(room), count > 0 { out += UnsafeBufferPointer(start: room, count: 2 * count) }
      second.prime(sine + 2 * (border - RateConverter.primerCount(from: SampleRate(from), to: SampleRate(to))))
      for start in stride(from: border, to: Int(from) - 1_000, by: 1_000) {
        second.consume(sine + 2 * start, count: 1_000)
        while case let count = second.next(room), count > 0 {
          out += UnsafeBufferPointer(start: room, count: 2 * count)
        }
      }
    }
    let places = stride(from: Int(to) / 4, to: Int(to) * 3 / 4, by: 1)
    let greatest = places.reduce(0) { max($0, abs(out[2 * $1] - whole[2 * $1])) }
    #expect(greatest < 7_000_000 / 1_000, "\(greatest)")
  }

  @Test func fullScaleIsClippedNotWrapped() throws {
    guard var converter = RateConverter(from: SampleRate(44_100), to: SampleRate(48_000)) else { throw NoMemory() }
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: Period.frameCapacity * 2)
    defer { room.deallocate() }
    for index in 0..<2304 { room[index] = index / 2 % 40 < 20 ? 8_388_607 : -8_388_608 }
    converter.consume(room, count: 1152)
    var peak: Int32 = 0
    while case let count = converter.next(room), count > 0 {
      for index in 0..<2 * count { peak = max(peak, abs(room[index])) }
    }
    #expect(peak >= 8_388_607 && peak <= 8_388_608)
  }
}
