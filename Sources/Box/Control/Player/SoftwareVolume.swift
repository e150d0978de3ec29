import Glibc
import RadioEngine

/// Applies the volume as the radio's own gain, without a mixer. At 100 percent and 0 dB the samples stay unchanged.
public final class SoftwareVolume {
  private let radio: Radio
  private var decibels: Double
  private var percent = 100
  private var isMuted = false

  /// Connects a volume to a radio.
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

  /// Converts 0 … 100 percent: 50 percent is -12 dB, and each division by ten is -40 dB; nil for silence.
  public static func decibels(_ percent: Int) -> Double? { percent > 0 ? 40 * log10(Double(percent) / 100) : nil }
}
