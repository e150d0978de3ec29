import Alignment
import CAllocGuard
import MediaSupport
import SeededRandom
import Testing
import Units

/// The place of one stream in another by decoded audio (F1).
struct AlignerTests {
  private struct Bench: ~Copyable {
    var aligner = Aligner()

    mutating func feedOld(_ programme: SyntheticProgramme, _ form: ProgrammeForm, from start: Double, _ seconds: Double)
    {
      let frames = form.frames(of: programme, from: start, seconds: seconds, seed: 3)
      aligner.appendOld(frames.span, channels: form.channels, rate: SampleRate(form.rate))
    }

    /// Feeds the new stream, and returns its place.
    @discardableResult
    mutating func feedNew(_ programme: SyntheticProgramme, _ form: ProgrammeForm, from start: Double, _ seconds: Double)
      -> Match?
    {
      let frames = form.frames(of: programme, from: start, seconds: seconds, seed: 5)
      aligner.appendNew(frames.span, channels: form.channels, rate: SampleRate(form.rate))
      while aligner.step() {}
      return aligner.match
    }
  }

  private static func match(
    _ old: SyntheticProgramme, _ new: SyntheticProgramme,
    _ forms: (old: ProgrammeForm, new: ProgrammeForm) = (ProgrammeForm(rate: 12_000), ProgrammeForm(rate: 16_000))
  ) -> Match? {
    var bench = Bench()
    bench.feedOld(old, forms.old, from: 0, old.duration)
    bench.feedNew(new, forms.new, from: 0, new.duration)
    return bench.aligner.match
  }

  private static let speech = SyntheticProgramme.speech(84, seed: 1)
  private static let music = SyntheticProgramme.music(84, seed: 2)

  @Test(
    "A new stream has its true place within 0.1 ms, whatever its rate, channels, level and polarity",
    arguments: [
      (ProgrammeForm(), ProgrammeForm(rate: 48_000, channels: 1, level: -12)),
      (ProgrammeForm(rate: 48_000, channels: 1), ProgrammeForm(rate: 44_100, isInverted: true)),
      (ProgrammeForm(rate: 22_050, level: -12), ProgrammeForm(rate: 16_000, channels: 1, noise: 0.3)),
      (ProgrammeForm(rate: 12_000, channels: 6, noise: 0.2), ProgrammeForm(rate: 8_000, isInverted: true)),
      (ProgrammeForm(rate: 32_000), ProgrammeForm(rate: 192_000, channels: 1)),
    ])
  func forms(old: ProgrammeForm, new: ProgrammeForm) throws {
    for (number, programme) in [Self.speech, Self.music].enumerated() {
      var bench = Bench()
      bench.feedOld(programme, old, from: 2, 12)
      let found = bench.feedNew(programme, new, from: 7.654_32, 7)
      let match = try #require(found, "programme \(number)")
      #expect(abs(match.delay.seconds - 5.654_32) < 0.000_1, "programme \(number): \(match)")
      #expect(match.isInverted == (old.isInverted != new.isInverted) && match.likeness > 0.9)
      #expect(abs(match.newTime(atOld: StreamTime(seconds: 6)).seconds - 0.345_68) < 0.000_1)
    }
  }

  @Test("A new stream is found from 30 s before the old stream's end to 3 s before", arguments: 0..<12)
  func delays(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let programme = seed % 2 == 0 ? Self.speech : Self.music
    let offset = Double.random(in: 0...20, using: &random)
    let length = Double.random(in: 5...30, using: &random)
    let back = Double.random(in: 3...30, using: &random)
    var bench = Bench()
    bench.feedOld(programme, ProgrammeForm(rate: 12_000), from: 32 + offset, length)
    let found = bench.feedNew(programme, ProgrammeForm(rate: 16_000), from: 32 + offset + length - back, back + 1)
    let match = try #require(found, "\(length) s, \(back) s before the end")
    #expect(abs(match.delay.seconds - (length - back)) < 0.000_1, "\(match), \(length) s, \(back) s")
  }

  @Test("Different programmes have no place", arguments: 0..<12)
  func strangers(seed: UInt64) {
    let one = seed % 2 == 0 ? SyntheticProgramme.speech(20, seed: 2 * seed) : .music(20, seed: 2 * seed)
    let other = seed % 3 == 0 ? SyntheticProgramme.speech(20, seed: 2 * seed + 1) : .music(20, seed: 2 * seed + 1)
    #expect(Self.match(one, other) == nil)
  }

  @Test(
    "Audio that fits at several places has no place",
    arguments: [
      ("silence", .silence(20)), ("a tone", .tone(440, 20)), ("a low tone", .tone(50, 20)),
      ("a high tone", .tone(900, 20)), ("a metronome", .metronome(20)),
      ("a fast metronome", .metronome(20, interval: 0.13)),
      (
        "a loop of music",
        SyntheticProgramme(Array(repeatElement(SyntheticProgramme.music(3, seed: 8).samples, count: 7).joined()))
      ),
      (
        "a loop of speech",
        SyntheticProgramme(Array(repeatElement(SyntheticProgramme.speech(7, seed: 8).samples, count: 3).joined()))
      ),
    ] as [(String, SyntheticProgramme)])
  func repeated(name: String, programme: SyntheticProgramme) {
    #expect(Self.match(programme, programme[4, 12]) == nil, "\(name)")
    let silent = ProgrammeForm(rate: 16_000, noise: 0)
    #expect(Self.match(programme, programme[4, 12], (silent, silent)) == nil, "\(name) without noise")
  }

  @Test("A jingle that was sent twice has a place only if the audio after the jingle has")
  func jingle() throws {
    let jingle = SyntheticProgramme.music(5, seed: 1)
    let old = SyntheticProgramme.speech(4, seed: 2) + jingle + .speech(4, seed: 3) + jingle + .speech(6, seed: 4)
    var bench = Bench()
    bench.feedOld(old, ProgrammeForm(rate: 12_000), from: 0, old.duration)
    let early = bench.feedNew(old, ProgrammeForm(rate: 16_000), from: 4, 4.9)
    #expect(early == nil)
    let found = bench.feedNew(old, ProgrammeForm(rate: 16_000), from: 8.9, 4)
    let match = try #require(found)
    #expect(abs(match.delay.seconds - 4) < 0.000_5)
  }

  @Test("An announcement before the programme changes nothing, and silence in it neither")
  func announcement() throws {
    let programme = Self.speech
    let new = SyntheticProgramme.music(6, seed: 2) + .silence(2) + programme[10, 15]
    let match = try #require(Self.match(programme, new))
    #expect(abs(match.delay.seconds - 2) < 0.000_1)
  }

  @Test("A programme that changes after a common piece has no place")
  func change() {
    let common = SyntheticProgramme.music(6, seed: 1)
    #expect(Self.match(common + .speech(10, seed: 2), common + .speech(10, seed: 3)) == nil)
  }

  @Test("A different speed of the encoders' clocks moves the place by less than 1 ms")
  func clocks() throws {
    let programme = Self.music
    // 50 millionths faster.
    let fast = ProgrammeForm(rate: 40_002)
    let frames = ProgrammeForm(rate: 40_000).frames(of: programme, from: 5, seconds: 25)
    var bench = Bench()
    bench.feedOld(programme, fast, from: 0, 30)
    bench.aligner.appendNew(frames.span, channels: 2, rate: SampleRate(fast.rate))
    while bench.aligner.step() {}
    let found = bench.aligner.match
    let match = try #require(found)
    #expect(abs(match.delay.seconds - 5) < 0.002)
  }

  @Test("A change of the sample rate within a stream moves no place")
  func rates() throws {
    var bench = Bench()
    bench.feedOld(Self.speech, ProgrammeForm(rate: 44_100), from: 0, 7.3)
    bench.feedOld(Self.speech, ProgrammeForm(rate: 24_000, channels: 1), from: 7.3, 12)
    bench.feedNew(Self.speech, ProgrammeForm(rate: 22_050), from: 4, 0.123)
    let found = bench.feedNew(Self.speech, ProgrammeForm(rate: 48_000), from: 4.123, 15)
    let match = try #require(found)
    #expect(abs(match.delay.seconds - 4) < 0.000_1)
  }

  @Test("Audio beyond 30 s is ignored, and `begin` forgets all")
  func limits() throws {
    let programme = Self.speech
    var bench = Bench()
    bench.feedOld(programme, ProgrammeForm(rate: 8_000), from: 0, 40)
    let found = bench.feedNew(programme, ProgrammeForm(rate: 8_000), from: 20, 50)
    let match = try #require(found)
    let isFull = bench.aligner.isFull
    #expect(isFull && abs(match.delay.seconds - 20) < 0.000_1)
    bench.aligner.begin()
    let isEmpty = !bench.aligner.isFull && bench.aligner.match == nil
    let later = bench.feedNew(programme, ProgrammeForm(rate: 8_000), from: 20, 10)
    #expect(isEmpty && later == nil)
  }

  @Test(
    "An aligner allocates only at creation", .enabled(if: guard_works(), "a sanitizer has a malloc of its own"))
  func allocations() {
    let programme = Self.speech
    let old = ProgrammeForm(rate: 16_000).frames(of: programme, from: 0, seconds: 20)
    let new = ProgrammeForm(rate: 16_000).frames(of: programme, from: 10, seconds: 12)
    var aligner = Aligner()
    func align() {
      aligner.begin()
      aligner.appendOld(old.span, channels: 2, rate: SampleRate(16_000))
      aligner.appendNew(new.span, channels: 2, rate: SampleRate(16_000))
      while aligner.step() {}
    }
    // The first time, Swift's runtime allocates the types.
    align()
    guard_start()
    align()
    let counts = guard_stop()
    let match = aligner.match
    #expect(counts.allocations == 0 && match != nil, "\(counts.allocations) allocations")
  }
}
