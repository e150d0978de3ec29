import Glibc

/// Texts of points in time.
public enum TimeText {
  /// Formats a time (`strftime(3)`); nil if the year is out of range. `format`: for a text of up to 31 bytes.
  public static func text(_ parts: tm, _ format: String) -> String? {
    var parts = parts
    var text = [CChar](repeating: 0, count: 32)
    guard strftime(&text, text.count, format, &parts) > 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Formats seconds since 1970 as the local time for file names, such as "2026-11-21 14.07.33" (`localtime_r(3)`).
  public static func stamp(_ seconds: Int64) -> String {
    var (moment, parts) = (time_t(seconds), tm())
    guard localtime_r(&moment, &parts) != nil else { return "\(seconds)" }
    return text(parts, "%Y-%m-%d %H.%M.%S") ?? "\(seconds)"
  }

  /// Formats seconds since 1970 in UTC, such as "2026-11-24T08:30:00Z" (RFC 3339); nil if the year is out of range.
  public static func utc(_ seconds: Int64, _ format: String = "%04Y-%m-%dT%H:%M:%SZ") -> String? {
    var (moment, parts) = (time_t(seconds), tm())
    return gmtime_r(&moment, &parts) == nil ? nil : text(parts, format)
  }
}
