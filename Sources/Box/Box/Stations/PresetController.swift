import Control
import Network
import Settings
import Units

/// The owner's presets, and their changes by clients and the menu (D16). Control thread only.
final class PresetController {
  struct Playing {
    var url: StationAddress
    /// The owner's name for the station, or else the station's own.
    var name: String
    /// Index of the preset; nil if the station is not a preset.
    var place: Int?
    var isFromDirectory = false
  }

  private(set) var catalog: PresetCatalog
  private let owner: any OwnerStore
  private var buffer: Configuration.Buffer

  init(_ catalog: PresetCatalog, _ owner: any OwnerStore, _ buffer: Configuration.Buffer) {
    (self.catalog, self.owner, self.buffer) = (catalog, owner, buffer)
  }

  var count: Int { catalog.entries.count }

  func name(at place: Int) -> String? {
    catalog.entries.indices.contains(place) ? catalog.entries[place].settings.name : nil
  }

  /// Returns the settings for an address, with the password, even if the owner removed the preset.
  func storedSettings(_ url: StationAddress) -> StationSettings {
    catalog.entry(url: url, name: nil)?.settings ?? catalog.base.first { $0.url == url }
      ?? StationSettings(name: "", url: url)
  }

  // MARK: Reloading

  /// Adopts a reloaded `stations.toml`. Returns nil, or a sentence if the current stations stay. An unreadable file may
  /// be half written; an empty file is probably a mistake.
  func adopt(_ read: PresetCatalog, from path: String, _ buffer: Configuration.Buffer) -> String? {
    self.buffer = buffer
    guard !catalog.base.isEmpty, !read.isWhole || read.base.isEmpty else {
      catalog = read
      return nil
    }
    refresh()
    let fault = read.problem?.description ?? "\(path) contains no usable station."
    return "\(fault) The \(catalog.base.count) stations stay as they were."
  }

  func adopt(_ buffer: Configuration.Buffer) {
    self.buffer = buffer
    refresh()
  }

  private func refresh() { catalog.rebuild(owner.settings, buffer) }

  // MARK: Changing

  /// Adds a preset. `number`: from 1; nil for the end. `hidden`: the station named `station:NAME`, whose settings are
  /// copied. `isFromDirectory`: true if the client received the address from the directory.
  func add(
    _ name: String, _ address: String, hidden: Preset?, isFromDirectory: Bool = false, at number: Int?
  ) throws(ControlRefusal) {
    let known = hidden.map { self.storedSettings($0.request.url) }
    var station = known ?? StationSettings(name: name, url: StationAddress(address))
    station.name = name
    let isNamed = hidden.map { $0.request.reach != .anywhere } ?? isFromDirectory
    if isNamed, station.directoryID == nil { station.isFromDirectory = true }
    try change(.add(try permitted(station, from: known), at: number.map(fileNumber)))
  }

  func save(_ playing: Playing?) throws(ControlRefusal) {
    guard let playing else { throw ControlRefusal(.notPlaying, "Not playing") }
    if let place = playing.place { throw ControlRefusal(.exists, "That is preset \(place + 1) already") }
    var station = storedSettings(playing.url)
    station.name = catalog.freeName(playing.name, url: station.url)
    if playing.isFromDirectory, station.directoryID == nil { station.isFromDirectory = true }
    try add(station)
  }

  func add(_ station: StationSettings) throws(ControlRefusal) { try change(.add(station, at: nil)) }

  func remove(_ text: String) throws(ControlRefusal) { try change(.remove(try name(of: text))) }

  /// Moves the preset with a number or name. `number`: the new number, from 1.
  func move(_ text: String, to number: Int) throws(ControlRefusal) {
    try change(.move(try name(of: text), to: fileNumber(number)))
  }

  func edit(
    _ text: String, _ key: String, to values: [String], isFromDirectory: Bool = false
  ) throws(ControlRefusal) {
    let name = try name(of: text)
    guard let entry = catalog.entries.first(where: { $0.settings.name == name }) else { return }
    var edited: StationSettings
    do throws(SettingsError) { edited = try entry.settings.changed(key, to: values) } catch {
      throw ControlRefusal(.argument, error.problem)
    }
    if isFromDirectory, edited.url != entry.settings.url { edited.isFromDirectory = true }
    try change(.edit(name, try permitted(edited, from: entry.settings)))
  }

  /// Removes a preset. Returns its name; nil for an unknown position.
  func remove(at place: Int) throws(ControlRefusal) -> String? {
    guard let name = name(at: place) else { return nil }
    try change(.remove(name))
    return name
  }

  func move(at place: Int, to target: Int) throws(ControlRefusal) -> String? {
    guard let name = name(at: place) else { return nil }
    try change(.move(name, to: fileNumber(target + 1)))
    return name
  }

  /// Replaces the address of a preset whose station has moved. Returns its name; nil without such a preset. The old
  /// address becomes the first alternative, with its credentials.
  func relocate(
    _ url: StationAddress, of name: String, to new: StationAddress, directoryID: String?
  ) throws(ControlRefusal) -> String? {
    guard let old = catalog.entry(url: url, name: name)?.settings, old.url == url else { return nil }
    var station = old
    (station.url, station.type, station.directoryID) = (new, nil, directoryID ?? old.directoryID)
    station.isFromDirectory = station.url != old.url
    // An id from the directory may be invalid in a settings file.
    if station.problem != nil { station.directoryID = old.directoryID }
    let others = old.alternatives.filter { $0.url != new && $0.url != url }
    station.alternatives = Array(([StationAlternative(of: old)] + others).prefix(StationAlternative.maxCount))
    try change(.edit(old.name, try permitted(station, from: old)))
    return old.name
  }

  private func change(_ change: OwnerChange) throws(ControlRefusal) {
    do throws(SettingsError) { try owner.change(change, over: catalog.base) } catch {
      throw ControlRefusal(.argument, error.problem)
    }
    refresh()
  }

  /// Returns the settings that a client may store. Refuses local files, and removes the credentials if the host
  /// changes.
  private func permitted(
    _ station: StationSettings, from old: StationSettings?
  ) throws(ControlRefusal) -> StationSettings {
    guard !station.opensFiles(besides: old) else {
      throw ControlRefusal(.permission, "no file of this machine is opened for a client; write it into stations.toml")
    }
    guard let old, !PresetCatalog.isSameHost(old.url, station.url) else { return station }
    var station = station
    (station.user, station.headers, station.query) = (nil, [], [])
    return station
  }

  /// Converts a preset's number to its number in the file, which also counts invalid stations.
  private func fileNumber(_ number: Int) -> Int {
    let names = owner.settings.presets(over: catalog.base).map(\.station.name)
    return name(at: number - 1).flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? number
  }

  /// Returns the name of the preset with a number or name.
  func name(of text: String) throws(ControlRefusal) -> String {
    let named = catalog.entries.firstIndex { $0.settings.name.lowercased() == text.lowercased() }
    let numbered = Int(text).map { $0 &- 1 }.flatMap { catalog.entries.indices.contains($0) ? $0 : nil }
    if let named, let numbered, named != numbered {
      let words = "preset \(named + 1) is called \(text), so that number is not clear; say \(named + 1)"
      throw ControlRefusal(.argument, words)
    }
    if let name = (named ?? numbered).flatMap({ name(at: $0) }) { return name }
    throw ControlRefusal(.notFound, "There is no preset \(text); they are 1 to \(count)")
  }
}

extension PresetController.Playing {
  /// Reads the current station of a player; nil without a station.
  init?(_ player: PlayerController) {
    guard let current = player.current else { return nil }
    self.init(
      url: current.request.url, name: PanelModel.Playback.station(of: player), place: player.presetPlace,
      isFromDirectory: current.request.reach != .anywhere)
  }
}
