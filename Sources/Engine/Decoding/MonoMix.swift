/// Both channels in one speaker (D15).
public enum MonoMix {
  /// Makes of each of `count` frames, two samples that follow each other, its mean twice: nothing can clip.
  public static func apply(_ samples: UnsafeMutablePointer<Int32>, count: Int) {
    for frame in 0..<count {
      let mean = (samples[2 * frame] &+ samples[2 * frame + 1]) >> 1
      samples[2 * frame] = mean
      samples[2 * frame + 1] = mean
    }
  }
}
