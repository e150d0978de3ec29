import Glibc
import Units

/// Frequency bands with a constant ratio, from 50 Hz to 16 kHz, or to 47 % of the sample rate if that is less.
///
/// The lowest bands are wider, because the bins of a transform with 1,024 points are 1/1,024 of the rate apart.
public struct SpectrumBands: Equatable, Sendable {
  /// The sample rate.
  public let rate: SampleRate
  /// The first bin of each band, and the end of the last.
  private let edges: [Int]

  /// Creates 16 or 20 bands for a rate.
  public init(count: Int, rate: SampleRate) {
    precondition(count == 16 || count == 20, "a spectrum has 16 or 20 bands")
    self.rate = rate
    let width = Double(rate.hertz) / Double(Spectrum.frameCount)
    let top = min(16_000, 0.47 * Double(rate.hertz))
    // At a very low rate, all bands use the highest bins, even if their frequencies do not match.
    let most = Spectrum.frameCount / 2 - count
    var edges = [min(most, max(1, Int((50 / width).rounded())))]
    for band in 1...count {
      let edge = 50 * pow(top / 50, Double(band) / Double(count))
      edges.append(min(most + band, max((edges.last ?? 0) + 1, Int((edge / width).rounded()))))
    }
    self.edges = edges
  }

  /// The number of bands.
  public var count: Int { edges.count - 1 }

  func bins(of band: Int) -> Range<Int> { edges[band]..<edges[band + 1] }

  /// Returns the band of a frequency; nil outside all bands.
  public func band(of hertz: Double) -> Int? {
    let bin = Int((hertz * Double(Spectrum.frameCount) / Double(rate.hertz)).rounded())
    return (0..<count).first { bins(of: $0).contains(bin) }
  }
}
