import Units

/// Multiplies the steps of a fast turn, for long lists and the volume.
public struct KnobAcceleration: Sendable {
  private let maxSteps: Int
  private var last: MonotonicTime?
  private var direction = 0
  private var interval = Duration(milliseconds: 200)

  /// Creates an acceleration; `most`: maximum steps per detent.
  public init(most: Int) {
    precondition(most > 0, "a click is at least one step")
    self.maxSteps = most
  }

  /// Returns the steps for a number of detents, negative for the other direction; slow detents are one step each.
  public mutating func steps(for clicks: Int, at now: MonotonicTime) -> Int {
    let clicks = max(-100, min(100, clicks))
    guard clicks != 0 else { return 0 }
    let passed = last.map { max(0, (now - $0).nanoseconds) } ?? .max
    let each = min(200_000_000, passed / Int64(abs(clicks)))
    // A change of direction or a rest resets the speed.
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
    return clicks * min(maxSteps, factor)
  }
}
