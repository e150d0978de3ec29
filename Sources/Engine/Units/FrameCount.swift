/// A number of PCM frames; a frame is one sample for each channel.
public struct FrameCount: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// How many.
  public var value: Int

  /// No frames.
  @inlinable
  public static var zero: FrameCount { FrameCount(0) }

  /// So many frames.
  @_noLocks @_noAllocation @inlinable
  public init(_ value: Int) { self.value = value }

  /// Whether `lhs` are fewer.
  @_noLocks @_noAllocation @inlinable
  public static func < (lhs: FrameCount, rhs: FrameCount) -> Bool { lhs.value < rhs.value }

  /// The sum.
  @_noLocks @_noAllocation @inlinable
  public static func + (lhs: FrameCount, rhs: FrameCount) -> FrameCount { FrameCount(lhs.value + rhs.value) }

  /// The difference.
  @_noLocks @_noAllocation @inlinable
  public static func - (lhs: FrameCount, rhs: FrameCount) -> FrameCount { FrameCount(lhs.value - rhs.value) }
}
