import Units

/// The time of an event as written in a feed.
public enum NowPlayingTime: Equatable, Sendable {
  /// A moment with its zone, in seconds since 1970.
  case moment(Int64)
  /// A local date and time without zone, in seconds since 1970 by the station's clocks.
  case reading(Int64)
  /// A local time without date, in seconds since midnight. Up to 29:59:59, because some stations count the night as
  /// hours above 23.
  case clock(Int)

  /// Parses "09:41:18", "9:41 pm", "2017-06-20 19:42:20", dates of RFC 3339 and RFC 822, and seconds or milliseconds
  /// since 1970; nil without a time of day.
  public init?(_ text: String) {
    let bytes = Array(Substring(text).trimmed.utf8.prefix(80))
    if !bytes.isEmpty, bytes.allSatisfy(\.isDigit) {
      guard let time = Self.counted(bytes) else { return nil }
      self = time
    } else if let date = FeedDate.reading(bytes), date.hasClock {
      self = date.hasZone ? .moment(date.seconds) : .reading(date.seconds)
    } else if let second = Self.clock(bytes) {
      self = .clock(second)
    } else {
      return nil
    }
  }

  /// Returns the possible moment nearest to `now`, in seconds since 1970; nil if the zone is needed but unknown.
  public func moment(near now: Int64, in zone: StationZone?) -> Int64? {
    switch self {
    case .moment(let moment): return moment
    case .reading(let reading): return zone.flatMap { Self.nearest($0.moments(showing: reading), to: now) }
    case .clock(let second):
      guard let zone else { return nil }
      let today = CalendarDay(containing: zone.reading(at: now)).number
      let moments = (-2...1).flatMap {
        zone.moments(showing: CalendarDay(number: today + $0).seconds + Int64(second))
      }
      return Self.nearest(moments, to: now)
    }
  }

  private static func nearest(_ moments: [Int64], to now: Int64) -> Int64? {
    moments.min { abs($0 - now) < abs($1 - now) }
  }

  /// Parses digits: seconds or milliseconds since 1970, or a date and time without separators.
  private static func counted(_ digits: [UInt8]) -> NowPlayingTime? {
    guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
    switch digits.count {
    case 9, 10: return .moment(number)
    case 13: return .moment(number / 1_000)
    case 14:
      let (day, clock) = (Int(number / 1_000_000), Int(number % 1_000_000))
      let (month, hour) = (day / 100 % 100, clock / 10_000)
      guard 1...12 ~= month, 1...31 ~= day % 100, hour < 24, clock / 100 % 100 < 60, clock % 100 < 60 else {
        return nil
      }
      let date = CalendarDay(day / 10_000, month, day % 100).seconds
      return .reading(date + Int64(hour * 3_600 + clock / 100 % 100 * 60 + clock % 100))
    default: return nil
    }
  }

  /// Returns the seconds since midnight for the first "h:mm" or "h:mm:ss", with an optional "am" or "pm".
  private static func clock(_ bytes: [UInt8]) -> Int? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let before = bytes[..<colon].reversed().prefix(while: \.isDigit)
    guard (1...2).contains(before.count), var hour = Int(String(decoding: before.reversed(), as: UTF8.self)) else {
      return nil
    }
    var rest = bytes[colon...]
    var parts: [Int] = []
    while parts.count < 2, rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix(while: \.isDigit)
      guard digits.count == 2, let part = Int(String(decoding: digits, as: UTF8.self)), part < 60 else { break }
      parts.append(part)
      rest = rest.dropFirst(3)
    }
    guard let minute = parts.first else { return nil }
    let letters = rest.lazy.map(\.asciiLowercased).filter { 0x61...0x7A ~= $0 }.prefix(2)
    if Array(letters) == Array("pm".utf8), hour < 12 { hour += 12 }
    if Array(letters) == Array("am".utf8), hour == 12 { hour = 0 }
    guard hour < 30 else { return nil }
    return hour * 3_600 + minute * 60 + (parts.count > 1 ? parts[1] : 0)
  }
}

/// The duration of an event as written in a feed.
public enum NowPlayingLength {
  /// Minimum number that means milliseconds, because events are shorter than 10,000 seconds.
  private static let milliseconds = 10_000.0
  private static let maxSeconds = 86_400.0

  /// Parses "183", "183.5", "183000" (milliseconds), "3:03", "0:03:03", "00:03:03.500"; nil if invalid or over a day.
  public static func seconds(_ text: String) -> Double? {
    let parts = Substring(text).trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var sum = 0.0
    for part in parts {
      guard let value = number(part) else { return nil }
      sum = sum * 60 + value
    }
    if parts.count == 1, sum >= milliseconds { sum /= 1_000 }
    return sum > 0 && sum <= maxSeconds ? sum : nil
  }

  private static func number(_ text: Substring) -> Double? {
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else {
      return nil
    }
    return Double(text)
  }
}
