import Glibc

enum UtcTime {
  /// Formats seconds since 1970 as "2026-11-24T08:30:00Z" (RFC 3339).
  static func text(_ seconds: Int64) -> String {
    var (moment, parts) = (time_t(seconds), tm())
    guard gmtime_r(&moment, &parts) != nil else { return "" }

    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let day = "\(digits(parts.tm_year + 1_900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    return day + "T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
  }
}
