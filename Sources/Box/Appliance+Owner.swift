import Control
import Panel
import Radio
import Settings
import Units

// What the owner tells the box while it runs: presets and settings (D16).

extension Appliance {
  /// The commands for it.
  var ownerCommands: [ControlCommand] {
    [
      ControlCommand(
        "radio_preset", "add [NAME ADDRESS [NUMBER]]|remove PRESET|move PRESET NUMBER|edit PRESET KEY VALUE…",
        1...1_000, .admin, "changes the presets; add alone keeps what plays"
      ) { [unowned self] call throws(ControlRefusal) in try changePresets(call) },
      ControlCommand(
        "radio_setting", "[KEY [VALUE|reset]]", 0...2, .admin, "tells settings, or changes one; reset takes that back"
      ) { [unowned self] call throws(ControlRefusal) in
        guard let key = call[0] else { return Self.tell(Configuration.changeableKeys, of: configuration, &call.answer) }
        guard configuration.words(of: key) != nil else {
          throw ControlRefusal(.argument, Configuration.cannotChange(key))
        }
        if let value = call[1] {
          try set(key, value == "reset" ? nil : Configuration.literal(value, for: key))
          call.answer.add("applies", Configuration.appliesAtOnce(key) ? "now" : "restart")
        }
        Self.tell([key], of: configuration, &call.answer)
      },
    ]
  }

  private static func tell(_ keys: [String], of configuration: Configuration, _ answer: inout ControlAnswer) {
    for key in keys { answer.add(key, configuration.words(of: key)) }
  }

  // MARK: Presets

  private func changePresets(_ call: ControlCall) throws(ControlRefusal) {
    let words = call.arguments
    switch (words[0], words.count) {
    case ("add", 1): try keepWhatPlays()
    case ("add", 3...4):
      let number = words.count == 4 ? try call.integer(3, in: 1...10_000) : nil
      try change(.add(try newPreset(words[1], words[2], call.player), at: number.map(filed)))
    case ("remove", 2): try change(.remove(try preset(words[1])))
    case ("move", 3): try change(.move(try preset(words[1]), to: filed(try call.integer(2, in: 1...10_000))))
    case ("edit", 4...):
      let name = try preset(words[1])
      guard let entry = catalog.entries.first(where: { $0.settings.name == name }) else { return }
      let edited: StationSettings
      do throws(SettingsError) { edited = try entry.settings.changed(words[2], to: Array(words[3...])) } catch {
        throw ControlRefusal(.argument, error.problem)
      }
      try change(.edit(name, try fit(edited, from: entry.settings)))
    case ("add", _), ("remove", _), ("move", _), ("edit", _):
      throw ControlRefusal(.argument, "wrong number of arguments for \"radio_preset \(words[0])\"")
    default:
      throw ControlRefusal(.argument, "There is no \(words[0]); there are add, remove, move and edit")
    }
  }

  /// A preset with a name and an address; `station:NAME` stands for all that is known of that station.
  private func newPreset(_ name: String, _ address: String, _ player: PlayerController) throws(ControlRefusal)
    -> StationSettings
  {
    guard let hidden = player.queue.hidden(address) else {
      return try fit(StationSettings(name: name, url: address), from: nil)
    }
    let known = knownSettings(hidden.request.url)
    var station = known
    station.name = name
    return try fit(station, from: known)
  }

  /// What is known of an address: also of a preset that was removed, with its password and all that belongs to it.
  private func knownSettings(_ url: StationAddress) -> StationSettings {
    catalog.entry(url: url, name: nil)?.settings ?? catalog.base.first { $0.url == url }
      ?? StationSettings(name: "", url: url)
  }

  /// What a client may make of a preset: no file of this machine is opened for it, and what was given for one host is
  /// told no other.
  private func fit(_ station: StationSettings, from old: StationSettings?) throws(ControlRefusal) -> StationSettings {
    let isFile = station.url != old?.url && station.url.unredacted.lowercased().hasPrefix("file:")
    let isSecretFile = station.user != old?.user && station.user?.hasPrefix("@") == true
    guard !isFile, !isSecretFile else {
      throw ControlRefusal(.permission, "no file of this machine is opened for a client; write it into stations.toml")
    }
    guard let old, !PresetCatalog.isSameHost(old.url, station.url) else { return station }
    var station = station
    (station.user, station.headers, station.query) = (nil, [], [])
    return station
  }

  /// The number of a preset as the file has it, where one before it cannot be tuned to and has none here.
  private func filed(_ number: Int) -> Int {
    let names = owner.settings.presets(over: catalog.base).map(\.station.name)
    return presetName(at: number - 1).flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? number
  }

  /// The name of the preset that a person means by its number or its name.
  private func preset(_ text: String) throws(ControlRefusal) -> String {
    let named = catalog.entries.firstIndex { $0.settings.name.lowercased() == text.lowercased() }
    let numbered = Int(text).map { $0 &- 1 }.flatMap { catalog.entries.indices.contains($0) ? $0 : nil }
    if let named, let numbered, named != numbered {
      let words = "preset \(named + 1) is called \(text), so that number is not clear; say \(named + 1)"
      throw ControlRefusal(.argument, words)
    }
    if let name = (named ?? numbered).flatMap({ presetName(at: $0) }) { return name }
    throw ControlRefusal(.notFound, "There is no preset \(text); they are 1 to \(catalog.entries.count)")
  }

  private func presetName(at place: Int) -> String? {
    catalog.entries.indices.contains(place) ? catalog.entries[place].settings.name : nil
  }

  /// Changes the presets; the queue follows where nobody changed it.
  private func change(_ change: OwnerChange) throws(ControlRefusal) {
    do throws(SettingsError) {
      try owner.change(change, over: catalog.base)
    } catch {
      throw ControlRefusal(.argument, error.problem)
    }
    catalog.take(owner.settings, configuration.buffer)
    usePresets()
  }

  /// Makes what plays a preset.
  private func keepWhatPlays() throws(ControlRefusal) {
    guard let player = tuner?.player, let current = player.current else {
      throw ControlRefusal(.notPlaying, "Not playing")
    }
    if let place = player.presetPlace {
      throw ControlRefusal(.exists, "That is preset \(place + 1) already")
    }
    var station = knownSettings(current.request.url)
    station.name = catalog.freeName(stationName(player.status, player), url: station.url)
    try change(.add(station, at: nil))
  }

  // MARK: Settings

  /// Sets a setting as TOML writes it; nil: as `bakelite.toml` has it.
  private func set(_ key: String, _ literal: String?) throws(ControlRefusal) {
    do throws(SettingsErrors) {
      try adopt(key, literal)
    } catch {
      throw ControlRefusal(.argument, error.all[0].problem)
    }
  }

  /// The same, in the words of the settings.
  private func adopt(_ key: String, _ literal: String?) throws(SettingsErrors) {
    let change = OwnerChange.set(key, literal)
    var settings = owner.settings
    do throws(SettingsError) { try settings.apply(change, over: catalog.base) } catch { throw SettingsErrors(error) }
    let changed = try ownersConfiguration.changed(by: settings)
    do throws(SettingsError) { try owner.change(change, over: catalog.base) } catch { throw SettingsErrors(error) }
    // The panel's menu kept these in the state once; what was told last counts.
    if key == "panel.scroll_ms" { state.scrollMilliseconds = nil }
    if key == "panel.idle_clock" { state.hasIdleClock = nil }
    configuration = changed
    applySettings()
    if key.hasPrefix("buffer.") {
      catalog.take(owner.settings, configuration.buffer)
      usePresets()
    }
  }

  /// What counts at once.
  func applySettings() {
    panel.adopt(Self.panelSettings(configuration, state))
    wall.take(zone: configuration.timezone)
  }

  // MARK: The panel's menu

  /// Does what the menu asks for, and shows what became of it.
  func changePresets(_ command: PanelCommand) {
    do throws(ControlRefusal) {
      switch command {
      case .keepPreset:
        try keepWhatPlays()
        panel.announce("Preset \(catalog.entries.count): \(catalog.entries.last?.settings.name ?? "")", at: now)
      case .movePreset(let from, let to):
        guard let name = presetName(at: from) else { return }
        try change(.move(name, to: filed(to + 1)))
        panel.announce("Preset \(to + 1): \(name)", at: now)
      case .removePreset(let place):
        guard let name = presetName(at: place) else { return }
        try change(.remove(name))
        panel.announce("Removed: \(name)", at: now)
      default: break
      }
    } catch {
      log(.warning, error.message)
      panel.announce(error.message, at: now)
    }
  }

  /// Keeps a setting that the menu changed.
  func keep(_ key: String, _ literal: String) {
    do throws(SettingsErrors) { try adopt(key, literal) } catch { log(.warning, error.description) }
  }
}
