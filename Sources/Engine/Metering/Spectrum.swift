import CKissFFT
import Glibc
import Units

/// Measures frequency bands (S2): 1,024 frames through a Hann window and a Fourier transform (`kiss_fft(3)`).
///
/// A band sums its bins. A sine of full scale has 0 dB if both channels have it. The buffers are allocated at creation.
public struct Spectrum: ~Copyable {
  /// The number of frames in the transform.
  public static let frameCount = 1_024

  /// The bands, low to high.
  public let bands: SpectrumBands
  private let plan: kiss_fft_cfg
  /// The window's factors, for samples of 16 bits.
  private let window: [Float]
  private let input: UnsafeMutablePointer<kiss_fft_cpx>
  private let output: UnsafeMutablePointer<kiss_fft_cpx>

  /// Creates a spectrum of 16 or 20 bands.
  public init(bands: SpectrumBands) {
    self.bands = bands
    guard let plan = kiss_fft_alloc(Int32(Self.frameCount), 0, nil, nil) else {
      preconditionFailure("there is memory for a transform of 1,024 points")
    }
    self.plan = plan
    window = (0..<Self.frameCount).map {
      Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(Self.frameCount))) / 32_768
    }
    input = .allocate(capacity: Self.frameCount)
    output = .allocate(capacity: Self.frameCount)
  }

  deinit {
    bk_fft_free(plan)
    input.deallocate()
    output.deallocate()
  }

  /// Returns each band's level in the last 1,024 frames, in the format of `LevelMeter`; silence for fewer frames.
  public func levels(_ frames: UnsafeBufferPointer<UInt32>) -> [Decibels] {
    guard frames.count >= Self.frameCount else { return Array(repeating: .silence, count: bands.count) }
    // One transform handles both channels: left as the real part, right as the imaginary one.
    let first = frames.count - Self.frameCount
    for index in 0..<Self.frameCount {
      let (frame, scale) = (frames[first &+ index], window[index])
      input[index] = kiss_fft_cpx(
        r: Float(Int16(truncatingIfNeeded: frame)) * scale, i: Float(Int16(truncatingIfNeeded: frame >> 16)) * scale)
    }
    kiss_fft(plan, input, output)
    return (0..<bands.count).map { band in
      Decibels(power: bands.bins(of: band).reduce(0) { $0 + power($1) } * Self.scale)
    }
  }

  /// Returns the mean power of both channels in a bin.
  private func power(_ bin: Int) -> Double {
    let (one, other) = (output[bin], output[Self.frameCount - bin])
    return Double(one.r * one.r + one.i * one.i + other.r * other.r + other.i * other.i) / 4
  }

  /// The scale for a sine of full scale: its bins sum to 3/32 of the squared frame count, without mirror images.
  private static let scale = 32 / (3 * Double(frameCount) * Double(frameCount))
}
