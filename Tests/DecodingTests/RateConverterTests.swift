import Blocks
import Decoding
import Foundation
import Testing
import Units

struct RateConverterTests {
  /// All that comes out for a sine of so many frames, tail included.
  private func convert(_ from: Int32, _ to: Int32, frames: Int, pitch: Double, step: Int = 1152) throws -> [Int32] {
    guard var converter = RateConverter(from: SampleRate(from), to: SampleRate(to)) else { throw NoMemory() }
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: Period.frameCapacity * 2)
    defer { room.deallocate() }
    var out: [Int32] = []
    func draw() {
      while case let count = converter.next(room), count > 0 {
        out += UnsafeBufferPointer(start: room, count: 2 * count)
      }
    }
    for start in stride(from: 0, to: frames, by: step) {
      let count = min(step, frames - start)
      for index in 0..<count {
        let angle = 2 * Double.pi * pitch * Double(start + index) / Double(from)
        room[2 * index] = Int32((7_000_000 * sin(angle)).rounded())
        room[2 * index + 1] = Int32((3_500_000 * cos(angle)).rounded())
      }
      converter.take(room, count: count)
      draw()
    }
    converter.takeTail()
    draw()
    return out
  }

  private struct NoMemory: Error {}

  private static let rates: [(Int32, Int32)] = [
    (44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (8_000, 48_000), (32_000, 44_100), (96_000, 48_000),
    (44_100, 96_000),
  ]

  @Test(arguments: rates)
  func lengthIsKept(from: Int32, to: Int32) throws {
    for (frames, step) in [(2 * Int(from), 1152), (12_345, 576), (1024, 1024), (100, 100)] {
      let out = try convert(from, to, frames: frames, pitch: 440, step: step)
      let ought = Double(frames) * Double(to) / Double(from)
      #expect(abs(Double(out.count / 2) - ought) <= max(2, Double(to) / Double(from)), "\(frames) frames")
    }
  }

  /// The level of all that is no sine of this pitch, in decibels under it, and the sine's phase.
  private func residue(_ samples: [Double], rate: Double, pitch: Double, start: Int) -> (level: Double, phase: Double) {
    var (sine, cosine) = (0.0, 0.0)
    let angles = samples.indices.map { 2 * Double.pi * pitch * Double(start + $0) / rate }
    for (sample, angle) in zip(samples, angles) {
      sine += sample * sin(angle)
      cosine += sample * cos(angle)
    }
    sine *= 2 / Double(samples.count)
    cosine *= 2 / Double(samples.count)
    let rest = zip(samples, angles).reduce(0) { sum, pair in
      let error = pair.0 - sine * sin(pair.1) - cosine * cos(pair.1)
      return sum + error * error
    }
    let power = (sine * sine + cosine * cosine) / 2
    return (10 * log10(rest / Double(samples.count) / power), atan2(cosine, sine))
  }

  @Test(arguments: rates)
  func aSineStaysASineInItsPlace(from: Int32, to: Int32) throws {
    // One second in the middle, and whole periods in it.
    let pitch = 997.0
    let out = try convert(from, to, frames: 2 * Int(from), pitch: pitch)
    let middle = Int(to) / 2..<Int(to) / 2 + Int(to)
    let left = residue(middle.map { Double(out[2 * $0]) }, rate: Double(to), pitch: pitch, start: middle.lowerBound)
    let right = residue(
      middle.map { Double(out[2 * $0 + 1]) }, rate: Double(to), pitch: pitch, start: middle.lowerBound)
    #expect(left.level < -115)
    #expect(right.level < -115)
    // A thousandth of a period.
    #expect(abs(left.phase) < 0.006)
    #expect(abs(right.phase - .pi / 2) < 0.006)
  }

  @Test func fullScaleIsClippedNotWrapped() throws {
    guard var converter = RateConverter(from: SampleRate(44_100), to: SampleRate(48_000)) else { throw NoMemory() }
    let room = UnsafeMutablePointer<Int32>.allocate(capacity: Period.frameCapacity * 2)
    defer { room.deallocate() }
    for index in 0..<2304 { room[index] = index / 2 % 40 < 20 ? 8_388_607 : -8_388_608 }
    converter.take(room, count: 1152)
    var peak: Int32 = 0
    while case let count = converter.next(room), count > 0 {
      for index in 0..<2 * count { peak = max(peak, abs(room[index])) }
    }
    #expect(peak >= 8_388_607 && peak <= 8_388_608)
  }
}
