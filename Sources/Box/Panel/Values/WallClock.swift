/// The time of day with its date.
public struct WallClock: Equatable, Sendable {
  let hour: Int
  let minute: Int
  /// 0 to 6, from Sunday.
  let weekday: Int
  let day: Int
  let month: Int

  /// Creates a time of day and clamps each number to its range; weekday 0 is Sunday, month 1 January.
  public init(hour: Int, minute: Int, weekday: Int, day: Int, month: Int) {
    self.hour = max(0, min(23, hour))
    self.minute = max(0, min(59, minute))
    self.weekday = max(0, min(6, weekday))
    self.day = max(1, min(31, day))
    self.month = max(1, min(12, month))
  }

  /// Hours and minutes, such as "14:07".
  var text: String { "\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}
