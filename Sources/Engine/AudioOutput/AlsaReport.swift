import Rendering
import Units

/// The capabilities of an ALSA device for `doctor`. Opens the device briefly and plays nothing.
public struct AlsaReport: Equatable, Sendable {
  /// Supported sample sizes among 16, 24 and 32 bits.
  public var bits: [Int]
  /// Supported rates among the five usual rates of stations, 22,050 to 48,000 Hz.
  public var hertz: [Int]
  /// Parts that lock, or wait for other threads, on the render thread, such as "dmix", "softvol" or "PulseAudio".
  public var lockers: [String]

  /// Creates a report from known values.
  public init(bits: [Int], hertz: [Int], lockers: [String] = []) {
    self.bits = bits
    self.hertz = hertz
    self.lockers = lockers
  }

  /// Queries a device, such as "hw:CARD=sndrpihifiberry" (`snd_pcm_hw_params_test_format`).
  ///
  /// - Throws: `SinkError` if the device cannot be opened, or supports no format of Bakelite.
  public init(device: String) throws(SinkError) {
    let device = try AlsaDevice.open(device, forced: nil)
    bits = []
    if device.accepts(.s16le) { bits.append(16) }
    if device.accepts(.s24le) || device.accepts(.s24in32le) { bits.append(24) }
    if device.accepts(.s32le) { bits.append(32) }
    lockers = Self.lockers(in: device.description)
    hertz = [22_050, 24_000, 32_000, 44_100, 48_000].filter { device.accepts(SampleRate(Int32($0))) }
  }

  /// Returns the parts in libasound's description (`snd_pcm_dump`) that lock on the writing thread: dmix, dshare and
  /// softvol share memory and a control; sound servers use threads of their own.
  public static func lockers(in description: String) -> [String] {
    let parts = [
      "Direct Stream Mixing PCM": "dmix", "Direct Share PCM": "dshare", "Soft volume PCM": "softvol",
      "PulseAudio PCM I/O Plugin": "PulseAudio", "PipeWire PCM I/O Plugin": "PipeWire",
      "JACK PCM I/O Plugin": "JACK",
    ]
    return parts.filter { description.contains($0.key) }.map(\.value).sorted()
  }
}
