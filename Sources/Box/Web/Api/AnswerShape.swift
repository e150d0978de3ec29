import Framing
import Json

/// The JSON form of a reply of the radio.
enum AnswerShape: Equatable {
  /// Success: an empty object.
  case done
  case object
  /// An array of objects with a name in the JSON. Each object starts with the key of the first line. `problem` is a
  /// separate member.
  case list(String)
  /// The reply of `radio_find`.
  case found
  /// The reply of `radio_browse`: stations, genres or countries.
  case listed
  case presets
  /// A setting: its key, its value, and when it takes effect.
  case setting
  case display

  /// The first keys of a station, a genre and a country.
  private static let firstKeys: Set = ["file", "genre", "country"]

  func json(_ lines: [AnswerLine]) -> JsonLine {
    var line = JsonLine()
    switch self {
    case .done: break
    case .object: for pair in lines { line.add(told: pair.key, pair.value) }
    case .list(let name):
      line.add(name, Self.objects(lines.filter { $0.key != "problem" }))
      if let problem = lines.last(where: { $0.key == "problem" }) { line.add("problem", problem.value) }
    case .found, .listed:
      let head = lines.prefix { !Self.firstKeys.contains($0.key) }
      for pair in head { line.add(told: pair.key, pair.value) }
      line.add(self == .found ? "stations" : "entries", Self.objects(Array(lines[head.count...])))
    case .presets: line.add("presets", Self.presets(lines))
    case .setting:
      for pair in lines where pair.key == "applies" { line.add("applies", pair.value) }
      if let setting = lines.last(where: { $0.key != "applies" }) {
        line.add(["key": setting.key, "value": setting.value])
      }
    case .display:
      let rows = lines.filter { $0.key.hasPrefix("row_") }
      for pair in lines where !pair.key.hasPrefix("row_") { line.add(told: pair.key, pair.value) }
      line.add("lines", rows.map(\.value))
    }
    return line
  }

  private static func objects(_ lines: [AnswerLine]) -> [JsonLine] {
    var objects: [JsonLine] = []
    for pair in lines {
      if objects.isEmpty || pair.key == lines.first?.key { objects.append(JsonLine()) }
      objects[objects.count - 1].add(told: pair.key, pair.value)
    }
    return objects
  }

  private static func presets(_ lines: [AnswerLine]) -> [JsonLine] {
    PresetEntry.all(in: lines).enumerated().map { place, preset in
      ["number": place + 1, "name": preset.name, "url": preset.file]
    }
  }
}
