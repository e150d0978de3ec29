import Foundation
import Metering
import Testing
import Units

/// Frames as the meters take them: two samples of 16 bits, the left one in the low half.
func frames(_ count: Int, left: (Int) -> Double, right: (Int) -> Double) -> [UInt32] {
  func sample(_ value: Double) -> UInt32 {
    UInt32(UInt16(bitPattern: Int16(max(-32_768, min(32_767, (value * 32_767).rounded())))))
  }
  return (0..<count).map { sample(left($0)) | sample(right($0)) << 16 }
}

/// A sine, 1.0 being full scale.
func sine(_ hertz: Double, _ amplitude: Double = 1, rate: Double = 48_000) -> (Int) -> Double {
  { amplitude * sin(2 * .pi * hertz * Double($0) / rate) }
}

func silence(_ frame: Int) -> Double { 0 }

@Suite("Levels")
struct LevelMeterTests {
  private func look(_ meter: inout LevelMeter, _ frames: [UInt32], at seconds: Double) {
    frames.withUnsafeBufferPointer { meter.look($0, at: MonotonicTime(seconds: seconds)) }
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
