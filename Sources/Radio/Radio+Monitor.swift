import Metering
import Units

/// What is heard now, as figures (R7.1, S2). Asking has it measured, from then on until ten seconds after nobody asked
/// any more; the first answer of all is silence.
extension Radio {
  /// How loud both channels are.
  public var levels: (left: Level, right: Level) {
    let meter = monitor.levels(isSounding: isHeard, at: now)
    return (meter.left, meter.right)
  }

  /// How loud 16 or 20 bands of frequency are, from 50 Hz to 16 kHz.
  public func spectrum(bands: Int) -> [Decibels] {
    monitor.spectrum(bands: bands, rate: engine.outputRate, isSounding: isHeard, at: now)
  }

  private var isHeard: Bool {
    (phase == .playing || phase == .connecting || phase == .buffering) && isAudioPlaying
  }
}

// What of the sound may be asked for.
extension Radio {
  /// The gain that the radio was made with, in dB.
  public var firstGain: Double { settings.gainDecibels }

  /// To how many bits sound is decoded, 16 or 24.
  public var sampleBits: Int { engine.sampleBits }
}
