import ArgumentParser
import Framing
import Glibc
import Http
import Settings
import System
import Units

struct StationFiles {
  let path: String
  /// The changes made on the box; nil for a separate station file.
  let owner: OwnerFile?
  private let isCreating: Bool

  static let ofSources = "config/stations.toml"

  /// The user's file, in words for a help text.
  static let own = "bakelite/stations.toml in $XDG_CONFIG_HOME or ~/.config"

  /// The change for which the files are used.
  enum Purpose {
    case list, change
    /// Adding a station. Prefers the user's own file to the file of a source tree, and creates it.
    case add
  }

  /// Uses the files of the options, otherwise of the radio at `--socket`, otherwise of this machine and user.
  init(_ option: StationFileOption, of radio: RunningRadioOption? = nil, for purpose: Purpose = .list) throws {
    var ownerPath = option.ownerPath
    if let named = option.path {
      (path, isCreating) = (named, true)
    } else if let files = try radio?.files() {
      (path, isCreating) = (files.stations, true)
      ownerPath = ownerPath ?? files.owner
    } else {
      guard let found = Self.usualPath(for: purpose) else {
        let places = [InstalledPaths.stations, UserStations.path, Self.ofSources].compactMap(\.self)
        throw failure(
          .failed,
          "No station file: \(places.joined(separator: ", ")) do not exist. Select a file with --stations.")
      }
      (path, isCreating) = (found, found == UserStations.path)
      ownerPath = ownerPath ?? Self.usualOwner(beside: found)
    }
    owner = ownerPath.map { OwnerFile(path: $0) }
  }

  /// Returns the first file of the box, if this user may change it, of the user, of the box and of a source tree.
  static func usualPath(for purpose: Purpose = .list) -> String? {
    let folder = UserFolder.parent(of: InstalledPaths.stations)
    if isFile(InstalledPaths.stations), access(folder, W_OK) == 0 { return InstalledPaths.stations }
    let own = UserStations.path
    if let own, isFile(own) || purpose == .add { return own }
    return [InstalledPaths.stations, ofSources].first(where: isFile)
  }

  /// Returns the box's `owner.toml`; nil if the station file is not the box's.
  static func usualOwner(beside path: String) -> String? {
    guard path == InstalledPaths.stations else { return nil }
    let configuration = try? Configuration(path: InstalledPaths.settings, replacesValues: true)
    return OwnerFile(folder: (configuration ?? Configuration()).statePath).path
  }

  // MARK: Reading

  /// Returns the presets in order, with the list and the changes that they result from.
  func presets() throws -> (list: StationList, owner: OwnerSettings, presets: [OwnerSettings.Preset]) {
    let (list, owner) = (StationList.load(path), try ownerSettings())
    return (list, owner, owner.presets(over: list.entries.map(\.station)))
  }

  /// The presets' recent health, from the folder of `owner.toml`; empty if unreadable.
  var health: PresetHealth {
    guard let owner, let slash = owner.path.lastIndex(of: "/") else { return PresetHealth() }
    return PresetHealthFile(folder: String(owner.path[..<slash])).peek() ?? PresetHealth()
  }

  private func ownerSettings() throws -> OwnerSettings {
    guard let owner else { return OwnerSettings() }
    do throws(SettingsErrors) { return try owner.load() } catch { throw Self.report(error.all) }
  }

  /// Returns a station's number in `stations list`.
  func number(of name: String) throws -> Int {
    let (list, owner, presets) = try presets()
    let index = presets.firstIndex { $0.station.name == name } ?? 0
    let entry = list.entries.first { $0.station.name == name }
    return owner.changesPresets ? index + 1 : entry?.number ?? index + 1
  }

  /// Finds a preset by number or name. Nil if no presets were changed on the box, because then the file's own numbers
  /// apply.
  func changedPreset(
    _ text: String
  ) throws -> (preset: OwnerSettings.Preset, number: Int, list: StationList)? {
    guard try ownerSettings().changesPresets else { return nil }
    let (list, _, presets) = try presets()
    let named = presets.firstIndex { $0.station.name.lowercased() == text.lowercased() }
    let numbered = Int(text).map { $0 &- 1 }.flatMap { presets.indices.contains($0) ? $0 : nil }
    let shown = DisplayText.clean(text, characterLimit: 60)
    if let named, let numbered, named != numbered {
      throw failure(
        .failed,
        "\"\(shown)\" is the name of station \(named + 1) and the number of another station; use \(named + 1) or the "
          + "other station's name.")
    }
    if let place = named ?? numbered { return (presets[place], place + 1, list) }
    let near = SpellingSuggestion.nearest(to: text, of: presets.map(\.station.name)).map { "did you mean \"\($0)\"?" }
    throw failure(.failed, "There is no station \"\(shown)\"; \(near ?? "the numbers are 1 to \(presets.count).")")
  }

  // MARK: Changing

  var additionPath: String {
    get throws { try ownerSettings().changesPresets ? owner?.path ?? path : path }
  }

  /// Adds a station at a number from 1 or at the end, and returns its number. Refuses an address that exists.
  func add(_ station: StationSettings, at place: Int?) throws -> Int {
    let (list, owner, presets) = try presets()
    if let place = presets.firstIndex(where: { $0.station.isDouble(of: station) }) {
      let known = presets[place].station.name
      let number = try number(of: known)
      throw failure(.failed, "The address is already station \(number), \"\(known)\"; nothing was added.")
    }
    // After changes on the box, a new line of the file would appear in the middle of the presets.
    if owner.changesPresets {
      try edit(.add(station, at: place), over: list)
    } else {
      try edit { file throws(SettingsError) in try file.insert([station], at: place) }
    }
    return try number(of: station.name)
  }

  /// Changes a station, given by number or name: by `preset` if presets were changed on the box, otherwise in the file.
  /// Returns its number and name.
  func change(
    _ station: String, preset change: (OwnerSettings.Preset, StationList) throws -> Void,
    inFile edit: (inout StationFile, Int) throws(SettingsError) -> Void
  ) throws -> (number: Int, name: String?) {
    if let (preset, number, list) = try changedPreset(station) {
      try change(preset, list)
      return (number, preset.station.name)
    }
    return try self.edit { file throws(SettingsError) in
      let number = try file.number(of: station)
      let name = file.list.entries.first { $0.number == number }?.station.name
      try edit(&file, number)
      return (number, name)
    }
  }

  func edit(_ change: OwnerChange, over list: StationList) throws {
    guard let owner else { return }
    do throws(SettingsErrors) { try owner.edit(change, over: list.entries.map(\.station)) } catch {
      throw Self.report(error.all)
    }
  }

  func edit<Result>(_ change: (inout StationFile) throws(SettingsError) -> Result) throws -> Result {
    if isCreating, path == UserStations.path { makePrivateFolder(UserFolder.parent(of: path)) }
    do throws(SettingsError) {
      return try StationFile.edit(path, isCreating: isCreating, change)
    } catch {
      throw Self.report([error])
    }
  }

  // MARK: Output

  private static func report(_ errors: [SettingsError]) -> ExitCode {
    failure(Outcome(errors), errors.map(sentence).joined(separator: "\n"))
  }

  static func sentence(_ error: SettingsError) -> String {
    let (sentence, denied) = (error.description, "(\(errnoText(EACCES, isCapitalized: true))).")
    return sentence.hasSuffix(denied) ? "\(sentence.dropLast()); run the command with sudo." : sentence
  }
}

extension StationSettings {
  /// Returns true if both request the same resource, whatever the spelling of their addresses.
  func isDouble(of other: StationSettings) -> Bool {
    func form(_ url: StationAddress) -> StationAddress { (try? WebAddress(written: url, allowsFile: true))?.url ?? url }
    return query == other.query && (url == other.url || form(url) == form(other.url))
  }
}
