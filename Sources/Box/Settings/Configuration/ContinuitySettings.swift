import Units

/// `[continuity]`: the second connection to a live station (F2), the fallbacks of a silent station (F4), and its ads.
public struct ContinuitySettings: Equatable, Sendable {
  /// The time of a second connection.
  public enum SecondSource: String, Sendable, CaseIterable {
    case never
    /// For an hour after two failures within ten minutes.
    case onTrouble = "on-trouble"
    case always
  }

  /// The time of a second connection to a live station.
  public var secondSource = SecondSource.onTrouble
  /// Maximum data of second connections within 24 hours, in megabytes; 0 for no limit.
  public var maxMegabytesPerDay = 0

  /// Names of stations, addresses, and paths of files or folders, in order.
  public var fallback: [String] = []
  /// Silence before each next step, in seconds.
  public var fallbackAfter = Defaults.fallbackAfter

  /// True if the chain ends with a tone.
  public var hasTone = false
  /// Steady audio of the station before the return to it, in seconds.
  public var returnAfter = Defaults.returnAfter
  /// The level in dBFS below which audio counts as silence.
  public var deadAirDecibels = Defaults.deadAirDecibels
  /// Silence of an audible station before the fallback plays, in seconds; 0 to detect none.
  public var deadAirSeconds = Defaults.deadAirSeconds

  /// The playback of ads that a station announces.
  public var ads = Ads.play

  /// The playback of announced ads.
  public enum Ads: String, Sendable, CaseIterable {
    case play
    /// Lower them by 12 dB.
    case quiet
    /// Play the first fallback until they are over.
    case other
  }

  /// Creates the default settings.
  public init() {}

  /// Maximum number of fallback entries.
  static let maxCount = 16

  mutating func read(_ table: TableReader) {
    secondSource = table.word("second_source", SecondSource.self) ?? secondSource
    maxMegabytesPerDay = table.whole("max_mb_per_day", 0...100_000, "MB") ?? maxMegabytesPerDay
    fallback = table.fallback() ?? fallback
    fallbackAfter = table.number("fallback_after_s", Limits.fallbackAfter, "s") ?? fallbackAfter
    hasTone = table.flag("tone") ?? hasTone
    returnAfter = table.number("return_after_s", Limits.returnAfter, "s") ?? returnAfter
    deadAirDecibels = table.number("dead_air_db", Limits.deadAirDecibels, "dB") ?? deadAirDecibels
    deadAirSeconds = table.number("dead_air_s", Limits.deadAirSeconds, "s") ?? deadAirSeconds
    ads = table.word("ads", Ads.self) ?? ads
    table.close()
  }
}

extension TableReader {
  /// Reads the entries of `fallback`; nil without the key.
  func fallback() -> [String]? { texts("fallback", .line, most: ContinuitySettings.maxCount) }
}
