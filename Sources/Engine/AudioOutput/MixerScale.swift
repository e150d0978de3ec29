/// The scale of a card's volume control.
///
/// Some drivers state a useless range in dB, such as 0 to 0.5 dB over 128 steps. A volume in dB would then always
/// select the lowest step, usually silence. These controls are set in equal steps, as controls without a stated range.
public struct MixerScale: Equatable, Sendable {
  /// A position of the control.
  public enum Position: Equatable, Sendable {
    /// Hundredths of a decibel.
    case decibels(Int)
    /// A raw value of the driver.
    case step(Int)
  }

  /// The range that a driver states, in hundredths of a decibel.
  public struct Range: Equatable, Sendable {
    let least: Int
    let most: Int

    /// Creates the range. Drivers also state empty and inverted ranges.
    public init(least: Int, most: Int) { (self.least, self.most) = (least, most) }

    /// Value of `least` if the lowest step is silence (`SNDRV_CTL_TLVD_DB_GAIN_MUTE` in `alsa/tlv.h`).
    private static let silence = -9_999_999
    private static let minSpan = 2_400
    private static let maxSpan = 20_000

    /// True if the range is plausible: more than 24 dB and at most 200 dB, with a lowest step below 0 dB.
    public var isUsable: Bool {
      guard least < 0, most > -Self.maxSpan, most <= Self.maxSpan else { return false }
      let (span, overflow) = most.subtractingReportingOverflow(least)
      return !overflow && (least <= Self.silence || (Self.minSpan + 1...Self.maxSpan).contains(span))
    }
  }

  private let steps: ClosedRange<Int>
  /// The stated range; nil without one.
  public let range: Range?

  /// Creates the scale of a control with raw values `steps`.
  public init(steps: ClosedRange<Int>, range: Range?) { (self.steps, self.range) = (steps, range) }

  /// True if the control is set in dB, otherwise in equal steps.
  public var isInDecibels: Bool { range?.isUsable ?? false }

  /// Number of steps above the lowest.
  public var stepCount: Int { steps.upperBound - steps.lowerBound }

  /// The lowest position.
  var least: Position { .step(steps.lowerBound) }

  /// Returns the position for a volume of 1 … 100 percent. `decibels`: the same volume in dB, 0 or less. 100 percent is
  /// at most 0 dB, because a gain would distort. Equal steps never select the lowest step.
  public func position(percent: Int, decibels: Double) -> Position {
    let share = max(0, min(100, percent))
    guard let range, range.isUsable else {
      let (step, isHalf) = (stepCount * share).quotientAndRemainder(dividingBy: 100)
      return .step(steps.lowerBound + max(1, step + (isHalf >= 50 ? 1 : 0)))
    }
    let top = min(range.most, 0)
    return .decibels(max(range.least, top + Int(max(-200, min(0, decibels)) * 100)))
  }
}

extension MixerScale.Range: CustomStringConvertible {
  /// The range for a person, such as "-63.5 to 0 dB".
  public var description: String {
    "\(least <= Self.silence ? "silence" : Self.decibels(least)) to \(Self.decibels(most)) dB"
  }

  private static func decibels(_ hundredths: Int) -> String {
    let size = hundredths.magnitude
    let (whole, rest) = size.quotientAndRemainder(dividingBy: 100)
    let digits = rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return "\(hundredths < 0 ? "-" : "")\(whole)\(digits)"
  }
}
