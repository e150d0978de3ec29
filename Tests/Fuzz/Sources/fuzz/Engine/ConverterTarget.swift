import Blocks
import Decoding
import Units

/// Any sound in any pieces from one rate to another.
final class Conversion: FuzzTarget {
  static let name = "rate-converter"
  static let longest = 60
  static let seeds: [[UInt8]] = [[0, 1, 4, 128, 0, 4, 128, 1, 1, 0, 2], [5, 2, 2, 0, 3, 4, 0, 2]]

  private let input = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)
  private let output = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * Period.frameCapacity)

  init() {}

  func run(_ bytes: Span<UInt8>) {
    var recipe = Recipe(bytes)
    let rates: [Int32] = [44_100, 48_000, 8_000, 32_000, 22_050, 96_000, 7_350]
    let (from, to) = (SampleRate(recipe.pick(rates)), SampleRate(recipe.pick(rates)))
    guard from != to, var converter = RateConverter(from: from, to: to) else { return }
    var (given, made) = (0, 0)
    var periods = 0
    while !recipe.isOver, periods < 6 {
      let count = recipe.number(0...Period.longestPart)
      let loudness = recipe.pick([8_388_607, -8_388_608, 1 << 20, 0] as [Int32])
      for index in 0..<(2 * count) { input[index] = index & 8 == 0 ? loudness : ~loudness }
      converter.take(input, count: count)
      given += count
      made += drain(&converter)
      periods += 1
    }
    converter.takeTail()
    made += drain(&converter)
    let due = given * Int(to.hertz) / Int(from.hertz)
    expect(abs(made - due) <= Int(to.hertz) / 50, "sound neither grows nor shrinks: \(made) frames, \(due) due")
  }

  private func drain(_ converter: inout RateConverter) -> Int {
    var sum = 0
    while true {
      let count = converter.next(output)
      if count == 0 { return sum }
      expect(count <= Period.frameCapacity, "a period holds what comes out")
      for index in 0..<(2 * count) {
        expect((-8_388_608...8_388_607).contains(output[index]), "samples keep to 24 bits")
      }
      sum += count
    }
  }
}
