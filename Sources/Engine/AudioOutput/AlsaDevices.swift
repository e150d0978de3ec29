import CALSA

/// The machine's playback devices.
public enum AlsaDevices {
  /// Returns the names of the devices that play, without plug-ins such as "speexrate"; empty without a sound card
  /// (snd_device_name_hint).
  public static func names() -> [String] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var names: [String] = []
    var entry = hints
    while let hint = entry.pointee {
      if let name = text(hint, "NAME"), text(hint, "IOID") != "Input" { names.append(name) }
      entry += 1
    }
    return playing(among: names)
  }

  /// Returns the names of cards, and the usual devices if a card exists. ALSA lists its plug-ins too.
  static func playing(among names: [String]) -> [String] {
    guard names.contains(where: isCard) else { return [] }
    return names.filter { isCard($0) || ["default", "pipewire", "pulse"].contains($0) }
  }

  private static func isCard(_ name: String) -> Bool { name.contains(":CARD=") }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
