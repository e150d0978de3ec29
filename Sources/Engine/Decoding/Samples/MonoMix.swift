/// Mixes both channels for a single speaker (D15).
public enum MonoMix {
  /// Replaces both samples of each frame with their mean, which cannot clip.
  public static func apply(_ samples: UnsafeMutablePointer<Int32>, count: Int) {
    for frame in 0..<count {
      let mean = (samples[2 * frame] &+ samples[2 * frame + 1]) >> 1
      samples[2 * frame] = mean
      samples[2 * frame + 1] = mean
    }
  }
}
