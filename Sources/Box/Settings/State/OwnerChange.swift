import Alarms

/// A change of `OwnerSettings`.
public enum OwnerChange: Sendable {
  /// Adds a preset at a number, from 1; nil to add it at the end.
  case add(StationSettings, at: Int?)
  /// Removes the preset with a name.
  case remove(String)
  /// Moves the preset with a name to another number, from 1.
  case move(String, to: Int)
  /// Replaces the station of the preset with a name.
  case edit(String, StationSettings)
  /// Sets a value in TOML syntax; nil restores the value of `bakelite.toml`.
  case set(String, String?)
  /// Replaces all alarms.
  case alarms([Alarm])
}

extension OwnerSettings {
  /// Applies a change; `base` is the content of `stations.toml`. If it throws, nothing changed.
  public mutating func apply(_ change: OwnerChange, over base: [StationSettings]) throws(SettingsError) {
    var changed = self
    switch change {
    case .add(let station, let number): try changed.add(station, at: number, base)
    case .remove(let name): try changed.remove(name, base)
    case .move(let name, let number): try changed.move(name, to: number, base)
    case .edit(let name, let station): try changed.edit(name, station, base)
    case .set(let key, let value): changed.values[key] = value
    case .alarms(let alarms):
      guard alarms.count <= AlarmList.maxCount else {
        throw Self.fault("there are more than \(AlarmList.maxCount) alarms; remove some first")
      }
      try Self.check(alarms)
      (changed.alarms, changed.alarmProblems) = (alarms, [])
    }
    let most = StationList.maxCount
    guard max(changed.order.count, changed.removed.count, changed.stations.count) <= most else {
      throw Self.fault("there are more than \(most) presets with those of stations.toml; remove some first")
    }
    guard changed.text.utf8.count <= TomlDocument.byteLimit else {
      throw Self.fault("it would be longer than \(TomlDocument.byteLimit) bytes; remove presets")
    }
    self = changed
  }

  /// Refuses alarms that could not be read again.
  private static func check(_ alarms: [Alarm]) throws(SettingsError) {
    let text = alarms.map(\.toml).joined(separator: "\n")
    let read = AlarmList(try TomlDocument(Array(text.utf8), file: "owner.toml").root, file: "owner.toml")
    if let problem = read.problems.first { throw fault(problem.problem) }
    guard read.alarms == alarms else { throw fault("an alarm has a value that cannot be stored") }
  }

  private mutating func add(
    _ station: StationSettings, at number: Int?, _ base: [StationSettings]
  ) throws(SettingsError) {
    let names = presets(over: base).map(\.station.name)
    try check(station, beside: names)
    guard names.count < StationList.maxCount else {
      throw Self.fault("there are \(names.count) stations, and \(StationList.maxCount) at most")
    }
    stations.append(station)
    if order.isEmpty, base.contains(where: { $0.name == station.name }) { order = names }
    if !order.isEmpty { order = names + [station.name] }
    if let number, number != names.count + 1 { try move(station.name, to: number, base) }
  }

  private mutating func remove(_ name: String, _ base: [StationSettings]) throws(SettingsError) {
    try checkName(name, base)
    stations.removeAll { $0.name == name }
    order.removeAll { $0 == name }
    hide(name, base)
  }

  private mutating func move(_ name: String, to number: Int, _ base: [StationSettings]) throws(SettingsError) {
    try checkName(name, base)
    var names = presets(over: base).map(\.station.name)
    guard names.indices.contains(number &- 1) else {
      throw Self.fault("there is no place \(number) for a station; its places are 1 to \(names.count)")
    }
    names.removeAll { $0 == name }
    names.insert(name, at: number - 1)
    order = names
  }

  private mutating func edit(
    _ name: String, _ station: StationSettings, _ base: [StationSettings]
  ) throws(SettingsError) {
    try checkName(name, base)
    let names = presets(over: base).map(\.station.name)
    try check(station, beside: names.filter { $0 != name })
    if let place = stations.firstIndex(where: { $0.name == name }) {
      stations[place] = station
    } else {
      stations.append(station)
    }
    guard station.name != name else {
      // A station that is equal to its station in `stations.toml` needs no entry.
      if base.contains(station) { stations.removeAll { $0 == station } }
      return
    }
    hide(name, base)
    order = names.map { $0 == name ? station.name : $0 }
  }

  /// Marks a station as removed from `stations.toml`. Drops marks for names that are no longer in that file.
  private mutating func hide(_ name: String, _ base: [StationSettings]) {
    let names = Set(base.map(\.name))
    removed = removed.filter { names.contains($0) && $0 != name }
    if names.contains(name) { removed.append(name) }
  }

  private func check(_ station: StationSettings, beside names: [String]) throws(SettingsError) {
    if let problem = station.problem { throw Self.fault(problem) }
    guard !names.contains(station.name) else {
      throw Self.fault("there is already a station \(station.name.quoted); choose another name")
    }
  }

  private func checkName(_ name: String, _ base: [StationSettings]) throws(SettingsError) {
    let names = presets(over: base).map(\.station.name)
    guard !names.contains(name) else { return }
    let near = SpellingSuggestion.nearest(to: name, of: names).map { "did you mean \($0.quoted)?" }
    throw Self.fault("there is no station \(name.quoted); \(near ?? "they are 1 to \(names.count)")")
  }

  static func fault(_ problem: String) -> SettingsError { SettingsError("owner.toml", problem) }
}
