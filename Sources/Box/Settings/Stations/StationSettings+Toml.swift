extension StationSettings {
  /// The station in TOML: `[[station]]` and its keys, one per line.
  public var toml: String { StationText.table(self) + "\n" }

  /// The fault that makes the station invalid in a file; nil if valid. Callers check it before they store a station
  /// that a person typed.
  public var problem: String? {
    StationList.read(Array(StationText.table(self).utf8), file: "").problems.first?.problem
  }

  /// Returns a copy with a changed key. `key`: a key of the station file. `values`: one value, or several values for a
  /// list; one empty value removes the key. Errors have the same words as errors in a file.
  public func changed(_ key: String, to values: [String]) throws(SettingsError) -> StationSettings {
    var lines = StationText.table(self).split(separator: "\n").map(String.init)
    if TextRule.isName(key) { lines.removeAll { $0.hasPrefix("\(key) = ") } }
    if values != [""] {
      lines.append("\(TextRule.isName(key) ? key : "unknown") = \(StationText.literal(values, for: key))")
    }
    let list = StationList(try TomlDocument(Array(lines.joined(separator: "\n").utf8), file: name))
    guard list.problems.isEmpty, let station = list.entries.first?.station else {
      throw list.problems.first ?? SettingsError(name, "there is no key \(key.quoted)")
    }
    return station
  }
}
