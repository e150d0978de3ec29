import Units

/// The dates of segments (EXT-X-PROGRAM-DATE-TIME; RFC 8216, 4.3.2.6).
enum SegmentDate {
  /// Parses a date such as "2010-02-19T14:54:23.031+08:00" into nanoseconds since 1970 (UTC). The default zone is UTC.
  /// Returns nil without a valid date, before 1677 and after 2262.
  ///
  /// Each segment may have a date, so the usual form is parsed here. `FeedDate` parses other forms more slowly;
  /// `otherForms` is the remaining number of these dates.
  static func nanoseconds(_ text: ArraySlice<UInt8>, otherForms: inout Int) -> Int64? {
    if let usual = usual(text) { return sum(usual.seconds, usual.fraction) }
    guard otherForms > 0 else { return nil }
    otherForms -= 1
    let clock = text.prefix(80)
    guard let seconds = FeedDate.seconds(clock) else { return nil }
    let colon = clock.firstIndex(of: UInt8(ascii: ":")) ?? clock.endIndex
    let point = clock[colon...].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }
    return sum(seconds, point.map { fraction(clock, at: $0).nanoseconds } ?? 0)
  }

  /// Adds a duration of at most a day, possibly negative; nil beyond the range.
  static func moment(_ date: Int64, plus length: StreamTime) -> Int64? {
    // A tick is 625/441 of a nanosecond.
    let (sum, isOver) = date.addingReportingOverflow(length.ticks * 625 / 441)
    return isOver ? nil : sum
  }

  private static func sum(_ seconds: Int64, _ fraction: Int64) -> Int64? {
    let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isBeyond) = product.addingReportingOverflow(fraction)
    return isOver || isBeyond ? nil : sum
  }

  /// Parses the extended form of RFC 3339 and ISO 8601, with or without a zone.
  private static func usual(_ text: ArraySlice<UInt8>) -> (seconds: Int64, fraction: Int64)? {
    let start = text.startIndex
    guard text.count >= 19, text[start + 10] | 0x20 == UInt8(ascii: "t"), text[start + 4] == UInt8(ascii: "-"),
      text[start + 7] == UInt8(ascii: "-"), text[start + 13] == UInt8(ascii: ":"),
      text[start + 16] == UInt8(ascii: ":"), let century = pair(text, at: start), let years = pair(text, at: start + 2),
      let month = pair(text, at: start + 5), let day = pair(text, at: start + 8), let hour = pair(text, at: start + 11),
      let minute = pair(text, at: start + 14), let second = pair(text, at: start + 17)
    else { return nil }
    let (year, clock) = (century * 100 + years, hour * 3_600 + minute * 60 + second)
    let date = CalendarDay(year, month, day)
    guard 1...12 ~= month, day >= 1, date < CalendarDay(year, month + 1, 1), hour < 24, minute < 60, second <= 60 else {
      return nil
    }
    let (nanoseconds, end) = fraction(text, at: start + 19)
    guard let ahead = zone(text[end...]) else { return nil }
    return (date.seconds + Int64(clock - ahead * 60), nanoseconds)
  }

  /// Returns the minutes ahead of UTC for "Z", "+08:00", "-0330" or "+08"; 0 without a zone, nil for another form.
  private static func zone(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first else { return 0 }
    if text.count == 1, first | 0x20 == UInt8(ascii: "z") { return 0 }
    guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-"), let hours = pair(text, at: text.startIndex + 1),
      hours <= 15
    else { return nil }
    let rest = text.dropFirst(3)
    let digits = rest.first == UInt8(ascii: ":") ? rest.dropFirst() : rest
    let minutes = rest.isEmpty ? 0 : pair(digits, at: digits.startIndex) ?? 60
    guard minutes < 60, rest.isEmpty || digits.count == 2 else { return nil }
    return (first == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  /// Returns the fraction of a second, whose point or comma is at `place`, and its end; 0 without a point or comma.
  private static func fraction(_ text: ArraySlice<UInt8>, at place: Int) -> (nanoseconds: Int64, end: Int) {
    guard place < text.endIndex, text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") else {
      return (0, place)
    }
    var (sum, scale, end) = (Int64(0), Int64(1_000_000_000), place + 1)
    while end < text.endIndex, text[end].isDigit {
      scale /= 10
      sum += Int64(text[end] - UInt8(ascii: "0")) * scale
      end += 1
    }
    return (sum, end)
  }

  private static func pair(_ text: ArraySlice<UInt8>, at place: Int) -> Int? {
    guard place >= text.startIndex, place + 1 < text.endIndex, text[place].isDigit, text[place + 1].isDigit else {
      return nil
    }
    return Int(text[place] - UInt8(ascii: "0")) * 10 + Int(text[place + 1] - UInt8(ascii: "0"))
  }
}
