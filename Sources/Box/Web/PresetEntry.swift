/// A preset, as the stored playlist of the presets has it.
struct PresetEntry: Equatable {
  /// What the queue calls it by: its address, or `station:NAME`.
  let file: String
  /// What it is called; its file where it has no name.
  let name: String

  /// The presets in an answer of `listplaylistinfo`.
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
