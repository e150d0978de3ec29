import Glibc

/// `owner.toml`: the owner's changes at run time. The file is replaced atomically.
public struct OwnerFile: Sendable {
  /// The path.
  public let path: String

  /// Uses the file at a path.
  public init(path: String) { self.path = path }

  /// Uses `owner.toml` in a folder, which must exist before a write.
  public init(folder: String) { path = folder + "/owner.toml" }

  /// True if the file exists.
  public var isThere: Bool { access(path, F_OK) == 0 || errno != ENOENT }

  /// Reads the file. The result is empty if the file does not exist. Throws all faults, in order of line.
  public func load() throws(SettingsErrors) -> OwnerSettings {
    isThere ? try OwnerSettings(TomlDocument.bytes(of: path), file: path) : OwnerSettings()
  }

  /// Applies a change to the file; `base` is the content of `stations.toml`. If it throws, the old file stays.
  public func edit(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsErrors) {
    do throws(SettingsError) {
      let disk = try AtomicFile(path)
      let old = try Self.read(self)
      var settings = old
      try settings.apply(change, over: base)
      if settings != old { try disk.replace(with: Array(settings.text.utf8), mode: 0o640) }
    } catch {
      throw SettingsErrors([error])
    }
  }

  /// Writes a change that the box has already applied. If the file is unreadable, it is renamed, and `whole`, the box's
  /// current settings, is written. If the change does not fit the file, it is skipped. In both cases, the result is a
  /// message for the log. If it throws, the old file stays, and a retry may succeed.
  public func merge(
    _ change: OwnerChange, over base: [StationSettings], else whole: OwnerSettings
  ) throws(SettingsError) -> SettingsError? {
    guard (try? load()) != nil else { return try replace(with: whole) }
    let disk = try AtomicFile(path)
    let old = try Self.read(self)
    var settings = old
    do throws(SettingsError) { try settings.apply(change, over: base) } catch {
      return SettingsError(path, "\(error.problem); the file was changed meanwhile, and this change is left out")
    }
    if settings != old { try disk.replace(with: Array(settings.text.utf8), mode: 0o640) }
    return nil
  }

  /// The error for a new change while earlier changes cannot be written.
  public var unwritten: SettingsError {
    SettingsError(path, "changes cannot be written to it; the log says why")
  }

  private static func read(_ file: OwnerFile) throws(SettingsError) -> OwnerSettings {
    do throws(SettingsErrors) { return try file.load() } catch {
      throw error.all[0]
    }
  }

  /// Replaces the file. An unreadable file is renamed to `owner.toml.broken`, and the result reports it.
  public func replace(with settings: OwnerSettings) throws(SettingsError) -> SettingsError? {
    let aside = setAside(keeping: settings)
    try AtomicFile(path).replace(with: Array(settings.text.utf8), mode: 0o640)
    return aside
  }

  /// Reads the valid presets and settings from a damaged file. Invalid entries are left out.
  public func salvage() -> OwnerSettings {
    (try? TomlDocument.bytes(of: path)).map { OwnerSettings(salvaging: $0, file: path) } ?? OwnerSettings()
  }

  /// Renames an unreadable file, without writing a new file. Returns a message for the log; nil if the file is
  /// readable. `settings`: the settings that the caller will use.
  public func setAside(keeping settings: OwnerSettings = OwnerSettings()) -> SettingsError? {
    do throws(SettingsErrors) {
      _ = try load()
      return nil
    } catch {
      let fault = error.all[0]
      let place = fault.line.map { "line \($0): " } ?? ""
      let rest = settings == OwnerSettings() ? "as the owner's files have them" : "what the radio could read or knew"
      return .setAside(path, place + fault.problem, "presets and settings are \(rest)", keepsOlder: true)
    }
  }
}

extension OwnerSettings {
  init(_ bytes: [UInt8], file: String) throws(SettingsErrors) {
    self.init()
    try TomlDocument.read(bytes, file: file) { read($0, $1) }
  }

  /// Parses the valid parts of damaged bytes.
  init(salvaging bytes: [UInt8], file: String) {
    self.init()
    let log = ProblemLog(file)
    do throws(SettingsError) { read(try TomlDocument(bytes, file: file).root, log) } catch {
      stations = StationSalvage(bytes, file: file).list(whole: error).entries.map(\.station)
    }
  }

  private static let lists = ["order", "removed"]

  private mutating func read(_ table: TomlTable, _ log: ProblemLog) {
    let reader = TableReader(TomlTable(entries: table.entries.filter { Self.lists.contains($0.key) }), log)
    order = reader.texts("order", .line, most: StationList.maxCount) ?? []
    removed = reader.texts("removed", .line, most: StationList.maxCount) ?? []
    let list = StationList(TomlTable(entries: table.entries.filter { $0.key == "station" }), file: log.file)
    // An address without effect must not cost the file.
    for problem in list.problems where !list.leftOut.contains(problem) { log.add(problem) }
    stations = list.entries.map(\.station)
    let alarmList = AlarmList(table, file: log.file)
    (alarms, alarmProblems) = (alarmList.alarms, alarmList.problems)
    let known = ["station", "alarm"] + Self.lists
    for entry in table.entries where !known.contains(entry.key) {
      guard case .table(let section) = entry.value else {
        readEntry(entry, key: entry.key, log)
        continue
      }
      for inner in section.entries { readEntry(inner, key: "\(entry.key).\(inner.key)", log) }
    }
  }

  private mutating func readEntry(_ entry: TomlEntry, key: String, _ log: ProblemLog) {
    guard Configuration.changeableKeys.contains(key) else {
      let isPlain = key.split(separator: ".").allSatisfy { TextRule.isName(String($0)) }
      return log.add(line: entry.line, isPlain ? Configuration.cannotChange(key) : "there is no such setting")
    }
    guard let literal = entry.value.literal else {
      return log.add(line: entry.line, "\(key.quoted) must be one value")
    }
    values[key] = literal
  }

  var text: String {
    var lines = [
      "# Presets and settings that were changed while the radio ran. They override bakelite.toml and stations.toml.",
      "# bakelited and `bakelite stations` write this file.",
    ]
    for (key, names) in [("order", order), ("removed", removed)] where !names.isEmpty {
      // One name per line, because the number of dots per line is limited.
      lines += ["\(key) = ["] + names.map { "  \(StationText.quoted($0))," } + ["]"]
    }
    lines += settingsLines
    for alarm in alarms { lines += ["", alarm.toml] }
    for station in stations { lines += ["", StationText.table(station)] }
    return lines.joined(separator: "\n") + "\n"
  }

  var settingsLines: [String] {
    var sections: [String: [String]] = [:]
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
      sections[parts.count == 2 ? parts[0] : "", default: []].append("\(parts.last ?? key) = \(value)")
    }
    let root = sections.removeValue(forKey: "") ?? []
    return root + sections.sorted { $0.key < $1.key }.flatMap { ["", "[\($0.key)]"] + $0.value }
  }
}
