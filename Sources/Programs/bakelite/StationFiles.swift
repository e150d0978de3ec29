import ArgumentParser
import Framing
import Glibc
import Network
import Settings
import System
import Units

/// The files that hold the stations, and how their errors end the program.
struct StationFiles {
  /// The file of stations.
  let path: String
  /// What was changed on the box; nil if a file of stations is meant by itself.
  let owner: OwnerFile?
  /// Whether a file that is not there is begun.
  private let isCreating: Bool

  /// The file of stations in the folder of the sources.
  static let ofSources = "config/stations.toml"
  private static let usual = [InstalledPaths.stations, ofSources]

  /// The files that the options name, else those of the radio at `--socket`, else those of this machine.
  init(_ option: StationFileOption, of radio: RunningRadioOption? = nil) throws {
    var ownerPath = option.ownerPath
    if let named = option.path {
      (path, isCreating) = (named, true)
    } else if let files = try radio?.files() {
      (path, isCreating) = (files.stations, true)
      ownerPath = ownerPath ?? files.owner
    } else {
      guard let found = Self.usualPath else {
        let places = Self.usual.joined(separator: " nor ")
        throw failure(.failed, "There is neither \(places); name a file with --stations.")
      }
      (path, isCreating) = (found, false)
      ownerPath = ownerPath ?? Self.usualOwner(beside: found)
    }
    owner = ownerPath.map { OwnerFile(path: $0) }
  }

  /// The first file of stations of this machine that is there.
  static var usualPath: String? { usual.first(where: isFile) }

  /// The box's `owner.toml`; nil for a file of stations that is not the box's.
  static func usualOwner(beside path: String) -> String? {
    guard path == InstalledPaths.stations else { return nil }
    let configuration = try? Configuration(path: InstalledPaths.settings)
    return OwnerFile(folder: (configuration ?? Configuration()).statePath).path
  }

  // MARK: Reading

  /// The presets in order, and which file each comes from.
  func presets() throws -> (list: StationList, owner: OwnerSettings, presets: [OwnerSettings.Preset]) {
    let (list, owner) = (StationList.load(path), try ownerSettings())
    return (list, owner, owner.presets(over: list.entries.map(\.station)))
  }

  /// How the presets came lately, as far as this user may read it: it lies beside the box's `owner.toml`.
  var health: PresetHealth {
    guard let owner, let slash = owner.path.lastIndex(of: "/") else { return PresetHealth() }
    return PresetHealthFile(folder: String(owner.path[..<slash])).peek()
  }

  private func ownerSettings() throws -> OwnerSettings {
    guard let owner else { return OwnerSettings() }
    do throws(SettingsErrors) { return try owner.load() } catch { throw Self.report(error.all) }
  }

  /// The number of the station of a name, as `stations list` has it.
  func number(of name: String) throws -> Int {
    let (list, owner, presets) = try presets()
    let index = presets.firstIndex { $0.station.name == name } ?? 0
    let entry = list.entries.first { $0.station.name == name }
    return owner.changesPresets ? index + 1 : entry?.number ?? index + 1
  }

  /// The preset that a person means by its number or its name, and its number; nil if no presets were changed on the
  /// box: then the file's own numbers count.
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
        .failed, "Station \(named + 1) is called \"\(shown)\", so that number is not clear; say \(named + 1).")
    }
    if let place = named ?? numbered { return (presets[place], place + 1, list) }
    let near = SpellingSuggestion.nearest(to: text, of: presets.map(\.station.name)).map { "did you mean \"\($0)\"?" }
    throw failure(.failed, "There is no station \"\(shown)\"; \(near ?? "they are 1 to \(presets.count).")")
  }

  // MARK: Changing

  /// The file that a new station is written to.
  var additionPath: String {
    get throws { try ownerSettings().changesPresets ? owner?.path ?? path : path }
  }

  /// Adds a station, at a number from 1 on or at the end; its number then. One whose address is there is refused.
  func add(_ station: StationSettings, at place: Int?) throws -> Int {
    let (list, owner, presets) = try presets()
    if let place = presets.firstIndex(where: { $0.station.isDouble(of: station) }) {
      let known = presets[place].station.name
      let number = try number(of: known)
      throw failure(.failed, "That address is already station \(number), \"\(known)\"; nothing was added.")
    }
    // If the order was changed on the box, a new line of the list would be somewhere in its middle.
    if owner.changesPresets {
      try edit(.add(station, at: place), over: list)
    } else {
      try edit { file throws(SettingsError) in try file.insert([station], at: place) }
    }
    return try number(of: station.name)
  }

  /// Changes what was changed on the box.
  func edit(_ change: OwnerChange, over list: StationList) throws {
    guard let owner else { return }
    do throws(SettingsErrors) { try owner.edit(change, over: list.entries.map(\.station)) } catch {
      throw Self.report(error.all)
    }
  }

  /// Changes the file of stations.
  func edit<Result>(_ change: (inout StationFile) throws(SettingsError) -> Result) throws -> Result {
    do throws(SettingsError) {
      return try StationFile.edit(path, isCreating: isCreating, change)
    } catch {
      throw Self.report([error])
    }
  }

  // MARK: What is said

  private static func report(_ errors: [SettingsError]) -> ExitCode {
    failure(Outcome(errors), errors.map(sentence).joined(separator: "\n"))
  }

  /// What is wrong with a file; if this user may not read or write it, with the remedy.
  static func sentence(_ error: SettingsError) -> String {
    let (sentence, denied) = (error.description, "(\(errnoText(EACCES, isCapitalized: true))).")
    return sentence.hasSuffix(denied) ? "\(sentence.dropLast()); run the command with sudo." : sentence
  }
}

extension StationSettings {
  /// Whether both ask the same server for the same thing, however their addresses are written.
  fileprivate func isDouble(of other: StationSettings) -> Bool {
    func form(_ url: StationAddress) -> StationAddress { (try? WebAddress(url, allowsFile: true))?.url ?? url }
    return query == other.query && (url == other.url || form(url) == form(other.url))
  }
}
