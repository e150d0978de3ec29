import Foundation
import SeededRandom

/// A generated mono programme, with samples from -1 to 1 at 8 kHz.
public struct SyntheticProgramme: Sendable {
  /// Samples per second.
  public static let rate = 8_000.0
  /// The samples.
  public let samples: [Float]

  /// Creates a programme from samples.
  public init(_ samples: [Float]) { self.samples = samples }

  /// Duration in seconds.
  public var duration: Double { Double(samples.count) / Self.rate }

  /// Returns the programme from `start` on, `seconds` long.
  public subscript(start: Double, seconds: Double) -> SyntheticProgramme {
    SyntheticProgramme(Array(samples[Int(start * Self.rate)..<Int((start + seconds) * Self.rate)]))
  }

  /// Joins two programmes.
  public static func + (one: SyntheticProgramme, other: SyntheticProgramme) -> SyntheticProgramme {
    SyntheticProgramme(one.samples + other.samples)
  }

  /// Digital silence.
  public static func silence(_ seconds: Double) -> SyntheticProgramme {
    SyntheticProgramme([Float](repeating: 0, count: Int(seconds * rate)))
  }

  /// A constant tone.
  public static func tone(_ hertz: Double, _ seconds: Double) -> SyntheticProgramme {
    SyntheticProgramme((0..<Int(seconds * rate)).map { Float(0.3 * sin(2 * Double.pi * hertz * Double($0) / rate)) })
  }

  /// Equal clicks at equal intervals.
  public static func metronome(_ seconds: Double, interval: Double = 0.5) -> SyntheticProgramme {
    SyntheticProgramme(
      (0..<Int(seconds * rate)).map { index in
        let time = (Double(index) / rate).truncatingRemainder(dividingBy: interval)
        return Float(0.5 * exp(-60 * time) * sin(2 * Double.pi * 660 * time))
      })
  }

  /// Syllables with a gliding pitch, hisses, and pauses of up to a second.
  public static func speech(_ seconds: Double, seed: UInt64) -> SyntheticProgramme {
    var random = SeededGenerator(seed)
    var samples: [Float] = []
    var phase = 0.0
    while samples.count < Int(seconds * rate) {
      let length = Double.random(in: 0.12...0.35, using: &random)
      let (low, high) = (Double.random(in: 90...220, using: &random), Double.random(in: 90...220, using: &random))
      let formant = Double.random(in: 300...900, using: &random)
      let isHiss = Int.random(in: 0..<4, using: &random) == 0
      for index in 0..<Int(length * rate) {
        let part = Double(index) / (length * rate)
        let pitch = low + (high - low) * part
        phase += pitch / rate
        var value = 0.0
        for harmonic in 1...5 {
          let distance = (Double(harmonic) * pitch - formant) / 300
          value += sin(2 * Double.pi * Double(harmonic) * phase) / (1 + distance * distance)
        }
        if isHiss { value = Double.random(in: -1...1, using: &random) }
        samples.append(Float(0.15 * value * sin(Double.pi * part)))
      }
      if Int.random(in: 0..<5, using: &random) == 0 {
        samples += [Float](repeating: 0, count: Int(Double.random(in: 0.1...1, using: &random) * rate))
      }
    }
    return SyntheticProgramme(Array(samples.prefix(Int(seconds * rate))))
  }

  /// Plucked notes in a scale over a bass, at a constant beat.
  public static func music(_ seconds: Double, seed: UInt64, beat: Double = 0.25) -> SyntheticProgramme {
    var random = SeededGenerator(seed)
    let scale = [0.0, 2, 4, 7, 9, 12, 14, 16]
    var samples = [Float](repeating: 0, count: Int(seconds * rate))
    for number in 0..<Int(seconds / beat) {
      let hertz = 220 * pow(2, (scale.randomElement(using: &random) ?? 0) / 12)
      let bass = number % 4 == 0
      let first = Int(Double(number) * beat * rate)
      let volume = Double.random(in: 0.05...0.2, using: &random)
      for index in 0..<min(Int(rate), samples.count - first) {
        let time = Double(index) / rate
        var value =
          volume * exp(-5 * time) * (sin(2 * Double.pi * hertz * time) + 0.4 * sin(4 * Double.pi * hertz * time))
        if bass { value += 0.3 * exp(-8 * time) * sin(2 * Double.pi * 65 * time) }
        samples[first + index] += Float(value)
      }
    }
    return SyntheticProgramme(samples)
  }
}

/// The form in which a station sends a programme.
public struct ProgrammeForm: Sendable {
  /// Frames per second.
  public var rate: Int32
  /// Samples per frame, all equal.
  public var channels: Int
  /// Level in dB.
  public var level: Double
  /// True for the opposite polarity.
  public var isInverted: Bool
  /// Amplitude of the encoder's noise, relative to the signal around it.
  public var noise: Float

  /// Creates a form.
  public init(rate: Int32 = 44_100, channels: Int = 2, level: Double = 0, isInverted: Bool = false, noise: Float = 0.1)
  {
    (self.rate, self.channels, self.level) = (rate, channels, level)
    (self.isInverted, self.noise) = (isInverted, noise)
  }

  /// Returns interleaved samples of 24 bits.
  public func frames(of programme: SyntheticProgramme, from start: Double, seconds: Double, seed: UInt64 = 7) -> [Int32]
  {
    var random = SeededGenerator(seed)
    let gain = Float(pow(10, level / 20)) * (isInverted ? -8_388_607 : 8_388_607)
    var frames: [Int32] = []
    frames.reserveCapacity(Int(seconds * Double(rate)) * channels)
    var envelope: Float = 0
    let step = SyntheticProgramme.rate / Double(rate)
    for index in 0..<Int(seconds * Double(rate)) {
      let place = start * SyntheticProgramme.rate + Double(index) * step
      let whole = Int(place)
      guard whole + 1 < programme.samples.count else { break }
      let part = Float(place - Double(whole))
      let value = programme.samples[whole] * (1 - part) + programme.samples[whole + 1] * part
      envelope = max(abs(value), envelope * 0.9995)
      let noisy = value + noise * envelope * (Float(random.next() & 0xFFFF) / 32_768 - 1)
      let sample = Int32(max(-8_388_608, min(8_388_607, noisy * gain)))
      for _ in 0..<channels { frames.append(sample) }
    }
    return frames
  }
}
