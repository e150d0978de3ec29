import CReference
import DecoderBench
import Foundation

/// Frames of two 24-bit samples each, in which the upper bits count.
struct Pcm {
  private let samples: [Int32]

  var frameCount: Int { samples.count / 2 }

  /// The concatenated output of a decoder.
  init(_ heard: some Sequence<DecodedPacket>) { samples = heard.flatMap(\.samples) }

  /// A little-endian 16-bit reference with one or two channels.
  init(s16: [UInt8], channels: Int) {
    let frameCount = s16.count / (2 * channels)
    samples = [Int32](unsafeUninitializedCapacity: 2 * frameCount) { buffer, count in
      if let out = buffer.baseAddress { reference_widen(s16, frameCount, Int32(channels), out) }
      count = 2 * frameCount
    }
  }

  /// The mean square of some frames, in 16-bit units.
  private func power(_ range: Range<Int>) -> Double {
    samples.withUnsafeBufferPointer { samples in
      samples.baseAddress.map { reference_power($0 + 2 * range.lowerBound, 2 * range.count) / 65_536 } ?? 0
    }
  }

  /// The root mean square, in 16-bit units.
  var level: Double { power(0..<frameCount).squareRoot() }

  /// The mean square of the difference between these frames and another recording's frames `lag` later.
  private func noise(_ range: Range<Int>, against other: Pcm, lag: Int) -> Double {
    samples.withUnsafeBufferPointer { one in
      other.samples.withUnsafeBufferPointer { other in
        guard let one = one.baseAddress, let other = other.baseAddress else { return 0 }
        let start = 2 * range.lowerBound
        return reference_noise(one + start, other + start + 2 * lag, 2 * range.count) / 65_536
      }
    }
  }

  /// Full scale relative to the difference, in dB, over the frames that both have; infinite if all are equal.
  func psnr(against reference: Pcm) -> Double {
    let noise = noise(0..<min(frameCount, reference.frameCount), against: reference, lag: 0)
    return 20 * log10(32_767 / noise.squareRoot())
  }

  /// The frames that have a counterpart in a reference that is delayed by `lag` frames.
  func overlap(with reference: Pcm, lag: Int) -> Range<Int> {
    max(0, -lag)..<min(frameCount, reference.frameCount - lag)
  }

  /// The reference relative to the difference, in dB, over the common frames.
  func snr(against reference: Pcm, lag: Int) -> Double {
    let range = overlap(with: reference, lag: lag)
    let signal = reference.power(range.lowerBound + lag..<range.upperBound + lag)
    return 10 * log10(signal / noise(range, against: reference, lag: lag))
  }

  /// The delay of the reference in frames, at most `most`, found at its loudest part.
  func lag(of reference: Pcm, within most: Int) -> Int {
    let length = min(960, frameCount, reference.frameCount)
    let loudest = stride(from: 0, through: reference.frameCount - length, by: length / 2).map { start in
      (start, reference.power(start..<start + length))
    }.max { $0.1 < $1.1 }
    guard let start = loudest?.0 else { return 0 }
    let lags = (-most...most).filter { start - $0 >= 0 && start - $0 + length <= frameCount }
    let noises = lags.map { noise(start - $0..<start - $0 + length, against: reference, lag: $0) }
    return zip(lags, noises).min { $0.1 < $1.1 }?.0 ?? 0
  }
}
