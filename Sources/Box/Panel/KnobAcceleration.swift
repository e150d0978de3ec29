import Units

/// Makes more of a fast turn, so that a long list or a whole volume is a flick away.
public struct KnobAcceleration: Sendable {
  private let most: Int
  private var last: MonotonicTime?
  private var direction = 0
  /// Smoothed time from click to click.
  private var interval = Duration(milliseconds: 200)

  /// One click is never more than `most` steps.
  public init(most: Int) {
    precondition(most > 0, "a click is at least one step")
    self.most = most
  }

  /// How many steps so many clicks are, back ones negative; slow ones are one each.
  public mutating func steps(for clicks: Int, at now: MonotonicTime) -> Int {
    let clicks = max(-100, min(100, clicks))
    guard clicks != 0 else { return 0 }
    let passed = last.map { max(0, (now - $0).nanoseconds) } ?? .max
    let each = min(200_000_000, passed / Int64(abs(clicks)))
    // A turn the other way, or after a rest, begins slowly.
    let isOn = direction == clicks.signum() && passed < 200_000_000
    interval = Duration(nanoseconds: isOn ? (interval.nanoseconds + each) / 2 : 200_000_000)
    last = now
    direction = clicks.signum()
    let factor =
      switch interval.nanoseconds {
      case ..<15_000_000: 8
      case ..<25_000_000: 5
      case ..<40_000_000: 3
      case ..<60_000_000: 2
      default: 1
      }
    return clicks * min(most, factor)
  }
}
