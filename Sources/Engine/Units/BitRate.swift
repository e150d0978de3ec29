/// Bits per second.
public struct BitRate: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// Bits per second, never negative.
  public let bitsPerSecond: Int

  /// A rate of so many bits per second.
  public init(bitsPerSecond: Int) {
    precondition(bitsPerSecond >= 0, "a bit rate is not negative")
    self.bitsPerSecond = bitsPerSecond
  }

  /// The rate at which `bytes` last `time`, clamped to what can be counted; nil where no time passes.
  public init?(_ bytes: ByteCount, over time: StreamTime) {
    guard time > .zero, bytes.value >= 0 else { return nil }
    bitsPerSecond = Int(exactly: (Double(bytes.value) * 8 / time.seconds).rounded()) ?? .max
  }

  /// Whether `lhs` is lower.
  public static func < (lhs: BitRate, rhs: BitRate) -> Bool { lhs.bitsPerSecond < rhs.bitsPerSecond }

  /// Such as "128 kbit/s".
  public var description: String { "\((bitsPerSecond + 500) / 1000) kbit/s" }
}
