import Control

/// The times of the source that replaces the station, in seconds since 1970. A difference of some seconds changes
/// nothing, because each change restarts a scrolling text and is published to Home Assistant.
struct SourceTimes: Equatable {
  /// Time when the station was left; nil while the clock is not set, or while the station is the source.
  private(set) var since: Int64?
  /// Time of the next attempt to receive the station; nil if unknown or not planned.
  private(set) var next: Int64?

  private static let tolerance = 2.0

  /// Computes the times of a report. `wall`: seconds since 1970; nil while the clock is not set.
  mutating func update(_ report: SourceReport?, wall: Int64?) {
    var wait: Double?
    if case .planned(let seconds)? = report?.next { wait = seconds }
    since = Self.steady(since, wall.flatMap { wall in report.map { Double(wall) - $0.seconds } })
    next = Self.steady(next, wall.flatMap { wall in wait.map { Double(wall) + $0 } })
  }

  private static func steady(_ old: Int64?, _ new: Double?) -> Int64? {
    guard let new else { return nil }
    return old.flatMap { abs(Double($0) - new) <= tolerance ? $0 : nil } ?? Int64(new.rounded())
  }
}
