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

  /// Sets the volume in dB relative to the control's maximum, or relative to 0 dB if the maximum is higher; nil mutes.
  /// Returns false if the card refuses.
  @discardableResult
  public func set(_ decibels: Double?) -> Bool {
    _ = snd_mixer_handle_events(mixer)
    if snd_mixer_selem_has_playback_switch(control) != 0 {
      snd_mixer_selem_set_playback_switch_all(control, decibels == nil ? 0 : 1)
    }
    guard let decibels else { return snd_mixer_selem_set_playback_volume_all(control, range.lowerBound) == 0 }
    var least = 0
    var most = 0
    if snd_mixer_selem_get_playback_dB_range(control, &least, &most) == 0, least < most {
      // Hundredths of a decibel. A gain above 0 dB would distort, so the control's maximum is limited to 0 dB.
      let wanted = min(most, max(least, min(most, 0) + Int(decibels * 100)))
      return snd_mixer_selem_set_playback_dB_all(control, wanted, 0) == 0
    }
    let share = max(0, 1 + decibels / 60)
    let value = range.lowerBound + Int(Double(range.upperBound - range.lowerBound) * share)
    return snd_mixer_selem_set_playback_volume_all(control, value) == 0
  }
}
