/// A point, or a length, on a station's own time line, in whole ticks.
///
/// A tick is 1/705,600,000 s. Every usual sample rate divides it (8,000 … 96,000 Hz), so adding up frames is exact and
/// the sum survives a change of the rate. An `Int64` of ticks reaches 414 years.
public struct StreamTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Ticks in one second.
  @inlinable
  public static var ticksPerSecond: Int64 { 705_600_000 }

  /// No time at all; also the start of a time line.
  @inlinable
  public static var zero: StreamTime { StreamTime(ticks: 0) }

  /// The number of ticks.
  public var ticks: Int64

  /// A time of so many ticks.
  @_noLocks @_noAllocation @inlinable
  public init(ticks: Int64) { self.ticks = ticks }

  /// A time of so many seconds, rounded to the tick; seconds beyond the reach of the time line are clamped to it.
  public init(seconds: Double) {
    let ticks = seconds * Double(Self.ticksPerSecond)
    let limit = 0x1p62
    self.ticks = ticks.isNaN ? 0 : Int64(max(-limit, min(limit, ticks)).rounded())
  }

  /// The length of `frames` at `rate`, exact for every rate that divides the tick.
  @_noLocks @_noAllocation @inlinable
  public init(frames: FrameCount, at rate: SampleRate) {
    let whole = Int64(frames.value) / Int64(rate.hertz)
    let rest = Int64(frames.value) % Int64(rate.hertz)
    ticks = whole &* Self.ticksPerSecond &+ rest &* Self.ticksPerSecond / Int64(rate.hertz)
  }

  /// The length of as many frames as something outside tells; nil where they are fewer than none, or sound for more
  /// than 200 years: sums with it do not overflow.
  public init?(checking frames: Int, at rate: SampleRate) {
    guard frames >= 0, Int64(frames) / Int64(rate.hertz) < (1 << 62) / Self.ticksPerSecond else { return nil }
    self.init(frames: FrameCount(frames), at: rate)
  }

  /// The same time in seconds, for people and for JSON.
  public var seconds: Double { Double(ticks) / Double(Self.ticksPerSecond) }

  /// How many whole frames of `rate` fit into this time; a negative time holds none.
  @_noLocks @_noAllocation @inlinable
  public func frames(at rate: SampleRate) -> FrameCount {
    if ticks <= 0 { return FrameCount(0) }
    let whole = ticks / Self.ticksPerSecond
    let rest = ticks % Self.ticksPerSecond
    return FrameCount(Int(whole &* Int64(rate.hertz) &+ rest &* Int64(rate.hertz) / Self.ticksPerSecond))
  }

  /// What `part` of `whole` equal parts of this last.
  public func share(_ part: Int, of whole: Int) -> StreamTime { StreamTime(ticks: ticks * Int64(part) / Int64(whole)) }

  /// Whether `lhs` comes before `rhs`.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: StreamTime, rhs: StreamTime) -> Bool { lhs.ticks < rhs.ticks }

  /// The later of two moments by a length; wraps rather than traps, since lengths come from the network.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: StreamTime, rhs: StreamTime) -> StreamTime { StreamTime(ticks: lhs.ticks &+ rhs.ticks) }

  /// The length between two moments.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: StreamTime, rhs: StreamTime) -> StreamTime { StreamTime(ticks: lhs.ticks &- rhs.ticks) }

  /// Moves a moment by a length.
  @_noLocks @_noAllocation @inlinable
  public static func += (lhs: inout StreamTime, rhs: StreamTime) { lhs = lhs + rhs }
}
