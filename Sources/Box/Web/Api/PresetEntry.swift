struct PresetEntry: Equatable {
  /// The preset's MPD `file`: its address, or `station:NAME`.
  let file: String
  /// The name; equals `file` for a preset without a name.
  let name: String

  /// Parses a reply of `listplaylistinfo`.
  static func all(in lines: [AnswerLine]) -> [PresetEntry] {
    var presets: [PresetEntry] = []
    for line in lines {
      if line.key == "file" {
        presets.append(PresetEntry(file: line.value, name: line.value))
      } else if line.key == "Name", let last = presets.popLast() {
        presets.append(PresetEntry(file: last.file, name: line.value))
      }
    }
    return presets
  }
}
