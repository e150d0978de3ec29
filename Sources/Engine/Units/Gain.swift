/// The render thread's gain factor: fixed point with 24 fraction bits.
public enum Gain {
  /// A factor of 1.0, which leaves samples unchanged.
  @inlinable
  public static var unity: Int32 { 1 << 24 }

  /// The number of fraction bits.
  @inlinable
  public static var fractionBits: Int64 { 24 }

  /// Converts a factor of 0 … 100 to fixed point.
  public static func fixed(_ factor: Double) -> Int32 { Int32(factor * Double(unity)) }
}
