import AudioOutput
import Testing

/// A card is audible at every volume but 0, whatever range its driver states.
struct MixerScaleTests {
  struct Card: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: ClosedRange<Int>
    /// Hundredths of a decibel.
    var range: (least: Int, most: Int)?
    var half: MixerScale.Position
    var whole: MixerScale.Position
    var words: String?

    var scale: MixerScale {
      MixerScale(steps: steps, range: range.map { MixerScale.Range(least: $0.least, most: $0.most) })
    }
  }

  /// Ranges of drivers in the Linux kernel, and of devices in public reports.
  static let cards = [
    Card(
      testDescription: "PCM5122", steps: 0...207, range: (-10_350, 0), half: .decibels(-1_204), whole: .decibels(0),
      words: "-103.5 to 0 dB"),
    Card(
      testDescription: "PCM5242 with gain", steps: 0...255, range: (-10_350, 2_400), half: .decibels(-1_204),
      whole: .decibels(0), words: "-103.5 to 24 dB"),
    Card(
      testDescription: "BCM2835 headphones, silent at the lowest step", steps: -10_239...400, range: (-9_999_999, 400),
      half: .decibels(-1_204), whole: .decibels(0), words: "silence to 4 dB"),
    Card(
      testDescription: "USB headset", steps: 0...40, range: (-4_000, -100), half: .decibels(-1_304),
      whole: .decibels(-100), words: "-40 to -1 dB"),
    Card(
      testDescription: "CM106", steps: 0...37, range: (0, 14), half: .step(19), whole: .step(37),
      words: "0 to 0.14 dB"),
    Card(
      testDescription: "0.5 dB over 128 steps", steps: 0...128, range: (0, 50), half: .step(64), whole: .step(128),
      words: "0 to 0.5 dB"),
    Card(
      testDescription: "narrow", steps: 0...37, range: (-14, 0), half: .step(19), whole: .step(37),
      words: "-0.14 to 0 dB"),
    Card(
      testDescription: "24 dB", steps: 0...8, range: (-2_400, 0), half: .step(4), whole: .step(8),
      words: "-24 to 0 dB"),
    Card(
      testDescription: "zero span", steps: 0...31, range: (-100, -100), half: .step(16), whole: .step(31),
      words: "-1 to -1 dB"),
    Card(
      testDescription: "inverted", steps: 0...31, range: (0, -6_000), half: .step(16), whole: .step(31),
      words: "0 to -60 dB"),
    Card(
      testDescription: "256 dB", steps: 0...100, range: (-25_600, 0), half: .step(50), whole: .step(100),
      words: "-256 to 0 dB"),
    Card(
      testDescription: "gain only", steps: 1...5, range: (100, 5_000), half: .step(3), whole: .step(5),
      words: "1 to 50 dB"),
    Card(testDescription: "no dB", steps: -20...20, range: nil, half: .step(0), whole: .step(20)),
    Card(testDescription: "one step", steps: 0...1, range: nil, half: .step(1), whole: .step(1)),
    Card(
      testDescription: "extreme", steps: 0...10, range: (.min, .max), half: .step(5), whole: .step(10)),
  ]

  @Test("A range in dB is used only if it means something", arguments: cards)
  func positions(card: Card) {
    #expect(card.scale.position(percent: 50, decibels: -12.04) == card.half)
    #expect(card.scale.position(percent: 100, decibels: 0) == card.whole)
    #expect(card.scale.position(percent: 100, decibels: 6) == card.whole, "more than 100 % is not louder")
    if let words = card.words { #expect(card.scale.range?.description == words) }
  }

  @Test("Equal steps rise with the volume, and never reach the lowest step", arguments: cards)
  func rises(card: Card) {
    guard !card.scale.isInDecibels else { return }
    let steps = (1...100).compactMap { percent -> Int? in
      if case .step(let step) = card.scale.position(percent: percent, decibels: -80) { step } else { nil }
    }
    #expect(steps.count == 100 && steps == steps.sorted())
    #expect(steps.allSatisfy { $0 > card.steps.lowerBound && $0 <= card.steps.upperBound })
  }

  @Test("A volume below the range in dB is its lowest value")
  func clamps() {
    let scale = MixerScale(steps: 0...127, range: MixerScale.Range(least: -6_350, most: 0))
    #expect(scale.position(percent: 1, decibels: -80) == .decibels(-6_350))
    #expect(scale.position(percent: 10, decibels: -40) == .decibels(-4_000))
  }
}
