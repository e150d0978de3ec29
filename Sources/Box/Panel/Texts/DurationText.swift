enum DurationText {
  /// Clamps to whole seconds from 0 to 99 hours.
  static func whole(_ seconds: Double) -> Int { seconds.isNaN ? 0 : Int(max(0, min(359_999, seconds))) }

  /// Such as "0:30", "12:05" and "1:02:05".
  static func clock(_ seconds: Double) -> String {
    let all = whole(seconds)
    let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// Such as "41 s" and "12:05".
  static func brief(_ seconds: Double) -> String { whole(seconds) < 100 ? "\(whole(seconds)) s" : clock(seconds) }

  /// The time until a retry, such as "41 s" and "3 min"; nil if it is in progress.
  static func wait(_ seconds: Int?) -> String? {
    guard let seconds, seconds > 0 else { return nil }
    return seconds < 100 ? "\(seconds) s" : "\(min(99, (seconds - 1) / 60 + 1)) min"
  }

  /// The remaining recording time; nil if unknown, or a day or more.
  static func room(_ seconds: Double?) -> String? {
    guard let seconds, seconds < 86_400 else { return nil }
    return brief(seconds)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
