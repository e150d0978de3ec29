/// Start time of a fragment on its track's clock (`tfdt`, ISO 14496-12, 8.8.12).
public struct FragmentTime: Hashable, Sendable {
  /// Ticks since time 0 of the track.
  public let value: UInt64
  /// Ticks per second, 1 or more.
  public let timescale: UInt32

  /// Creates a time in ticks.
  public init(value: UInt64, timescale: UInt32) {
    self.value = value
    self.timescale = timescale
  }

  var seconds: Double { Double(value) / Double(max(1, timescale)) }
}
