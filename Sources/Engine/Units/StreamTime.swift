/// A point or a duration on a station's time line, in whole ticks.
///
/// A tick is 1/705,600,000 s. Every usual sample rate (8,000 … 96,000 Hz) divides `ticksPerSecond`. Sums of frames are
/// therefore exact, also across rate changes. An `Int64` of ticks covers 414 years.
public struct StreamTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Ticks per second.
  @inlinable
  public static var ticksPerSecond: Int64 { 705_600_000 }

  /// The start of a time line, or a duration of zero.
  @inlinable
  public static var zero: StreamTime { StreamTime(ticks: 0) }

  /// The number of ticks.
  public var ticks: Int64

  /// Creates a time from ticks.
  @_noLocks @_noAllocation @inlinable
  public init(ticks: Int64) { self.ticks = ticks }

  /// Creates a time from seconds, rounded to a tick and clamped to ±2⁶² ticks; not-a-number becomes zero.
  public init(seconds: Double) {
    let ticks = seconds * Double(Self.ticksPerSecond)
    let limit = 0x1p62
    self.ticks = ticks.isNaN ? 0 : Int64(max(-limit, min(limit, ticks)).rounded())
  }

  /// Creates the duration of `frames` at `rate`, exact if `rate` divides `ticksPerSecond`.
  @_noLocks @_noAllocation @inlinable
  public init(frames: FrameCount, at rate: SampleRate) {
    let whole = Int64(frames.value) / Int64(rate.hertz)
    let rest = Int64(frames.value) % Int64(rate.hertz)
    ticks = whole &* Self.ticksPerSecond &+ rest &* Self.ticksPerSecond / Int64(rate.hertz)
  }

  /// Creates the duration of an untrusted frame count; nil if negative or above 200 years (sums must not overflow).
  public init?(checking frames: Int, at rate: SampleRate) {
    guard frames >= 0, Int64(frames) / Int64(rate.hertz) < (1 << 62) / Self.ticksPerSecond else { return nil }
    self.init(frames: FrameCount(frames), at: rate)
  }

  /// The time in seconds, for display and JSON.
  public var seconds: Double { Double(ticks) / Double(Self.ticksPerSecond) }

  /// Returns the whole frames of `rate` in this time, 0 if the time is negative.
  @_noLocks @_noAllocation @inlinable
  public func frames(at rate: SampleRate) -> FrameCount {
    if ticks <= 0 { return FrameCount(0) }
    let whole = ticks / Self.ticksPerSecond
    let rest = ticks % Self.ticksPerSecond
    return FrameCount(Int(whole &* Int64(rate.hertz) &+ rest &* Int64(rate.hertz) / Self.ticksPerSecond))
  }

  /// Returns the duration of `part` of `whole` equal parts; traps if `ticks * part` overflows.
  public func share(_ part: Int, of whole: Int) -> StreamTime { StreamTime(ticks: ticks * Int64(part) / Int64(whole)) }

  /// Compares two times.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: StreamTime, rhs: StreamTime) -> Bool { lhs.ticks < rhs.ticks }

  /// Adds two times; wraps on overflow, because durations from the network must not trap.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: StreamTime, rhs: StreamTime) -> StreamTime { StreamTime(ticks: lhs.ticks &+ rhs.ticks) }

  /// Subtracts a time.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: StreamTime, rhs: StreamTime) -> StreamTime { StreamTime(ticks: lhs.ticks &- rhs.ticks) }

  /// Adds a time in place.
  @_noLocks @_noAllocation @inlinable
  public static func += (lhs: inout StreamTime, rhs: StreamTime) { lhs = lhs + rhs }
}
