/// A bit rate, in bits per second.
public struct BitRate: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Bits per second, never negative.
  public let bitsPerSecond: Int

  /// Creates a rate from bits per second.
  public init(bitsPerSecond: Int) {
    precondition(bitsPerSecond >= 0, "a bit rate is not negative")
    self.bitsPerSecond = bitsPerSecond
  }

  /// Creates the average rate of `bytes` over `time`, clamped to `Int`; nil if `time` ≤ 0 or `bytes` < 0.
  public init?(_ bytes: ByteCount, over time: StreamTime) {
    guard time > .zero, bytes.value >= 0 else { return nil }
    bitsPerSecond = Int(exactly: (Double(bytes.value) * 8 / time.seconds).rounded()) ?? .max
  }

  /// Compares two rates.
  public static func < (lhs: BitRate, rhs: BitRate) -> Bool { lhs.bitsPerSecond < rhs.bitsPerSecond }

  /// The rate in kbit/s, such as "128 kbit/s".
  public var description: String { "\((bitsPerSecond + 500) / 1000) kbit/s" }
}
