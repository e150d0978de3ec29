/// Compares recordings of s24le stereo by a codec that needs time to settle.
public enum RecordingComparison {
  /// Returns the left samples.
  public static func samples(_ bytes: some Collection<UInt8>) -> [Int32] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count / 6 * 6, by: 6).map { place in
      Int32(bytes[place]) | Int32(bytes[place + 1]) << 8 | Int32(Int8(bitPattern: bytes[place + 2])) << 16
    }
  }

  /// Returns the power of `wanted` divided by the power of its difference from `heard`.
  public static func ratio(_ heard: some Collection<Int32>, _ wanted: some Collection<Int32>) -> Double {
    var (power, error) = (0.0, 0.0)
    for (mine, theirs) in zip(heard, wanted) {
      power += Double(theirs) * Double(theirs)
      error += (Double(mine) - Double(theirs)) * (Double(mine) - Double(theirs))
    }
    return power / max(1, error)
  }

  /// Returns the first place in `whole` that matches `piece` with a difference below -40 dB; nil without a match.
  public static func place(of piece: [Int32], in whole: [Int32]) -> Int? {
    let probe = piece.prefix(64)
    for start in 0..<max(0, whole.count - piece.count) where ratio(probe, whole[start..<start + 64]) > 1_000 {
      if ratio(piece, whole[start..<start + piece.count]) > 10_000 { return start }
    }
    return nil
  }
}
