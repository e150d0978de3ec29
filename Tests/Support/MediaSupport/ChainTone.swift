/// The sounds of a recording between its silences, for the tone of the fallback chain.
public struct ChainTone: Sendable {
  /// A sound between two silences of at least 100 frames.
  public struct Sound: Sendable {
    /// Duration in frames.
    public var frameCount = 1
    /// Number of half waves.
    public var halfWaves = 0
    /// Largest sample.
    public var peak = 0

    /// True for half a second of 440 Hz at 44.1 kHz.
    public var isTone: Bool { (21_900...22_060).contains(frameCount) && (436...442).contains(halfWaves) }
  }

  /// All sounds in order.
  public private(set) var sounds: [Sound] = []

  /// Reads 16-bit stereo at 44.1 kHz.
  public init(_ pcm: some Collection<UInt8>) {
    let bytes = Array(pcm)
    var (silence, last) = (100, 0)
    for place in stride(from: 0, to: bytes.count / 4 * 4, by: 4) {
      let sample = Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
      guard sample != 0 else {
        silence += 1
        continue
      }
      if silence >= 100 {
        sounds.append(Sound())
      } else {
        sounds[sounds.count - 1].frameCount += silence + 1
        if (sample < 0) != (last < 0) { sounds[sounds.count - 1].halfWaves += 1 }
      }
      sounds[sounds.count - 1].peak = max(sounds[sounds.count - 1].peak, abs(sample))
      (silence, last) = (0, sample)
    }
  }

  /// Number of whole tones.
  public var toneCount: Int { sounds.count { $0.isTone } }
  /// True if a sound of at least two seconds is louder than the tone at full volume.
  public var hasProgramme: Bool { sounds.contains { $0.frameCount > 88_200 && $0.peak > 1_100 } }
}
