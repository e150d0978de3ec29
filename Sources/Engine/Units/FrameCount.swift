/// A number of PCM frames. A frame has one sample per channel.
public struct FrameCount: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number.
  public var value: Int

  /// A count of zero.
  @inlinable
  public static var zero: FrameCount { FrameCount(0) }

  /// Creates a count.
  @_noLocks @_noAllocation @inlinable
  public init(_ value: Int) { self.value = value }

  /// Compares two counts.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: FrameCount, rhs: FrameCount) -> Bool { lhs.value < rhs.value }

  /// Adds two counts.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: FrameCount, rhs: FrameCount) -> FrameCount { FrameCount(lhs.value + rhs.value) }

  /// Subtracts a count.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: FrameCount, rhs: FrameCount) -> FrameCount { FrameCount(lhs.value - rhs.value) }
}
