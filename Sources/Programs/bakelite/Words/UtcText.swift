import Glibc

/// Formats seconds since 1970, in UTC.
enum UtcText {
  /// Returns a date such as "2026-02-01"; "no date" outside the calendar's range.
  static func day(_ seconds: Int64) -> String {
    guard let parts = parts(seconds) else { return "no date" }
    return "\(Int(parts.tm_year) + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
  }

  /// Returns a time such as "2026-02-01 09:05 UTC".
  static func minute(_ seconds: Int64) -> String {
    guard let parts = parts(seconds) else { return "no date" }
    return "\(day(seconds)) \(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }

  private static func parts(_ seconds: Int64) -> tm? {
    var (time, parts) = (time_t(seconds), tm())
    return gmtime_r(&time, &parts) == nil ? nil : parts
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
