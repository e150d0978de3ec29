import Control
import Network
import Settings
import Units

/// The owner's presets: which there are, and how clients and the menu change them (D16). The control thread's.
final class PresetController {
  /// What plays, as far as it can be kept as a preset.
  struct Playing {
    /// Its address.
    var url: StationAddress
    /// What it is called: by the owner, or by itself.
    var name: String
    /// The place of the preset that it is, from 0; nil: it is none.
    var place: Int?
    /// Whether the directory named its address, and not the owner.
    var isFromDirectory = false
  }

  /// The presets, and what `stations.toml` says of them.
  private(set) var catalog: PresetCatalog
  private let owner: any OwnerStore
  private var buffer: Configuration.Buffer

  /// The presets of a catalog, as the owner changes them; `buffer` is how they are tuned to.
  init(_ catalog: PresetCatalog, _ owner: any OwnerStore, _ buffer: Configuration.Buffer) {
    (self.catalog, self.owner, self.buffer) = (catalog, owner, buffer)
  }

  /// How many there are.
  var count: Int { catalog.entries.count }

  /// The name of the preset at a place from 0; nil where there is none.
  func name(at place: Int) -> String? {
    catalog.entries.indices.contains(place) ? catalog.entries[place].settings.name : nil
  }

  /// What is known of an address: also of a preset that was removed, with its password and all that belongs to it.
  func known(_ url: StationAddress) -> StationSettings {
    catalog.entry(url: url, name: nil)?.settings ?? catalog.base.first { $0.url == url }
      ?? StationSettings(name: "", url: url)
  }

  // MARK: Reading

  /// Takes what was read of `stations.toml`; the sentence of why it is left as it was, else nil. A file that cannot be
  /// read as a whole may be half written, and one without stations is a slip: then the stations stay.
  func adopt(_ read: PresetCatalog, from path: String, _ buffer: Configuration.Buffer) -> String? {
    self.buffer = buffer
    guard !catalog.base.isEmpty, !read.isWhole || read.base.isEmpty else {
      catalog = read
      return nil
    }
    refresh()
    let fault = read.problem?.description ?? "\(path) holds no station that can be used."
    return "\(fault) The \(catalog.base.count) stations stay as they were."
  }

  /// Tunes to the presets otherwise from now on.
  func adopt(_ buffer: Configuration.Buffer) {
    self.buffer = buffer
    refresh()
  }

  private func refresh() { catalog.take(owner.settings, buffer) }

  // MARK: Changing

  /// Adds a preset with a name and an address, at a number from 1 or at the end. `hidden` is the station that the
  /// address stands for (`station:NAME`): then all that is known of it is kept. `isFromDirectory` says whether a client
  /// was told the address from the directory.
  func add(
    _ name: String, _ address: String, hidden: Preset?, isFromDirectory: Bool = false, at number: Int?
  ) throws(ControlRefusal) {
    let known = hidden.map { self.known($0.request.url) }
    var station = known ?? StationSettings(name: name, url: StationAddress(address))
    station.name = name
    let isNamed = hidden.map { $0.request.reach != .anywhere } ?? isFromDirectory
    if isNamed, station.directoryID == nil { station.isFromDirectory = true }
    try change(.add(try permitted(station, from: known), at: number.map(filed)))
  }

  /// Makes what plays a preset, at the end.
  func keep(_ playing: Playing?) throws(ControlRefusal) {
    guard let playing else { throw ControlRefusal(.notPlaying, "Not playing") }
    if let place = playing.place { throw ControlRefusal(.exists, "That is preset \(place + 1) already") }
    var station = known(playing.url)
    station.name = catalog.freeName(playing.name, url: station.url)
    if playing.isFromDirectory, station.directoryID == nil { station.isFromDirectory = true }
    try add(station)
  }

  /// Adds a station at the end.
  func add(_ station: StationSettings) throws(ControlRefusal) { try change(.add(station, at: nil)) }

  /// Removes the preset that a person means by a number or a name.
  func remove(_ text: String) throws(ControlRefusal) { try change(.remove(try name(of: text))) }

  /// Gives the preset that a person means another number, from 1.
  func move(_ text: String, to number: Int) throws(ControlRefusal) {
    try change(.move(try name(of: text), to: filed(number)))
  }

  /// Changes a key of the preset that a person means; `isFromDirectory` as in `add`.
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

  /// Removes the preset at a place from 0; its name, nil where there is none.
  func remove(at place: Int) throws(ControlRefusal) -> String? {
    guard let name = name(at: place) else { return nil }
    try change(.remove(name))
    return name
  }

  /// Gives the preset at a place another one, both from 0; its name, nil where there is none.
  func move(at place: Int, to target: Int) throws(ControlRefusal) -> String? {
    guard let name = name(at: place) else { return nil }
    try change(.move(name, to: filed(target + 1)))
    return name
  }

  /// Gives the preset of an address and a name another address, where its station moved to; the old one stays as the
  /// first of its alternatives, with what was given for its host. Its name; nil where there is no such preset.
  func relocate(
    _ url: StationAddress, of name: String, to new: StationAddress, directoryID: String?
  ) throws(ControlRefusal) -> String? {
    guard let old = catalog.entry(url: url, name: name)?.settings, old.url == url else { return nil }
    var station = old
    (station.url, station.type, station.directoryID) = (new, nil, directoryID ?? old.directoryID)
    station.isFromDirectory = station.url != old.url
    // The directory's word for an id; one that no file may hold is left out.
    if station.problem != nil { station.directoryID = old.directoryID }
    let others = old.alternatives.filter { $0.url != new && $0.url != url }
    station.alternatives = Array(([StationAlternative(of: old)] + others).prefix(StationAlternative.most))
    try change(.edit(old.name, try permitted(station, from: old)))
    return old.name
  }

  private func change(_ change: OwnerChange) throws(ControlRefusal) {
    do throws(SettingsError) { try owner.change(change, over: catalog.base) } catch {
      throw ControlRefusal(.argument, error.problem)
    }
    refresh()
  }

  /// What a client may make of a preset: no file of this machine is opened for it, and what was given for one host is
  /// told no other.
  private func permitted(
    _ station: StationSettings, from old: StationSettings?
  ) throws(ControlRefusal) -> StationSettings {
    let isFile = station.url != old?.url && station.url.unredacted.lowercased().hasPrefix("file:")
    let isOtherFile = station.alternatives.contains { alternative in
      alternative.url.unredacted.lowercased().hasPrefix("file:") && old?.alternatives.contains(alternative) != true
        && alternative.url != old?.url
    }
    let isSecretFile = station.user != old?.user && station.user?.hasPrefix("@") == true
    guard !isFile, !isOtherFile, !isSecretFile else {
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
    return name(at: number - 1).flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? number
  }

  /// The name of the preset that a person means by its number or its name.
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
  /// What a player plays; nil where it plays nothing.
  init?(_ player: PlayerController) {
    guard let current = player.current else { return nil }
    self.init(
      url: current.request.url, name: PanelModel.Playback.station(of: player), place: player.presetPlace,
      isFromDirectory: current.request.reach != .anywhere)
  }
}
