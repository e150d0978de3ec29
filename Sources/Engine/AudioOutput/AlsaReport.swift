import Rendering
import Units

/// What an ALSA device takes, as `doctor` looks at it. The device is opened for that moment, and plays nothing.
public struct AlsaReport: Equatable, Sendable {
  /// The bits of its samples, of 16, 24 and 32.
  public var bits: [Int]
  /// The rates of stations that it plays as they are, in hertz.
  public var hertz: [Int]
  /// The parts of it that take locks, or wait for other threads, on the render thread: "dmix", "softvol", "PulseAudio".
  public var lockers: [String]

  /// What is known of a device.
  public init(bits: [Int], hertz: [Int], lockers: [String] = []) {
    self.bits = bits
    self.hertz = hertz
    self.lockers = lockers
  }

  /// Looks at a device, such as "hw:CARD=sndrpihifiberry" (`snd_pcm_hw_params_test_format`).
  ///
  /// - Throws: `SinkError` where it cannot be opened, or takes nothing that Bakelite can give.
  public init(device: String) throws(SinkError) {
    let device = try AlsaDevice.open(device, forced: nil)
    bits = []
    if device.accepts(.s16le) { bits.append(16) }
    if device.accepts(.s24le) || device.accepts(.s24in32le) { bits.append(24) }
    if device.accepts(.s32le) { bits.append(32) }
    lockers = Self.lockers(in: device.description)
    hertz = [22_050, 24_000, 32_000, 44_100, 48_000].filter { device.accepts(SampleRate(Int32($0))) }
  }

  /// The parts in a description of libasound's (`snd_pcm_dump`) that take locks on the thread that writes: dmix, dshare
  /// and softvol share memory and a control with others, sound servers are reached through threads of their own.
  public static func lockers(in description: String) -> [String] {
    let parts = [
      "Direct Stream Mixing PCM": "dmix", "Direct Share PCM": "dshare", "Soft volume PCM": "softvol",
      "PulseAudio PCM I/O Plugin": "PulseAudio", "PipeWire PCM I/O Plugin": "PipeWire",
      "JACK PCM I/O Plugin": "JACK",
    ]
    return parts.filter { description.contains($0.key) }.map(\.value).sorted()
  }
}
