import Glibc
import RadioEngine

/// The volume where no mixer has one: the radio's own gain.
///
/// At 100 and 0 dB the sound is as it was sent, to the bit.
public final class SoftwareVolume {
  private let radio: Radio
  private var decibels: Double
  private var percent = 100
  private var isMuted = false

  /// Makes a radio as loud as a volume says from now on.
  public init(_ volume: VolumeControl, of radio: Radio) {
    self.radio = radio
    decibels = radio.firstGain
    volume.connect { [self] percent, isMuted in
      (self.percent, self.isMuted) = (percent, isMuted)
      apply()
    } gain: { [self] decibels in
      self.decibels = decibels
      apply()
    }
  }

  private func apply() {
    radio.setLoudness(isMuted ? nil : Self.decibels(percent).map { $0 + decibels })
  }

  /// How loud 0 … 100 percent are: half the way is a quarter of the loudness, 40 dB for each tenth of the rest; nil is
  /// silence.
  public static func decibels(_ percent: Int) -> Double? { percent > 0 ? 40 * log10(Double(percent) / 100) : nil }
}
