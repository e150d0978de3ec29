/// A number of bytes.
public struct ByteCount: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// The number.
  public var value: Int

  /// A count of zero.
  public static let zero = ByteCount(0)

  /// Creates a count.
  @inlinable
  public init(_ value: Int) { self.value = value }

  /// Returns `count` KiB (1,024 bytes each).
  public static func kibi(_ count: Int) -> ByteCount { ByteCount(count * 1024) }

  /// Compares two counts.
  @inlinable
  public static func < (lhs: ByteCount, rhs: ByteCount) -> Bool { lhs.value < rhs.value }

  /// Adds two counts.
  @inlinable
  public static func + (lhs: ByteCount, rhs: ByteCount) -> ByteCount { ByteCount(lhs.value + rhs.value) }

  /// The count, such as "6144000 B".
  public var description: String { "\(value) B" }
}
