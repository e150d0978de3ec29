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
    "A full-scale sine is 0 dB in its band, on either channel", arguments: [16, 20],
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
      // A Hann window leaks less than a thousandth two bands away.
      for (band, level) in found.enumerated() where abs(band - place) > 1 { #expect(level < -50, "band \(band)") }
    }
    for frames in [
      frames(1_024, left: tone, right: silence), frames(1_024, left: silence, right: tone),
    ] { #expect(abs(levels(spectrum, frames)[place] + 3.01) < 0.5) }
    let opposite = frames(1_024, left: tone, right: { -tone($0) })
    #expect(abs(levels(spectrum, opposite)[place]) < 0.5, "channels against each other are as loud")
  }

  @Test("A sine's band is the loudest", arguments: [16, 20])
  func bands(_ count: Int) throws {
    let bands = SpectrumBands(count: count, rate: SampleRate(48_000))
    let spectrum = Spectrum(bands: bands)
    var seen: Set<Int> = []
    // Adjacent frequencies that a transform of 1,024 points can separate.
    for hertz in stride(from: 46.875, to: 16_000, by: 46.875) {
      guard let place = bands.band(of: hertz) else { continue }
      let found = levels(spectrum, frames(1_024, left: sine(hertz, 0.5), right: sine(hertz, 0.5)))
      #expect(found.firstIndex(of: found.max() ?? 0) == place, "\(hertz) Hz")
      seen.insert(place)
    }
    #expect(seen.count == count)
    #expect(bands.band(of: 10) == nil && bands.band(of: 20_000) == nil)
  }

  @Test("No band is above half the rate, however low", arguments: [16, 20], [1, 40, 100, 2_000])
  func lowRates(count: Int, hertz: Int) {
    let bands = SpectrumBands(count: count, rate: SampleRate(Int32(hertz)))
    #expect((0..<2_000).allSatisfy { bands.band(of: Double(hertz) * (0.51 + Double($0) / 10)) == nil })
    #expect((1...500).contains { bands.band(of: Double(hertz * $0) / 1_000) == 0 })
  }

  @Test func silenceAndTooFewFramesAreSilence() {
    let spectrum = Spectrum(bands: SpectrumBands(count: 16, rate: .cd))
    #expect(levels(spectrum, frames(1_024, left: silence, right: silence)).allSatisfy { $0 == -120 })
    #expect(levels(spectrum, frames(1_023, left: sine(997), right: silence)).allSatisfy { $0 == -120 })
  }

  @Test("A constant level is in no band")
  func direct() {
    let spectrum = Spectrum(bands: SpectrumBands(count: 20, rate: .cd))
    let found = levels(spectrum, frames(1_024, left: { _ in 0.5 }, right: { _ in 0.5 }))
    #expect((found.dropFirst().max() ?? 0) < -80)
  }
}

/// Frames for the meters: two 16-bit samples, the left one in the low half.
func frames(_ count: Int, left: (Int) -> Double, right: (Int) -> Double) -> [UInt32] {
  func sample(_ value: Double) -> UInt32 {
    UInt32(UInt16(bitPattern: Int16(max(-32_768, min(32_767, (value * 32_767).rounded())))))
  }
  return (0..<count).map { sample(left($0)) | sample(right($0)) << 16 }
}

/// A sine; amplitude 1.0 is full scale.
func sine(_ hertz: Double, _ amplitude: Double = 1, rate: Double = 48_000) -> (Int) -> Double {
  { amplitude * sin(2 * .pi * hertz * Double($0) / rate) }
}

func silence(_ frame: Int) -> Double { 0 }

@Suite("Levels")
struct LevelMeterTests {
  private func look(_ meter: inout LevelMeter, _ frames: [UInt32], at seconds: Double) {
    frames.withUnsafeBufferPointer { meter.measure($0, at: MonotonicTime(seconds: seconds)) }
  }

  @Test("A sine's average is 3.01 dB below its peak", arguments: [(1.0, 0.0), (0.5, -6.02), (0.001, -60)])
  func ofASine(amplitude: Double, decibels: Double) {
    var meter = LevelMeter()
    look(&meter, frames(4_800, left: sine(997, amplitude), right: silence), at: 1)
    #expect(abs(meter.left.average.value - (decibels - 3.01)) < 0.1)
    #expect(abs(meter.left.peak.value - decibels) < 0.1)
    #expect(meter.right == Level())
    look(&meter, frames(4_800, left: silence, right: sine(997, amplitude)), at: 100)
    #expect(abs(meter.right.average.value - (decibels - 3.01)) < 0.1)
    #expect(meter.left.average == .silence)
  }

  @Test func theMostNegativeSampleIsFullScale() {
    var meter = LevelMeter()
    look(&meter, [0x8000_8000], at: 0)
    #expect(meter.left.average.value == 0 && meter.right.peak.value == 0)
  }

  @Test func nothingIsSilence() {
    var meter = LevelMeter()
    look(&meter, [], at: 0)
    #expect(meter.left == Level() && meter.right == Level())
    #expect(Level().peak.value == -120)
  }

  @Test("A peak rises at once and falls by 20 dB a second")
  func decay() {
    var meter = LevelMeter()
    look(&meter, frames(480, left: sine(997, 0.1), right: silence), at: 1)
    look(&meter, frames(480, left: sine(997), right: silence), at: 1.01)
    #expect(abs(meter.left.peak.value) < 0.1)
    for tenth in 1...20 {
      look(&meter, frames(480, left: silence, right: silence), at: 1.01 + Double(tenth) / 10)
      #expect(abs(meter.left.peak.value - -2 * Double(tenth)) < 0.1)
    }
    #expect(meter.left.average == .silence)
    look(&meter, [], at: 60)
    #expect(meter.left.peak == .silence)
  }
}
