/// When a fragment begins on its track's clock (`tfdt`, ISO 14496-12, 8.8.12).
public struct FragmentTime: Hashable, Sendable {
  /// Ticks since the track's time 0.
  public let value: UInt64
  /// Ticks a second, 1 or more.
  public let timescale: UInt32

  /// A time of so many ticks.
  public init(value: UInt64, timescale: UInt32) {
    self.value = value
    self.timescale = timescale
  }

  /// The same in seconds.
  var seconds: Double { Double(value) / Double(max(1, timescale)) }
}
