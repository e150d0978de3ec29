extension Configuration {
  /// The keys of settings that can change at run time, in order, such as "panel.scroll_ms". Access rights, paths and
  /// hardware can be set only in `bakelite.toml`. Exceptions are the bus of MPRIS and the web panel's switches.
  public static var changeableKeys: [String] { changeable.map(\.key) }

  /// Returns a setting in TOML syntax; nil for a key that cannot be changed.
  public func literal(of key: String) -> String? { value(of: key)?.literal }

  /// Returns a setting in words; nil for a key that cannot be changed.
  public func words(of key: String) -> String? {
    if case .text(let text)? = value(of: key) { return text }
    return literal(of: key)
  }

  /// True if a change applies at once, or from the next tuning for keys in `[buffer]`. Other changes apply from the
  /// next start.
  public static func appliesAtOnce(_ key: String) -> Bool {
    ["panel.", "directory.", "web.", "continuity."].contains { key.hasPrefix($0) }
      || ["timezone", "language", "buffer.data_timeout", "buffer.continuous"].contains(key)
  }

  /// Returns these settings with the owner's changes. Throws if a change is not valid. `replacesValues`: true to keep
  /// this value for an unusable change that concerns neither sound nor safety.
  public func changed(by owner: OwnerSettings, replacesValues: Bool = false) throws(SettingsErrors) -> Configuration {
    var changed = self
    let text = owner.settingsLines.joined(separator: "\n") + "\n"
    try TomlDocument.read(Array(text.utf8), file: "owner.toml", replacesValues: replacesValues) {
      changed.read($0, $1)
    }
    return changed
  }

  /// Converts an owner's text for a key to TOML syntax. This method accepts invalid values; the reader refuses them
  /// later.
  public static func literal(_ text: String, for key: String) -> String {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
    switch Configuration().value(of: key) {
    case .integer:
      if let number = Int64(text) { return String(number) }
      return isNumber ? Double(text).map { String($0) } ?? StationText.quoted(text) : StationText.quoted(text)
    case .number: return isNumber ? Double(text).map(\.plain) ?? StationText.quoted(text) : StationText.quoted(text)
    case .flag: return ["true", "false"].contains(text) ? text : StationText.quoted(text)
    default: return StationText.quoted(text)
    }
  }

  /// Returns the reason why a key cannot be changed.
  public static func cannotChange(_ key: String) -> String {
    let near = SpellingSuggestion.nearest(to: key, of: changeableKeys).map { "did you mean \($0)?" }
    let isKnown = rules.contains { rule in
      rule.key == key || rule.key == "[\(key.prefix { $0 != "." })] \(key.drop { $0 != "." }.dropFirst())"
    }
    if isKnown { return "\(key) stands in bakelite.toml alone; change it there" }
    return "there is no setting \(key.quoted); \(near ?? "known are \(changeableKeys.joined(last: "and"))")"
  }

  private func value(of key: String) -> TomlValue? { Self.changeable.first { $0.key == key }?.value(self) }

  private typealias Value = @Sendable (Configuration) -> TomlValue

  private static let changeable: [(key: String, value: Value)] = [
    ("timezone", { .text($0.timezone) }),
    ("language", { .text($0.language.rawValue) }),
    ("start.play", { .text($0.start.play.rawValue) }),
    ("audio.period_ms", { .integer(Int64($0.audio.periodMilliseconds)) }),
    ("audio.buffer_ms", { .integer(Int64($0.audio.bufferMilliseconds)) }),
    ("audio.volume", { .text($0.audio.volume.rawValue) }),
    ("audio.start_volume_max", { .integer(Int64($0.audio.startVolumeMax)) }),
    ("audio.mono", { .flag($0.audio.isMono) }),
    ("buffer.blocks", { .integer(Int64($0.buffer.blocks)) }),
    ("buffer.wait_live", { .number($0.buffer.waitLive) }),
    ("buffer.wait_file", { .number($0.buffer.waitFile) }),
    ("buffer.start", { .text($0.buffer.start.rawValue) }),
    ("buffer.throttle_bypass", { .number($0.buffer.throttleBypass) }),
    ("buffer.live_safety", { .number($0.buffer.liveSafety) }),
    ("buffer.data_timeout", { .number($0.buffer.dataTimeout) }),
    ("buffer.pause_timeout", { .number($0.buffer.pauseTimeout) }),
    ("buffer.continuous", { .flag($0.buffer.isContinuous) }),
    ("decoding.mp3_decoder", { .text($0.decoding.mp3.rawValue) }),
    ("prefetch.neighbours", { .integer(Int64($0.prefetch.neighbours)) }),
    ("prefetch.metered", { .flag($0.prefetch.isMetered) }),
    ("prefetch.max_mb_per_hour", { .integer(Int64($0.prefetch.maxMegabytesPerHour)) }),
    ("continuity.second_source", { .text($0.continuity.secondSource.rawValue) }),
    ("continuity.max_mb_per_day", { .integer(Int64($0.continuity.maxMegabytesPerDay)) }),
    ("continuity.fallback_after_s", { .number($0.continuity.fallbackAfter) }),
    ("continuity.tone", { .flag($0.continuity.hasTone) }),
    ("continuity.return_after_s", { .number($0.continuity.returnAfter) }),
    ("continuity.dead_air_db", { .number($0.continuity.deadAirDecibels) }),
    ("continuity.dead_air_s", { .number($0.continuity.deadAirSeconds) }),
    ("continuity.ads", { .text($0.continuity.ads.rawValue) }),
    ("panel.idle_clock", { .flag($0.panel.hasIdleClock) }),
    ("panel.scroll_ms", { .integer(Int64($0.panel.scrollMilliseconds)) }),
    ("panel.volume_step", { .integer(Int64($0.panel.volumeStep)) }),
    ("panel.scrub_step", { .integer(Int64($0.panel.scrubStep)) }),
    ("directory.update_days", { .integer(Int64($0.directory.updateDays)) }),
    ("directory.relocate", { .text($0.directory.relocate.rawValue) }),
    ("directory.relocate_after_days", { .integer(Int64($0.directory.relocateAfterDays)) }),
    ("directory.count_clicks", { .flag($0.directory.countsClicks) }),
    ("recording.floor_mib", { .integer(Int64($0.recording.floorMebibytes)) }),
    ("recording.max_gb", { .number($0.recording.maxGigabytes) }),
    ("recording.margin", { .number($0.recording.margin) }),
    ("mpris.bus", { .text($0.mpris.bus.rawValue) }),
    ("web.enabled", { .flag($0.web.isEnabled) }),
    ("web.read_only", { .flag($0.web.isReadOnly) }),
  ]
}

extension TomlValue {
  /// The value in TOML syntax; nil for arrays and tables.
  var literal: String? {
    switch self {
    case .text(let text): StationText.quoted(text)
    case .integer, .number, .flag: words
    case .array, .table, .moment: nil
    }
  }
}
