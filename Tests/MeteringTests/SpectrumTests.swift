import Foundation
import Metering
import Testing
import Units

@Suite("Spectrum")
struct SpectrumTests {
  private func levels(_ spectrum: borrowing Spectrum, _ frames: [UInt32]) -> [Double] {
    frames.withUnsafeBufferPointer { spectrum.levels($0).map(\.value) }
  }

  @Test(
    "A sine of full scale is 0 dB in its band, on either side", arguments: [16, 20],
    [44_100, 48_000, 32_000] as [Int32])
  func peaks(bands count: Int, rate: Int32) throws {
    let bands = SpectrumBands(count: count, rate: SampleRate(rate))
    let spectrum = Spectrum(bands: bands)
    let place = try #require(bands.band(of: 997))
    let tone = sine(997, rate: Double(rate))
    for frames in [frames(1_024, left: tone, right: tone), frames(3_000, left: tone, right: tone)] {
      let found = levels(spectrum, frames)
      #expect(found.count == count)
      #expect(found.firstIndex(of: found.max() ?? 0) == place)
      #expect(abs(found[place]) < 0.5)
      // A Hann window's leakage, two bands away, is less than a thousandth.
      for (band, level) in found.enumerated() where abs(band - place) > 1 { #expect(level < -50, "band \(band)") }
    }
    for frames in [
      frames(1_024, left: tone, right: silence), frames(1_024, left: silence, right: tone),
    ] { #expect(abs(levels(spectrum, frames)[place] + 3.01) < 0.5) }
    let opposite = frames(1_024, left: tone, right: { -tone($0) })
    #expect(abs(levels(spectrum, opposite)[place]) < 0.5, "channels against each other are as loud")
  }

  @Test("The band that a sine lies in is the loudest", arguments: [16, 20])
  func bands(_ count: Int) throws {
    let bands = SpectrumBands(count: count, rate: SampleRate(48_000))
    let spectrum = Spectrum(bands: bands)
    var seen: Set<Int> = []
    // What a transform of 1,024 points tells apart, one after the other.
    for hertz in stride(from: 46.875, to: 16_000, by: 46.875) {
      guard let place = bands.band(of: hertz) else { continue }
      let found = levels(spectrum, frames(1_024, left: sine(hertz, 0.5), right: sine(hertz, 0.5)))
      #expect(found.firstIndex(of: found.max() ?? 0) == place, "\(hertz) Hz")
      seen.insert(place)
    }
    #expect(seen.count == count)
    #expect(bands.band(of: 10) == nil && bands.band(of: 20_000) == nil)
  }

  @Test func silenceAndTooFewFramesAreSilence() {
    let spectrum = Spectrum(bands: SpectrumBands(count: 16, rate: .cd))
    #expect(levels(spectrum, frames(1_024, left: silence, right: silence)).allSatisfy { $0 == -120 })
    #expect(levels(spectrum, frames(1_023, left: sine(997), right: silence)).allSatisfy { $0 == -120 })
  }

  @Test("A step that never moves is in no band")
  func direct() {
    let spectrum = Spectrum(bands: SpectrumBands(count: 20, rate: .cd))
    let found = levels(spectrum, frames(1_024, left: { _ in 0.5 }, right: { _ in 0.5 }))
    #expect((found.dropFirst().max() ?? 0) < -80)
  }
}
