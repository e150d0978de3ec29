import ArgumentParser
import Control
import PanelWords
import Settings

enum ShellWords {
  static let stations = CompletionKind.custom { words, _, _ in safe(stationNames(words)) }
  static let own = CompletionKind.custom { _, _, _ in safe(UserStations.list?.entries.map(\.station.name) ?? []) }
  static let boards = CompletionKind.custom { words, _, _ in
    safe(Board.names(in: value(of: "--boards", in: words).map { [$0] } ?? DoctorFiles.folders))
  }
  static let control = CompletionKind.custom { words, index, _ in safe(controlWords(words, index)) }

  /// Removes words with special characters, because bash expands completions and station names are not trusted.
  static func safe(_ words: [String]) -> [String] {
    words.filter { word in
      !word.hasPrefix("-")
        && word.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || "0123456789 .,_+-/()%=&".unicodeScalars.contains($0)
        }
    }
  }

  private static func value(of option: String, in words: [String]) -> String? {
    if let place = words.firstIndex(of: option), words.indices.contains(place + 1) { return words[place + 1] }
    return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
  }

  private static func stationNames(_ words: [String]) -> [String] {
    if let path = value(of: "--stations", in: words) { return names(StationList.load(path), nil) }
    if let socket = value(of: "--socket", in: words) { return radioNames(socket) }
    guard let path = StationFiles.usualPath() else { return [] }
    return names(StationList.load(path), StationFiles.usualOwner(beside: path))
  }

  private static func names(_ list: StationList, _ ownerPath: String?) -> [String] {
    let owner = ownerPath.flatMap { try? OwnerFile(path: $0).load() } ?? OwnerSettings()
    return owner.presets(over: list.entries.map(\.station)).map(\.station.name)
  }

  private static func radioNames(_ socket: String) -> [String] {
    (try? ControlConnection(socket)).map { CtlHint.presets(of: $0) } ?? []
  }

  /// Returns completions for a position: the command, or its argument.
  private static func controlWords(_ words: [String], _ index: Int) -> [String] {
    let before = words.prefix(max(0, index))
    guard let start = before.firstIndex(of: "ctl") else { return [] }
    let line = CtlLine(Array(before[(start + 1)...]), socket: InstalledPaths.socket, isJson: false)
    let typed = line.words.filter { !$0.hasPrefix("-") }
    guard let command = typed.first, !line.lacksSocket else { return line.lacksSocket ? [] : CtlCommand.names }
    return arguments[typed.joined(separator: " ")] ?? (takesStation(typed, command) ? radioNames(line.socket) : [])
  }

  private static func takesStation(_ typed: [String], _ command: String) -> Bool {
    switch (command, typed.count) {
    case ("tune", 1), ("select", 1): true
    case ("preset", 2): typed[1] != "add"
    case ("relocate", 2): true
    default: false
    }
  }

  private static let arguments: [String: [String]] = [
    "keep": ["current", "previous"], "record": ["start", "stop"], "nowplaying": ["begin", "end"],
    "episode": ["next", "previous"], "preset": ["add", "remove", "move", "edit"], "relocate": ["accept", "refuse"],
    "sleep": ["15", "30", "60", "90", "off"], "directory": ["update"],
    "alarm": ["list", "add", "set", "remove", "on", "off", "skip", "snooze", "stop", "log"],
    "browse": ["near", "popular", "genres", "countries", "genre", "country"],
    "press": PanelAction.words, "setting": Configuration.changeableKeys,
  ]
}
