import Foundation
import SeededRandom

/// Generated interleaved samples: a tone with a different pitch in each channel, and noise, both from a seed.
public struct Music: Sendable {
  /// Samples per frame.
  public let channels: Int
  /// Frames per second.
  public let rate: Int
  /// Interleaved samples from -1 to 1.
  public let samples: [Float]

  /// Number of frames.
  public var frameCount: Int { samples.count / channels }

  /// Creates music. `noise`: its amplitude, at most 0.5. Louder noise makes longer FLAC packets.
  public init(frames: Int, rate: Int, channels: Int = 2, noise: Float = 0.05, seed: UInt64 = 1) {
    (self.channels, self.rate) = (channels, rate)
    var random = SeededGenerator(seed)
    let pitches = (0..<channels).map { _ in 200 + Int(random.next() % 600) }
    let wave = Self.wave(rate)
    let step = noise / 8_388_608
    samples = [Float](unsafeUninitializedCapacity: frames * channels) { samples, count in
      wave.withUnsafeBufferPointer { wave in
        var phases = [Int](repeating: 0, count: channels)
        var frame = 0
        while frame < frames {
          var channel = 0
          while channel < channels {
            let phase = (phases[channel] &+ pitches[channel]) % rate
            phases[channel] = phase
            let place = frame &* channels &+ channel
            samples[place] = wave[phase] + step * Float(Int32(truncatingIfNeeded: random.next() >> 40) &- 8_388_608)
            channel += 1
          }
          frame += 1
        }
      }
      count = frames * channels
    }
  }

  /// Creates music from mono samples, the same in each channel.
  public init(_ mono: [Float], rate: Int, channels: Int) {
    (self.channels, self.rate) = (channels, rate)
    samples = channels == 1 ? mono : mono.flatMap { [Float](repeating: $0, count: channels) }
  }

  /// Joins pieces with the same rate.
  public init(_ pieces: [Music]) {
    (channels, rate, samples) = (pieces[0].channels, pieces[0].rate, pieces.flatMap(\.samples))
  }

  /// Multiplies the samples of `music` by `gain`.
  public init(_ music: Music, gain: Float) {
    (channels, rate, samples) = (music.channels, music.rate, music.samples.map { $0 * gain })
  }

  /// Returns one cycle of a sine with `rate` samples.
  private static func wave(_ rate: Int) -> [Float] {
    (0..<rate).map { place in
      // Bhaskara's approximation instead of a library, so that all machines create the same samples.
      let turn = 2 * Float(place) / Float(rate)
      let half = turn < 1 ? turn : turn - 1
      let arc = 4 * half * (1 - half)
      return (turn < 1 ? 0.4 : -0.4) * 4 * arc / (5 - arc)
    }
  }

  /// Returns the samples as integers of `bits` bits, 8 to 32.
  public func integers(_ bits: Int) -> [Int32] {
    let full = Double(1 << (bits - 1))
    return samples.map { Int32(max(-full, min(full - 1, (Double($0) * full).rounded(.toNearestOrEven)))) }
  }
}

/// Samples in the format s24le.
public enum S24Samples {
  /// Converts integers of `bits` bits.
  public static func bytes(_ samples: [Int32], bits: Int) -> [UInt8] {
    bytes(samples) { sample in
      guard bits > 24 else { return Int(sample) << (24 - bits) }
      return min(8_388_607, Int(sample) >> (bits - 24) + Int(sample) >> (bits - 25) & 1)
    }
  }

  /// Converts samples with full scale at 1.
  public static func bytes(_ samples: some Collection<Float>) -> [UInt8] {
    bytes(samples) { Int(max(-8_388_608, min(8_388_607, (Double($0) * 8_388_608).rounded(.toNearestOrEven)))) }
  }

  private static func bytes<Sample>(_ samples: some Collection<Sample>, _ scale: (Sample) -> Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count * 3) { bytes, count in
      for sample in samples {
        let value = scale(sample)
        bytes[count] = UInt8(truncatingIfNeeded: value)
        bytes[count + 1] = UInt8(truncatingIfNeeded: value >> 8)
        bytes[count + 2] = UInt8(truncatingIfNeeded: value >> 16)
        count += 3
      }
    }
  }

  /// Bytes per stereo frame.
  public static let frameByteCount = 6

  /// Returns the first frame that differs between two recordings; nil if one recording is the start of the other.
  public static func firstDifference(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Int? {
    for (place, (mine, theirs)) in zip(one, other).enumerated() where mine != theirs { return place / frameByteCount }
    return nil
  }

  /// Returns the first frame of `whole` at which `piece` occurs; nil if it does not occur.
  public static func place(of piece: ArraySlice<UInt8>, in whole: [UInt8]) -> Int? {
    whole.withUnsafeBytes { whole in
      piece.withUnsafeBytes { piece in
        guard let first = whole.baseAddress, let wanted = piece.baseAddress, piece.count > 0 else { return nil }
        var place = 0
        while place + piece.count <= whole.count {
          if memcmp(first + place, wanted, piece.count) == 0 { return place / frameByteCount }
          place += frameByteCount
        }
        return nil
      }
    }
  }
}
