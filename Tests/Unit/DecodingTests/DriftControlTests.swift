import Decoding
import Testing
import Units

/// A radio without audio: a model of the station, the sink's clock and the refill rule.
private struct ModelRadio {
  /// A model of the delivery.
  struct Line {
    /// Seconds of programme per second of the sink.
    var speed = 1.0
    /// Seconds of programme that the server sends at once.
    var burst = 4.0
    /// Seconds between two bursts.
    var lump = 3
    /// Probability that a second starts a stall, and the maximum stall in seconds.
    var stalls = 0.0
    var longestStall = 3
    /// Share of the programme that arrives during one minute of each hour; the rest is lost.
    var share = 1.0
  }

  let line: Line
  let aim: Double
  var control = DriftControl()
  var held = 0.0
  var isSounding = false
  var ratio = ClockRatio.one
  var second = 0
  /// Seconds in which playback was interrupted.
  var breaks: [Int] = []
  /// Number of seconds with the ratio 1.
  var untouched = 0
  private var due = 0.0
  private var stallEnd = 0
  private var random = RandomNumbers(state: 4)

  init(_ line: Line = Line(), aim: Double = 10) {
    self.line = line
    self.aim = aim
    held = line.burst
  }

  /// Simulates one second.
  mutating func step() {
    second += 1
    let isPoor = line.share < 1 && second % 3600 < 60
    due += line.speed * (isPoor ? line.share : 1)
    if line.stalls > 0, second >= stallEnd + 60, random.next() < line.stalls {
      stallEnd = second + 1 + Int(random.next() * Double(line.longestStall))
    }
    if second >= stallEnd, second % line.lump == 0 || random.next() < 0.1 {
      held += due
      due = 0
    }
    if !isSounding { isSounding = held >= (breaks.isEmpty ? 1 : 7) }
    guard isSounding else { return }
    let eaten = 1 / ratio.value
    if held < eaten {
      breaks.append(second)
      isSounding = false
      return
    }
    held -= eaten
    ratio = control.update(
      now: MonotonicTime(seconds: Double(second)), held: StreamTime(seconds: held), aim: StreamTime(seconds: aim))
    if ratio == .one { untouched += 1 }
  }

  mutating func run(seconds: Int, _ look: (Self) -> Void = { _ in }) {
    for _ in 0..<seconds {
      step()
      look(self)
    }
  }

  /// The maximum number of interruptions within this number of seconds.
  func mostBreaks(within seconds: Int) -> Int {
    breaks.indices.map { index in breaks[index...].prefix { $0 < breaks[index] + seconds }.count }.max() ?? 0
  }
}

/// Reproducible random numbers from 0 to 1.
private struct RandomNumbers {
  var state: UInt64

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}

struct DriftControlTests {
  private static let hour = 3600
  private static let day = 24 * hour

  @Test(arguments: [200e-6, -200e-6])
  func thirtyDaysWithoutAnUnderrun(drift: Double) {
    var radio = ModelRadio(ModelRadio.Line(speed: 1 + drift, stalls: 1 / 600))
    radio.run(seconds: 12 * Self.hour)
    let early = radio.breaks.count
    var lowest = Double.infinity
    var farthest = 0.0
    var steepest: Int32 = 0
    radio.run(seconds: 30 * Self.day - 12 * Self.hour) { radio in
      lowest = min(lowest, radio.held)
      farthest = max(farthest, abs(radio.control.hold.seconds - 10))
      steepest = max(steepest, abs(radio.ratio.partsPerBillion))
    }
    #expect(early <= 1)
    #expect(radio.breaks.count == early)
    #expect(lowest > 1)
    #expect(farthest < 1)
    #expect(steepest <= 500_000)
  }

  @Test(arguments: [200e-6, -200e-6])
  func aPoorMinuteInEachHourIsMadeUpFor(drift: Double) {
    var radio = ModelRadio(ModelRadio.Line(speed: 1 + drift, share: 0.9))
    var steepest: Int32 = 0
    var farthest = 0.0
    radio.run(seconds: 30 * Self.day) { radio in
      steepest = max(steepest, abs(radio.ratio.partsPerBillion))
      if radio.second > 2 * Self.hour, radio.second % Self.hour == Self.hour - 1 {
        farthest = max(farthest, abs(radio.control.hold.seconds - 10))
      }
    }
    #expect(radio.mostBreaks(within: 75) <= 6)
    #expect(radio.breaks.allSatisfy { $0 < 2 * Self.hour })
    #expect(steepest == ClockRatio.limit)
    #expect(farthest < 1)
  }

  @Test func ninetyPercentForGoodIsRefilledInsteadOfStuttered() {
    var radio = ModelRadio(ModelRadio.Line(speed: 0.9, burst: 1, lump: 1))
    radio.run(seconds: Self.hour)
    #expect(radio.mostBreaks(within: 75) <= 6)
  }

  @Test func aShortStartGrowsToThreeSecondsInMinutesAndToItsAimInHours() {
    var radio = ModelRadio(ModelRadio.Line(burst: 1, lump: 1))
    radio.run(seconds: Self.hour / 4)
    #expect(radio.breaks.isEmpty)
    #expect(radio.control.hold.seconds > 3)
    radio.run(seconds: 5 * Self.hour)
    #expect(radio.control.hold.seconds > 9)
    radio.run(seconds: 2 * Self.hour)
    #expect(abs(radio.control.hold.seconds - 10) < 0.2)
  }

  /// Compensation needs processor time; a good connection needs compensation rarely.
  @Test func aSixthOfTheTimeIsSteeredWhereNothingIsLost() {
    var radio = ModelRadio(ModelRadio.Line())
    radio.run(seconds: 120)
    let before = radio.untouched
    radio.run(seconds: 2 * Self.hour)
    #expect(radio.untouched - before >= 2 * Self.hour * 5 / 6)
    #expect(radio.control.hold.seconds > 6)
  }

  /// A lost buffer is restored at the maximum speed.
  @Test func whatWasLostComesBackAtOnce() {
    var radio = ModelRadio(ModelRadio.Line(burst: 9, lump: 1))
    radio.run(seconds: 5 * Self.hour)
    radio.held -= 5
    radio.run(seconds: 120)
    let before = radio.untouched
    radio.run(seconds: Self.hour / 2)
    #expect(radio.untouched == before)
    #expect(radio.control.hold.seconds > 9)
  }

  @Test func aLateRadioComesBackToItsDistance() {
    var radio = ModelRadio(ModelRadio.Line(burst: 40))
    var lowest = Double.infinity
    radio.run(seconds: 9 * Self.hour) { lowest = min(lowest, $0.control.hold.seconds) }
    #expect(abs(radio.control.hold.seconds - 10) < 0.5)
    #expect(lowest > 9.5)
  }

  @Test func nothingIsTouchedWhereClocksAgree() {
    var radio = ModelRadio(ModelRadio.Line(stalls: 1 / 600))
    radio.run(seconds: 7 * Self.hour)
    let before = radio.untouched
    radio.run(seconds: 2 * Self.day)
    #expect(radio.untouched - before == 2 * Self.day)
  }

  @Test(arguments: [200e-6, -200e-6])
  func aShiftOfTimeIsKept(drift: Double) {
    var radio = ModelRadio(ModelRadio.Line(speed: 1 + drift))
    radio.run(seconds: Self.hour)
    radio.held += 60
    radio.control.keepDistance()
    radio.run(seconds: 60) { #expect($0.ratio == .one) }
    let kept = radio.control.hold.seconds
    var farthest = 0.0
    radio.run(seconds: 5 * Self.day) { farthest = max(farthest, abs($0.control.hold.seconds - kept)) }
    #expect(kept > 60)
    #expect(farthest < 0.7)
    radio.control.restart()
    radio.run(seconds: 20 * Self.hour)
    #expect(abs(radio.control.hold.seconds - 10) < 0.7)
  }

  @Test func aShiftTowardsLiveLeavesTheAim() {
    var radio = ModelRadio(ModelRadio.Line(burst: 30, lump: 1))
    radio.run(seconds: 60)
    radio.held = 3
    radio.control.keepDistance()
    radio.run(seconds: 6 * Self.hour)
    #expect(abs(radio.control.hold.seconds - 10) < 0.5)
  }

  @Test func theAverageBeginsAnewAfterAPause() {
    var control = DriftControl()
    let aim = StreamTime(seconds: 10)
    for second in 0..<300 {
      _ = control.update(now: MonotonicTime(seconds: Double(second)), held: StreamTime(seconds: 9), aim: aim)
    }
    #expect(abs(control.hold.seconds - 9) < 1e-6)
    _ = control.update(now: MonotonicTime(seconds: 320), held: StreamTime(seconds: 29), aim: aim)
    #expect(control.hold.seconds == 29)
  }

  /// Buffered seconds, and the expected stretch in parts per million.
  @Test(arguments: [
    (0, 3000), (1, 3000), (8, 3000), (8.5, 1750), (9, 500), (9.4, 500), (9.7, 0), (10, 0), (10.3, 0), (10.6, -500),
    (11, -500), (11.5, -1750), (12, -3000), (1e9, -3000), (-1e9, 3000),
  ])
  func theRatioFollowsTheHold(held: Double, parts: Int32) {
    var control = DriftControl()
    let ratio = control.update(now: .zero, held: StreamTime(seconds: held), aim: StreamTime(seconds: 10))
    #expect(abs(ratio.partsPerBillion - parts * 1000) <= 1)
  }

  @Test func theRatioGoesInSmallSteps() {
    var control = DriftControl()
    var last: Int32?
    var widest: Int32 = 0
    var random = RandomNumbers(state: 9)
    for second in 0..<20_000 {
      // Bursts of three seconds and noise around a buffer that rises from 4 s to 16 s.
      let held = 4 + Double(second) * 12 / 20_000 + 3 - Double(second % 3) + random.next()
      let ratio = control.update(
        now: MonotonicTime(seconds: Double(second)), held: StreamTime(seconds: held), aim: StreamTime(seconds: 10))
      // Between bursts the ratio is 1.
      if let last, second > 120, last != 0, ratio != .one { widest = max(widest, abs(ratio.partsPerBillion - last)) }
      last = ratio.partsPerBillion
    }
    // Less than a hundredth of a semitone.
    #expect(widest <= 500_000)
  }
}

struct ClockRatioTests {
  @Test(arguments: [
    (1, 0), (1.0005, 500_000), (0.997, -3_000_000), (1.000_000_000_4, 0), (2, 3_000_000), (-.infinity, -3_000_000),
    (.nan, 0),
  ])
  func aNumberBecomesTheNextRatio(value: Double, parts: Int32) {
    #expect(ClockRatio(value).partsPerBillion == parts)
    #expect((ClockRatio(value) == .one) == (parts == 0))
  }

  @Test func whatIsBeyondTheLimitIsClamped() {
    #expect(ClockRatio(partsPerBillion: .max).partsPerBillion == ClockRatio.limit)
    #expect(ClockRatio(partsPerBillion: .min).value == 0.997)
  }
}
