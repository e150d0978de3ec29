import Glibc

/// `owner.toml`: what the owner told the box at run time, on the disk. It is whole at any moment.
public struct OwnerFile: Sendable {
  /// Its path.
  public let path: String

  /// A file of a name.
  public init(path: String) { self.path = path }

  /// `owner.toml` in the folder that `[state] path` names, which has to be there before it is written.
  public init(folder: String) { path = folder + "/owner.toml" }

  /// Whether it is there.
  public var isThere: Bool { access(path, F_OK) == 0 || errno != ENOENT }

  /// What it holds; nothing where it is not there.
  ///
  /// - Throws: `SettingsErrors` with all that is wrong, in order of line.
  public func load() throws(SettingsErrors) -> OwnerSettings {
    isThere ? try OwnerSettings(TomlDocument.bytes(of: path), file: path) : OwnerSettings()
  }

  /// Applies a change to what the file holds now; `base` is what `stations.toml` has.
  ///
  /// - Throws: `SettingsErrors` where it cannot be read, changed or written; then it is as it was.
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

  /// Writes a change that the box has taken already; `whole` is what the change made of all that the box knows, and
  /// replaces a file that cannot be read.
  ///
  /// - Returns: A sentence for the log where the file was set aside, or where the change does not apply to what the
  ///   file holds now, so that it is left out; nil where it is written.
  /// - Throws: `SettingsError` where the file cannot be written; then it is as it was, and a later try may succeed.
  public func keep(
    _ change: OwnerChange, over base: [StationSettings], else whole: OwnerSettings
  ) throws(SettingsError) -> SettingsError? {
    guard isReadable else { return try replace(with: whole) }
    let disk = try AtomicFile(path)
    let old = try Self.read(self)
    var settings = old
    do throws(SettingsError) { try settings.apply(change, over: base) } catch {
      return SettingsError(path, "\(error.problem); the file was changed meanwhile, and this change is left out")
    }
    if settings != old { try disk.replace(with: Array(settings.text.utf8), mode: 0o640) }
    return nil
  }

  private var isReadable: Bool {
    do throws(SettingsErrors) {
      _ = try load()
      return true
    } catch {
      return false
    }
  }

  /// Why a change is not taken: those before it are still waiting to be written.
  public var unwritten: SettingsError {
    SettingsError(path, "changes cannot be written to it; the log says why")
  }

  /// The first fault stands for all.
  private static func read(_ file: OwnerFile) throws(SettingsError) -> OwnerSettings {
    do throws(SettingsErrors) { return try file.load() } catch {
      throw error.all[0]
    }
  }

  /// Replaces what it holds, whatever that is; a file that cannot be read is set aside as `owner.toml.broken`, as
  /// the result says.
  ///
  /// - Throws: `SettingsError` where it cannot be written.
  public func replace(with settings: OwnerSettings) throws(SettingsError) -> SettingsError? {
    let aside = setAside(keeping: settings)
    try AtomicFile(path).replace(with: Array(settings.text.utf8), mode: 0o640)
    return aside
  }

  /// What can be read of a file that cannot be read whole: each preset and each setting by itself.
  public func salvage() -> OwnerSettings {
    (try? TomlDocument.bytes(of: path)).map { OwnerSettings(salvaging: $0, file: path) } ?? OwnerSettings()
  }

  /// Gives a file that cannot be read another name, while `settings` stay; a sentence where that was needed.
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
  /// Reads a file's bytes; `file` is its name in sentences.
  ///
  /// - Throws: `SettingsErrors` with all that is wrong, in order of line.
  init(_ bytes: [UInt8], file: String) throws(SettingsErrors) {
    self.init()
    try TomlDocument.read(bytes, file: file) { read($0, $1) }
  }

  /// Reads what can be read of such bytes.
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
    order = reader.texts("order", .line, most: StationList.most) ?? []
    removed = reader.texts("removed", .line, most: StationList.most) ?? []
    let list = StationList(TomlTable(entries: table.entries.filter { $0.key == "station" }), file: log.file)
    for problem in list.problems { log.add(problem) }
    stations = list.entries.map(\.station)
    for entry in table.entries where entry.key != "station" && !Self.lists.contains(entry.key) {
      guard case .table(let section) = entry.value else {
        take(entry, key: entry.key, log)
        continue
      }
      for inner in section.entries { take(inner, key: "\(entry.key).\(inner.key)", log) }
    }
  }

  private mutating func take(_ entry: TomlEntry, key: String, _ log: ProblemLog) {
    guard Configuration.changeableKeys.contains(key) else {
      let isPlain = key.split(separator: ".").allSatisfy { TextRule.isName(String($0)) }
      return log.add(line: entry.line, isPlain ? Configuration.cannotChange(key) : "there is no such setting")
    }
    guard let literal = entry.value.literal else {
      return log.add(line: entry.line, "\(key.quoted) must be one value")
    }
    values[key] = literal
  }

  /// As `owner.toml` has it.
  var text: String {
    var lines = [
      "# What this radio was told while it ran: presets and settings. They win over bakelite.toml and stations.toml.",
      "# bakelited and `bakelite stations` write this file.",
    ]
    for (key, names) in [("order", order), ("removed", removed)] where !names.isEmpty {
      // A line each: how many dots a line may have is bounded.
      lines += ["\(key) = ["] + names.map { "  \(StationText.quoted($0))," } + ["]"]
    }
    lines += settingsLines
    for station in stations { lines += ["", StationText.table(station)] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The settings alone, as TOML.
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
