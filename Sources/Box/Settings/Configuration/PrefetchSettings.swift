import Units

/// `[prefetch]`: stations received in advance, for changes without a delay (B5).
public struct PrefetchSettings: Equatable, Sendable {
  /// Number of stations next to the current one; 0 for no prefetch.
  public var neighbours = 0
  /// True if the owner pays the line by the amount of data: nothing is received in advance or twice.
  public var isMetered = false
  /// Maximum audio received in advance within an hour, in megabytes; 0 for no limit.
  public var maxMegabytesPerHour = 120

  /// Number of stations to receive in advance; 0 on a metered line.
  public var count: Int { isMetered ? 0 : neighbours }

  mutating func read(_ table: TableReader) {
    neighbours = table.whole("neighbours", Limits.prefetchNeighbours, "stations") ?? neighbours
    isMetered = table.flag("metered") ?? isMetered
    maxMegabytesPerHour = table.whole("max_mb_per_hour", 0...100_000, "MB") ?? maxMegabytesPerHour
    table.close()
  }
}
