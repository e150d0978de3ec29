/// A set of weekdays.
public struct Weekdays: OptionSet, Hashable, Sendable {
  /// A bit for each day; bit 0 for Sunday.
  public let rawValue: UInt8

  /// Creates a set from its bits; bits above 6 are dropped.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }

  /// All days of the week.
  public static let everyDay = Weekdays(rawValue: 0x7F)

  /// The names of the days in English, Sunday first.
  public static let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// Returns true if the set has a day, 0 for Sunday.
  public func contains(day: Int) -> Bool { (0...6).contains(day) && rawValue & 1 << UInt8(day) != 0 }

  /// Creates a set from names such as "mon"; nil with an unknown name.
  public init?(names: [String]) {
    var bits: UInt8 = 0
    for name in names {
      guard let day = Self.names.firstIndex(of: name) else { return nil }
      bits |= 1 << UInt8(day)
    }
    self.init(rawValue: bits)
  }

  /// The names of the days, Monday first.
  public var names: [String] { [1, 2, 3, 4, 5, 6, 0].filter { contains(day: $0) }.map { Self.names[$0] } }
}
