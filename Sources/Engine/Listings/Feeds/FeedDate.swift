import Units

/// Parses dates in feeds: the many variants of RFC 822, RFC 3339 and other forms of ISO 8601.
enum FeedDate {
  /// Returns the seconds since 1970 (UTC) for a date such as "Wed, 27 Apr 2011 07:00:00 GMT" or "2011-04-27T07:00:00Z".
  /// Returns nil without a valid date from 1900 to 9999.
  ///
  /// A missing time of day means midnight. A missing or unknown zone means UTC. An ISO month without a day means its
  /// first day.
  static func seconds(_ text: some Sequence<UInt8>) -> Int64? { reading(text)?.seconds }

  /// Returns the seconds like `seconds(_:)`. `hasClock`: true with a time of day; `hasZone`: true with a known zone.
  static func reading(_ text: some Sequence<UInt8>) -> (seconds: Int64, hasClock: Bool, hasZone: Bool)? {
    var reading = DateReading()
    var tokens = DateTokens(bytes: Array(text.prefix(80)))
    while let token = tokens.next() { reading.process(token) }
    return reading.seconds.map { ($0, reading.hasClock, reading.hasZone) }
  }
}

private struct DateTokens {
  struct Token {
    var before: UInt8?
    var after: UInt8?
    /// Digits, or ASCII letters in lower case.
    var text: [UInt8]

    var isNumber: Bool { text.first.map { $0.isDigit } ?? false }
    var number: Int? { text.count <= 14 ? Int(String(decoding: text, as: UTF8.self)) : nil }
  }

  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Token? {
    while place < bytes.count, !bytes[place].isDigit, !bytes[place].isLetter { place += 1 }
    guard place < bytes.count else { return nil }
    let start = place
    let isNumber = bytes[start].isDigit
    while place < bytes.count, isNumber ? bytes[place].isDigit : bytes[place].isLetter { place += 1 }
    return Token(
      before: start > 0 ? bytes[start - 1] : nil, after: place < bytes.count ? bytes[place] : nil,
      text: bytes[start..<place].map(\.asciiLowercased))
  }
}

private struct DateReading {
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var clock: [Int] = []
  private var isAfternoon: Bool?
  private var zoneSign: Int?
  private var zone: [Int] = []
  private var zoneMinutes = 0
  private var isZoneNamed = false
  /// True if the year came first: month and day follow in this order.
  private var isIso = false

  mutating func process(_ token: DateTokens.Token) {
    if token.isNumber { processNumber(token) } else { processWord(token) }
  }

  private mutating func processNumber(_ token: DateTokens.Token) {
    guard let number = token.number else { return }
    let isTime = token.after == UInt8(ascii: ":") || token.before == UInt8(ascii: ":")
    let isSigned = token.before == UInt8(ascii: "+") || token.before == UInt8(ascii: "-")
    if !clock.isEmpty, isSigned, zoneSign == nil, !(token.before == UInt8(ascii: "-") && !isDated) {
      zoneSign = token.before == UInt8(ascii: "-") ? -1 : 1
      zone = token.text.count > 2 ? [number / 100, number % 100] : [number]
    } else if zoneSign != nil, zone.count == 1, token.before == UInt8(ascii: ":") {
      zone.append(number)
    } else if isTime, zoneSign == nil, clock.count < 3 {
      clock.append(number)
    } else if token.before == UInt8(ascii: "."), clock.count == 3 {
      // Ignore fractions of a second.
    } else if isIso, isDated, clock.isEmpty, token.before.map({ $0 | 0x20 == UInt8(ascii: "t") }) ?? false {
      processCompactClock(token.text)
    } else {
      processDatePart(number, digits: token.text.count)
    }
  }

  private var isDated: Bool { year != nil && month != nil && day != nil }

  /// Reads a time without colons, such as 183002 or 1830.
  private mutating func processCompactClock(_ digits: [UInt8]) {
    guard digits.count == 4 || digits.count == 6 else { return }
    clock = stride(from: 0, to: digits.count, by: 2).map {
      Int(digits[$0] - UInt8(ascii: "0")) * 10 + Int(digits[$0 + 1] - UInt8(ascii: "0"))
    }
  }

  private mutating func processDatePart(_ number: Int, digits: Int) {
    switch digits {
    case 8 where year == nil && month == nil:
      year = number / 10_000
      month = number / 100 % 100
      day = number % 100
      isIso = true
    case 4 where year == nil:
      year = number
      isIso = month == nil && day == nil
    case 1...2 where isIso && month == nil: month = number
    case 1...2 where day == nil: day = number
    case 1...3 where year == nil:
      // RFC 2822, section 4.3: years with two or three digits.
      year = number < 50 && digits < 3 ? 2_000 + number : 1_900 + number
    default: break
    }
  }

  private mutating func processWord(_ token: DateTokens.Token) {
    let word = String(decoding: token.text, as: UTF8.self)
    if month == nil, let place = Self.months.firstIndex(where: { word.hasPrefix($0) }) {
      month = place + 1
    } else if word == "am" || word == "pm" {
      isAfternoon = word == "pm"
    } else if !clock.isEmpty, zoneMinutes == 0, let hours = Self.zones[word] {
      zoneMinutes = Int(hours * 60)
      isZoneNamed = true
    }
  }

  var hasClock: Bool { clock.count > 1 }
  var hasZone: Bool { isZoneNamed || zoneSign != nil && zone.first.map { $0 <= 15 } ?? false }

  /// Since 1970 (UTC); nil if the date is incomplete or a part is out of range.
  var seconds: Int64? {
    guard let year, let month, 1900...9999 ~= year, 1...12 ~= month else { return nil }
    guard let day = day ?? (isIso ? 1 : nil), day >= 1, day <= Self.days(of: month, in: year) else { return nil }
    var hour = clock.first ?? 0
    let (minute, second) = (clock.count > 1 ? clock[1] : 0, clock.count > 2 ? clock[2] : 0)
    if let isAfternoon, 1...12 ~= hour { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    guard hour <= 24, minute < 60, second <= 60 else { return nil }
    var ahead = zoneMinutes
    if let zoneSign, let hours = zone.first, hours <= 15 {
      ahead = zoneSign * (hours * 60 + (zone.count > 1 ? min(zone[1], 59) : 0))
    }
    return CalendarDay(year, month, day).seconds + Int64(hour * 3_600 + (minute - ahead) * 60 + second)
  }

  private static func days(of month: Int, in year: Int) -> Int {
    let next = month == 12 ? CalendarDay(year + 1, 1, 1) : CalendarDay(year, month + 1, 1)
    return next.number - CalendarDay(year, month, 1).number
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// Hours ahead of UTC.
  private static let zones: [String: Double] = [
    "z": 0, "gmt": 0, "ut": 0, "utc": 0,
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8,
    "hst": -10, "bst": 1, "wet": 0, "west": 1, "cet": 1, "mez": 1, "cest": 2, "mesz": 2, "eet": 2, "eest": 3, "msk": 3,
    "ist": 5.5, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "awst": 8,
    "acst": 9.5, "acdt": 10.5, "nzst": 12, "nzdt": 13,
  ]
}

extension UInt8 {
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= asciiLowercased }
}
