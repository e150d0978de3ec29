import CALSA

/// The machine's playback devices.
public enum AlsaDevices {
  /// Returns the names for `--output alsa:NAME`, without "null"; empty without a sound card (snd_device_name_hint).
  public static func names() -> [String] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var names: [String] = []
    var entry = hints
    while let hint = entry.pointee {
      if let name = text(hint, "NAME"), text(hint, "IOID") != "Input", name != "null" { names.append(name) }
      entry += 1
    }
    return names
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
