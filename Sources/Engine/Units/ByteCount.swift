/// A number of bytes.
public struct ByteCount: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// How many.
  public var value: Int

  /// No bytes.
  public static let zero = ByteCount(0)

  /// So many bytes.
  @inlinable
  public init(_ value: Int) { self.value = value }

  /// So many KiB (1,024 bytes).
  public static func kibi(_ count: Int) -> ByteCount { ByteCount(count * 1024) }

  /// Whether `lhs` are fewer.
  @inlinable
  public static func < (lhs: ByteCount, rhs: ByteCount) -> Bool { lhs.value < rhs.value }

  /// The sum.
  @inlinable
  public static func + (lhs: ByteCount, rhs: ByteCount) -> ByteCount { ByteCount(lhs.value + rhs.value) }

  /// Such as "6144000 B".
  public var description: String { "\(value) B" }
}
