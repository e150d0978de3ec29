import Glibc
import Units

/// Bands of frequency, each as many times wider than the one below, from 50 Hz to 16 kHz or as far as the sound goes.
///
/// The lowest are wider: a transform of 1,024 points tells apart what lies 1/1,024 of the rate apart, and no less.
public struct SpectrumBands: Equatable, Sendable {
  /// The frames per second that they are of.
  public let rate: SampleRate
  /// The first bin of each band, and the one behind the last.
  private let edges: [Int]

  /// Bands of sound at a rate; 16 or 20 for a display of as many columns.
  public init(count: Int, rate: SampleRate) {
    precondition(count == 16 || count == 20, "a spectrum has 16 or 20 bands")
    self.rate = rate
    let width = Double(rate.hertz) / Double(Spectrum.frameCount)
    let top = min(16_000, 0.47 * Double(rate.hertz))
    // Where the rate is very low, the bands are the highest bins, whatever their frequencies.
    let most = Spectrum.frameCount / 2 - count
    var edges = [min(most, max(1, Int((50 / width).rounded())))]
    for band in 1...count {
      let edge = 50 * pow(top / 50, Double(band) / Double(count))
      edges.append(min(most + band, max((edges.last ?? 0) + 1, Int((edge / width).rounded()))))
    }
    self.edges = edges
  }

  /// How many.
  public var count: Int { edges.count - 1 }

  /// The bins of a band.
  func bins(of band: Int) -> Range<Int> { edges[band]..<edges[band + 1] }

  /// The band that a frequency lies in; nil for one below or above all.
  public func band(of hertz: Double) -> Int? {
    let bin = Int((hertz * Double(Spectrum.frameCount) / Double(rate.hertz)).rounded())
    return (0..<count).first { bins(of: $0).contains(bin) }
  }
}
