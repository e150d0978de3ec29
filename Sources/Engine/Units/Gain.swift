/// A factor of loudness as the render thread multiplies with it: fixed point, with 24 bits behind the point.
public enum Gain {
  /// 1.0: samples pass untouched.
  @inlinable
  public static var unity: Int32 { 1 << 24 }

  /// Bits behind the point.
  @inlinable
  public static var fractionBits: Int64 { 24 }

  /// A factor of 0 … 100 in this form.
  public static func fixed(_ factor: Double) -> Int32 { Int32(factor * Double(unity)) }
}
