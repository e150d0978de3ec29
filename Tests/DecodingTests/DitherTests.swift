import DecoderBench
import Decoding
import Testing

/// 24 bits rounded to 16 with triangular noise: what is lost is noise, and nothing else.
struct DitherTests {
  /// Fine samples, and what dither made of them.
  private func both() throws -> (fine: [Int32], dithered: [Int32]) {
    let packets = try Programme("cbr-44100.mp3").packets
    return (hear(packets).flatMap(\.samples), hear(packets, .bits16Dithered).flatMap(\.samples))
  }

  private static let step = 256.0

  @Test func errorIsOneAndAHalfStepsAtMostAndNoneOnAverage() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    #expect(dithered.allSatisfy { $0 & 0xFF == 0 })
    #expect(errors.allSatisfy { abs($0) <= 1.5 })
    #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.01)
    // Rounding makes 1/12 of a step squared, triangular noise of two steps twice that.
    let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    #expect(abs(power - 0.25) < 0.005)
  }

  @Test func errorsOfNeighboursAndSidesAreIndependent() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    // The neighbour on the other side, in the same channel, and a packet later.
    for distance in [1, 2, 3, 2304] {
      let pairs = zip(errors, errors.dropFirst(distance))
      let correlation = pairs.reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count - distance) / 0.25
      #expect(abs(correlation) < 0.01, "\(distance) samples apart")
    }
  }

  @Test func errorKnowsNothingOfTheSound() throws {
    let (fine, dithered) = try both()
    let errors = zip(dithered, fine).map { Double($0 - $1) / Self.step }
    // Plain rounding leaves an error that depends on the lowest bits: with dither neither mean nor power do.
    for part in 0..<4 {
      let some = zip(errors, fine).filter { Int($1 & 0xFF) / 64 == part }.map(\.0)
      let mean: Double = some.reduce(0, +) / Double(some.count)
      let power: Double = some.reduce(0) { $0 + $1 * $1 } / Double(some.count)
      #expect(abs(mean) < 0.02 && abs(power - 0.25) < 0.02)
    }
  }

  @Test func withoutDitherRunsAreTheSameToTheBit() throws {
    let packets = try Programme("vbr-44100.mp3").packets
    #expect(hear(packets, .bits16) == hear(packets, .bits16))
    #expect(hear(packets, .bits16).flatMap(\.samples).allSatisfy { $0 & 0xFF == 0 })
  }
}
