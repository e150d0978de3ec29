struct PresetEntry: Equatable {
  /// The queue's name for it: its address, or `station:NAME`.
  let file: String
  /// The name; without a name, its file.
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
