/// The time zone of a station, named by its usual letters. A zone is the local time of a place, with daylight saving
/// time.
///
/// "EST" and "EDT" both mean New York, in summer and winter. The rules have applied since 2008, most for longer. For
/// letters that several countries use, `table` selects a country.
public struct StationZone: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case none
    /// Second Sunday in March to first Sunday in November, at 2:00 local time.
    case america
    /// Last Sunday in March to last Sunday in October, at 1:00 UTC.
    case europe
    /// First Sunday in October to first Sunday in April, at 2:00 standard time.
    case australia
    /// Last Sunday in September to first Sunday in April, at 2:00 standard time.
    case newZealand
  }

  /// The place's name in the tz database.
  public let place: String
  /// Minutes ahead of UTC in standard time.
  private let minutes: Int
  private let rule: Rule

  /// Creates a zone from its letters, upper or lower case; nil if they are unknown.
  public init?(_ letters: String) {
    guard let found = Self.zones[letters.uppercased()] else { return nil }
    self = found
  }

  private init(_ place: String, _ minutes: Int, _ rule: Rule) {
    (self.place, self.minutes, self.rule) = (place, minutes, rule)
  }

  /// All known letters, sorted.
  public static var letters: [String] { zones.keys.sorted() }

  private static let zones: [String: StationZone] = {
    var zones: [String: StationZone] = [:]
    for (letters, place, minutes, rule) in table {
      for word in letters.split(separator: " ") { zones[String(word)] = StationZone(place, minutes, rule) }
    }
    return zones
  }()

  private static let table: [(String, String, Int, Rule)] = [
    ("NST NDT", "America/St_Johns", -210, .america),
    ("AST ADT", "America/Halifax", -240, .america),
    ("EST EDT", "America/New_York", -300, .america),
    ("CST CDT", "America/Chicago", -360, .america),
    ("MST MDT", "America/Denver", -420, .america),
    ("PST PDT", "America/Los_Angeles", -480, .america),
    ("AKST AKDT", "America/Anchorage", -540, .america),
    ("HST", "Pacific/Honolulu", -600, .none),
    ("ART", "America/Argentina/Buenos_Aires", -180, .none),
    ("BRT", "America/Sao_Paulo", -180, .none),
    ("COT", "America/Bogota", -300, .none),
    ("UTC", "Etc/UTC", 0, .none),
    // British stations write GMT for their local time; stations on Greenwich time all year write UTC.
    ("GMT BST", "Europe/London", 0, .europe),
    ("WET WEST", "Europe/Lisbon", 0, .europe),
    ("CET CEST MEZ MESZ", "Europe/Berlin", 60, .europe),
    ("EET EEST", "Europe/Athens", 120, .europe),
    ("MSK", "Europe/Moscow", 180, .none),
    ("TRT", "Europe/Istanbul", 180, .none),
    ("WAT", "Africa/Lagos", 60, .none),
    ("CAT", "Africa/Maputo", 120, .none),
    ("SAST", "Africa/Johannesburg", 120, .none),
    ("EAT", "Africa/Nairobi", 180, .none),
    ("GST", "Asia/Dubai", 240, .none),
    ("PKT", "Asia/Karachi", 300, .none),
    ("IST", "Asia/Kolkata", 330, .none),
    ("NPT", "Asia/Kathmandu", 345, .none),
    ("ICT", "Asia/Bangkok", 420, .none),
    ("WIB", "Asia/Jakarta", 420, .none),
    ("HKT", "Asia/Hong_Kong", 480, .none),
    ("SGT", "Asia/Singapore", 480, .none),
    ("PHT", "Asia/Manila", 480, .none),
    ("AWST", "Australia/Perth", 480, .none),
    ("JST", "Asia/Tokyo", 540, .none),
    ("KST", "Asia/Seoul", 540, .none),
    ("ACST ACDT", "Australia/Adelaide", 570, .australia),
    ("AET AEST AEDT", "Australia/Sydney", 600, .australia),
    ("NZT NZST NZDT", "Pacific/Auckland", 720, .newZealand),
  ]

  // MARK: Clocks

  /// Returns the offset from UTC in seconds, at a moment in seconds since 1970.
  public func offset(at moment: Int64) -> Int { standard + (isSummer(at: moment) ? 3_600 : 0) }

  /// Returns the local time at a moment, both in seconds since 1970.
  public func reading(at moment: Int64) -> Int64 { moment + Int64(offset(at: moment)) }

  /// Returns the moments at which local clocks show `reading`: one moment, or two if an hour repeats, the earlier
  /// first.
  ///
  /// A time in the hour skipped in spring counts as standard time.
  public func moments(showing reading: Int64) -> [Int64] {
    let found = [standard + 3_600, standard].compactMap { offset in
      let moment = reading - Int64(offset)
      return self.offset(at: moment) == offset ? moment : nil
    }
    return found.isEmpty ? [reading - Int64(standard)] : found
  }

  private var standard: Int { minutes * 60 }

  private func isSummer(at moment: Int64) -> Bool {
    guard rule != .none else { return false }
    let local = moment + Int64(standard)
    let (begins, ends) = summer(of: CalendarDay(containing: local).year)
    return begins < ends ? begins <= local && local < ends : begins <= local || local < ends
  }

  /// Returns start and end of a year's daylight saving time, in standard time.
  private func summer(of year: Int) -> (begins: Int64, ends: Int64) {
    /// Returns the first Sunday from a day on. From the 25th, this is the last Sunday of a month with 31 days.
    func sunday(_ month: Int, from day: Int, at hour: Int) -> Int64 {
      CalendarDay(year, month, day).nextSunday.seconds + Int64(hour) * 3_600
    }
    let april = sunday(4, from: 1, at: 2)
    switch rule {
    case .america: return (sunday(3, from: 8, at: 2), sunday(11, from: 1, at: 1))
    case .europe:
      let shift = Int64(standard)
      return (sunday(3, from: 25, at: 1) + shift, sunday(10, from: 25, at: 1) + shift)
    case .australia: return (sunday(10, from: 1, at: 2), april)
    // September has 30 days.
    case .newZealand: return (sunday(9, from: 24, at: 2), april)
    case .none: return (0, 0)
    }
  }
}
