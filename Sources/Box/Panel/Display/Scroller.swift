import Units

/// The movement of a text that is longer than its row: it rests at the start, moves cell by cell, rests at the end, and
/// restarts.
public struct Scroller: Equatable, Sendable {
  /// Rest at each end.
  public static let rest = Duration(milliseconds: 2000)

  private let overhang: Int
  private let start: MonotonicTime
  private let pace: Int64

  /// A text of `length` cells in a row of `width`, first shown at `start`, that moves each `pace`.
  public init(length: Int, width: Int, start: MonotonicTime, pace: Duration) {
    overhang = max(0, length - width)
    self.start = start
    self.pace = max(10_000_000, min(10_000_000_000, pace.nanoseconds))
  }

  private var period: Int64 { 2 * Self.rest.nanoseconds + Int64(overhang - 1) * pace }

  /// Returns the number of cells hidden to the left.
  public func offset(at now: MonotonicTime) -> Int {
    guard overhang > 0 else { return 0 }
    let moving = max(0, (now - start).nanoseconds) % period - Self.rest.nanoseconds
    return moving < 0 ? 0 : min(overhang, Int(moving / pace) + 1)
  }

  /// Returns the time of the next movement; `never` for a text that fits.
  public func nextChange(after now: MonotonicTime) -> MonotonicTime {
    guard overhang > 0 else { return .never }
    let passed = max(0, (now - start).nanoseconds)
    let within = passed % period
    let offset = self.offset(at: now)
    let next = offset == overhang ? period : Self.rest.nanoseconds + Int64(offset) * pace
    return now + Duration(nanoseconds: next - within)
  }
}
