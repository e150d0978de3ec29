import Foundation
import SeededRandom

/// Generated mono samples for programmes with silence, pauses, or repetition. Full scale is 1.
struct DeadAirMaterial {
  /// Frames per second.
  let rate: Int
  private(set) var samples: [Float] = []
  private var random: SeededGenerator

  init(_ rate: Int, seed: UInt64) { (self.rate, random) = (rate, SeededGenerator(seed)) }

  var seconds: Double { Double(samples.count) / Double(rate) }

  /// Returns the amplitude of a level in dBFS.
  static func amplitude(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  private func count(_ seconds: Double) -> Int { Int((seconds * Double(rate)).rounded()) }

  /// Adds digital silence.
  mutating func addSilence(_ seconds: Double) { samples += [Float](repeating: 0, count: count(seconds)) }

  /// Adds a constant.
  mutating func addOffset(_ decibels: Double, _ seconds: Double) {
    samples += [Float](repeating: Self.amplitude(decibels), count: count(seconds))
  }

  /// Adds noise with an RMS level.
  mutating func addNoise(_ decibels: Double, _ seconds: Double) { samples += noise(decibels, count(seconds)) }

  /// Adds a sine with an RMS level.
  mutating func addTone(_ hertz: Double, _ decibels: Double, _ seconds: Double) {
    let (peak, step) = (Self.amplitude(decibels) * Float(2.0.squareRoot()), 2 * Double.pi * hertz / Double(rate))
    samples += (0..<count(seconds)).map { peak * Float(sin(step * Double($0))) }
  }

  /// Adds a sustained chord with random pitches. The RMS level moves evenly from one to the other value.
  mutating func addChord(from first: Double, to last: Double, _ seconds: Double) {
    let total = count(seconds)
    let pitches = (0..<3).map { _ in Double.random(in: 180...900, using: &random) }
    let steps = pitches.map { 2 * Double.pi * $0 / Double(rate) }
    let factor = pow(10, (last - first) / 20 / Double(total))
    // Three sines with the amplitude a have the RMS a * sqrt(3 / 2).
    var gain = pow(10, first / 20) / 1.5.squareRoot()
    samples.reserveCapacity(samples.count + total)
    for place in 0..<total {
      let time = Double(place)
      samples.append(Float(gain * (sin(steps[0] * time) + sin(steps[1] * time) + sin(steps[2] * time))))
      gain *= factor
    }
  }

  /// Adds a phrase of noisy syllables at about -20 dBFS.
  mutating func addPhrase(_ seconds: Double) {
    let end = samples.count + count(seconds)
    while samples.count < end {
      var syllable = DeadAirMaterial(rate, seed: random.next())
      let pitch = Double.random(in: 90...260, using: &random)
      syllable.addTone(pitch, Double.random(in: -24...(-17), using: &random), 0.16)
      syllable.mix(syllable.noise(-32, syllable.samples.count), at: 0)
      samples += syllable.samples + [Float](repeating: 0, count: count(0.04))
    }
    samples.removeLast(samples.count - end)
  }

  /// Returns a hit: noise, or a tone if `hertz` is given, that fades away. `peak`: the first amplitude.
  mutating func hit(_ hertz: Double?, peak: Float, _ seconds: Double) -> [Float] {
    let total = count(seconds)
    let step = 2 * Double.pi * (hertz ?? 0) / Double(rate)
    let fading = Float(pow(0.001, 1 / Double(total)))
    var gain = peak
    return (0..<total).map { place in
      gain *= fading
      return gain * (hertz == nil ? unit() : Float(cos(step * Double(place))))
    }
  }

  /// Adds samples to those from a place on; parts after the end are dropped.
  mutating func mix(_ part: [Float], at first: Int) {
    samples.withUnsafeMutableBufferPointer { samples in
      part.withUnsafeBufferPointer { part in
        for place in 0..<max(0, min(part.count, samples.count - first)) { samples[first + place] += part[place] }
      }
    }
  }

  /// Adds a part again and again.
  mutating func addLoop(_ part: [Float], _ seconds: Double) {
    let total = count(seconds)
    let laps = [[Float]](repeating: part, count: total / max(1, part.count) + 1)
    samples += laps.joined().prefix(total)
  }

  /// Returns white noise with an RMS level.
  mutating func noise(_ decibels: Double, _ count: Int) -> [Float] {
    let peak = Self.amplitude(decibels) * Float(3.0.squareRoot())
    return (0..<count).map { _ in peak * unit() }
  }

  private mutating func unit() -> Float { Float(Int32(truncatingIfNeeded: random.next() >> 32)) / 2_147_483_648 }
}

/// Programmes from generated material.
enum DeadAirProgrammes {
  /// Orchestral dynamics: 20 s at -35 dBFS, a crescendo to -12 dBFS and back.
  static func classical(_ rate: Int, _ seconds: Double) -> [Float] {
    var music = DeadAirMaterial(rate, seed: 11)
    while music.seconds < seconds {
      music.addChord(from: -35, to: -35, 10)
      music.addChord(from: -35, to: -35, 10)
      music.addChord(from: -35, to: -12, 8)
      music.addChord(from: -12, to: -20, 5)
      music.addChord(from: -20, to: -35, 6)
    }
    return music.samples
  }

  /// Phrases of 3 to 8 s with pauses of 4 s at -70 dBFS.
  static func speech(_ rate: Int, _ seconds: Double) -> [Float] {
    var (speech, random) = (DeadAirMaterial(rate, seed: 12), SeededGenerator(12))
    while speech.seconds < seconds {
      speech.addPhrase(Double.random(in: 3...8, using: &random))
      speech.addNoise(-70, 4)
    }
    return speech.samples
  }

  /// A bar of four beats that repeats exactly, with a random fill after each `bars` bars. `beat`: frames per beat.
  static func drums(_ rate: Int, _ seconds: Double, beat: Int, bars: Int) -> [Float] {
    var (drums, random) = (DeadAirMaterial(rate, seed: 13), SeededGenerator(13))
    let (kick, snare) = (drums.hit(60, peak: 0.6, 0.2), drums.hit(nil, peak: 0.4, 0.15))
    let hat = drums.hit(nil, peak: 0.2, 0.05)
    func bar(_ places: [(part: [Float], at: Int)]) -> [Float] {
      var bar = DeadAirMaterial(rate, seed: 1)
      bar.addSilence(Double(4 * beat) / Double(rate))
      for (part, place) in places { bar.mix(part, at: place) }
      return bar.samples
    }
    let hats = (0..<8).map { (part: hat, at: $0 * beat / 2) }
    let usual = bar([(kick, 0), (snare, beat), (kick, 2 * beat), (snare, 3 * beat)] + hats)
    while drums.seconds < seconds {
      for _ in 1..<bars { drums.addLoop(usual, Double(usual.count) / Double(rate)) }
      let fill = (0..<8).map { _ in
        (part: [kick, snare, hat][Int.random(in: 0..<3, using: &random)], at: Int.random(in: 0..<16, using: &random))
      }
      drums.addLoop(
        bar(fill.map { ($0.part, $0.at * beat / 4) } + [(kick, 0)]), Double(usual.count) / Double(rate))
    }
    return drums.samples
  }

  /// Clicks whose tempo changes every 40 s. `beats`: the frames per beat, one after the other.
  static func metronome(_ rate: Int, _ seconds: Double, beats: [Int]) -> [Float] {
    var clicks = DeadAirMaterial(rate, seed: 14)
    let click = clicks.hit(1_000, peak: 0.7, 0.03)
    var number = 0
    while clicks.seconds < seconds {
      let beat = beats[number % beats.count]
      clicks.addLoop(click + [Float](repeating: 0, count: beat - click.count), 40)
      number += 1
    }
    return clicks.samples
  }

  /// Four beats that repeat exactly, and noise of -50 dBFS.
  static func techno(_ rate: Int, _ seconds: Double, beat: Int) -> [Float] {
    var techno = DeadAirMaterial(rate, seed: 15)
    let (kick, bass) = (techno.hit(55, peak: 0.6, 0.25), techno.hit(110, peak: 0.3, 0.2))
    var beats = DeadAirMaterial(rate, seed: 16)
    beats.addSilence(Double(4 * beat) / Double(rate))
    for number in 0..<4 {
      beats.mix(kick, at: number * beat)
      beats.mix(bass, at: number * beat + beat / 2)
    }
    techno.addLoop(beats.samples, seconds)
    techno.mix(techno.noise(-50, techno.samples.count), at: 0)
    return techno.samples
  }

  /// Music that never repeats, followed by a part of `end` seconds.
  static func music(_ rate: Int, then end: (inout DeadAirMaterial) -> Void) -> [Float] {
    var music = DeadAirMaterial(rate, seed: 17)
    for number in 0..<4 { music.addChord(from: -18 - Double(number % 2), to: -20, 2.5) }
    end(&music)
    return music.samples
  }
}
