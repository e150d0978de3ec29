// What of the sound may be asked for.
extension Radio {
  /// The gain that the radio was made with, in dB.
  public var firstGain: Double { settings.gainDecibels }

  /// To how many bits sound is decoded, 16 or 24.
  public var sampleBits: Int { engine.render.depth }
}
