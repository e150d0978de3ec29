import Units

extension Alarm {
  /// The time, such as "06:30".
  public var timeText: String { Self.twoDigits(minute / 60) + ":" + Self.twoDigits(minute % 60) }

  /// Returns the minutes after midnight of a text such as "06:30" or "6:30"; nil if invalid.
  public static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

extension CalendarDay {
  /// Reads a date such as "2026-12-24"; nil for a day that does not exist.
  public init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let year = Int(parts[0]),
      let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    self.init(year, month, day)
    // A day beyond the end of its month belongs to another month.
    guard iso == text else { return nil }
  }

  /// The date, such as "2026-12-24".
  public var iso: String {
    let day = number - CalendarDay(year, month, 1).number + 1
    return "\(year)-\(Alarm.twoDigits(month))-\(Alarm.twoDigits(day))"
  }

  /// The month, 1 … 12.
  private var month: Int {
    let year = year
    return (2...12).first { CalendarDay(year, $0, 1) > self }.map { $0 - 1 } ?? 12
  }
}
