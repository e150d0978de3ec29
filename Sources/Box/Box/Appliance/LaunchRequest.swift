import AudioOutput
import Settings
import Units

enum LaunchRequest: Equatable {
  case start(LaunchOptions)
  case showText(String)
  case refuse(String)

  private static let boards = InstalledPaths.boards.joined(separator: ", then ")

  private static let help = """
    Usage: bakelited [--config FILE] [--stations FILE] [--board NAME] [--boards FOLDER] [--output SINK]

    The radio of a box: plays the last station, and serves the front panel and the control socket.

      --config FILE     Use this settings file. Default: \(InstalledPaths.settings); without it, the default settings.
      --stations FILE   Use this file of stations. Default: stations.toml in the folder of the settings.
      --board NAME      Use this board, a name or the path of its file. Default: the board that the settings name.
                        "simulated" draws the panel in this terminal.
      --boards FOLDER   Look for board files in this folder. Default: \(boards).
      --output SINK     Send sound to alsa:DEVICE, snapcast:PIPE, raw:PATH, wav:PATH or null. Default: the settings'.
      --version         Show the version.
      -h, --help        Show help information.

    Ctrl-C and SIGTERM end the program. SIGHUP reloads settings and stations; it ends the program if the panel is drawn
    in a terminal, or if the terminal that started the program is closed.
    """

  private static var targets: KeyValuePairs<String, WritableKeyPath<LaunchOptions, String?>> {
    [
      "--config": \.configPath, "--stations": \.stations, "--board": \.board, "--boards": \.boards,
      "--output": \.output,
    ]
  }

  /// Parses the arguments after the program's name, up to the first error or the first request for a text.
  init(_ arguments: some Sequence<String>) {
    var options = LaunchOptions()
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      if ["--help", "-h"].contains(word) {
        self = .showText(Self.help)
        return
      }
      if word == "--version" {
        self = .showText("bakelited \(Version.text)")
        return
      }
      let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
      let option = String(word[..<(equals ?? word.endIndex)])
      guard let target = Self.targets.first(where: { $0.key == option })?.value else {
        self = .refuse(Self.unknown(option))
        return
      }
      guard let value = equals.map({ String(word[word.index(after: $0)...]) }) ?? rest.popFirst() else {
        self = .refuse("\(option) needs a value; see bakelited --help.")
        return
      }
      if option == "--output", OutputRequest(value) == nil {
        self = .refuse("--output is \"\(value)\", and must be \(OutputRequest.kinds).")
        return
      }
      options[keyPath: target] = value
    }
    self = .start(options)
  }

  private static func unknown(_ option: String) -> String {
    let near = SpellingSuggestion.nearest(to: option, of: targets.map(\.key))
    return "There is no option \"\(option)\"; \(near.map { "did you mean \($0)?" } ?? "bakelited --help lists all.")"
  }
}
