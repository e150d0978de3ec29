import CALSA

/// A card's volume control (`alsa/mixer.h`), closed by its deinitialization. Control thread only.
public final class AlsaMixer {
  private let mixer: OpaquePointer
  private let control: OpaquePointer
  private let range: ClosedRange<Int>

  /// Opens the volume control of a device's card, such as "hw:1,0" or "plughw:CARD=x"; nil without a control.
  public init?(device: String) {
    bk_alsa_silence()
    var opened: OpaquePointer?
    guard snd_mixer_open(&opened, 0) == 0, let mixer = opened else { return nil }
    var least = 0
    var most = 0
    guard snd_mixer_attach(mixer, Self.card(of: device)) == 0, snd_mixer_selem_register(mixer, nil, nil) == 0,
      snd_mixer_load(mixer) == 0, let control = bk_alsa_volume(mixer),
      snd_mixer_selem_get_playback_volume_range(control, &least, &most) == 0, least < most
    else {
      snd_mixer_close(mixer)
      return nil
    }
    self.mixer = mixer
    self.control = control
    range = least...most
  }

  deinit { snd_mixer_close(mixer) }

  /// The control's name, such as "Digital".
  public var name: String { String(cString: snd_mixer_selem_get_name(control)) }

  static func card(of device: String) -> String {
    for prefix in ["plughw:", "hw:", "sysdefault:", "front:", "dmix:", "iec958:"] where device.hasPrefix(prefix) {
      let first = device.dropFirst(prefix.count).prefix { $0 != "," }
      return "hw:" + (first.hasPrefix("CARD=") ? first.dropFirst(5) : first)
    }
    return device
  }

  /// The control's scale, read from the driver.
  public var scale: MixerScale {
    var least = 0
    var most = 0
    let isStated = snd_mixer_selem_get_playback_dB_range(control, &least, &most) == 0
    return MixerScale(steps: range, range: isStated ? MixerScale.Range(least: least, most: most) : nil)
  }

  /// Sets a volume of 1 … 100 percent. `decibels`: the same volume in dB, 0 or less. Returns false if the card refuses.
  @discardableResult
  public func set(percent: Int, decibels: Double) -> Bool {
    begin(isMuted: false)
    return set(scale.position(percent: percent, decibels: decibels))
  }

  /// Mutes the card. Returns false if the card refuses.
  @discardableResult
  public func mute() -> Bool {
    begin(isMuted: true)
    return set(scale.least)
  }

  private func begin(isMuted: Bool) {
    _ = snd_mixer_handle_events(mixer)
    if snd_mixer_selem_has_playback_switch(control) != 0 {
      snd_mixer_selem_set_playback_switch_all(control, isMuted ? 0 : 1)
    }
  }

  private func set(_ position: MixerScale.Position) -> Bool {
    switch position {
    case .decibels(let value): snd_mixer_selem_set_playback_dB_all(control, value, 0) == 0
    case .step(let value): snd_mixer_selem_set_playback_volume_all(control, value) == 0
    }
  }
}
