import AudioOutput
import Glibc
import Settings

/// The command line of `bakelited`.
struct LaunchOptions {
  /// `bakelite.toml`; nil: the usual place, where the defaults do when it is not there.
  private(set) var configPath: String?
  /// `stations.toml`; nil: beside `bakelite.toml`.
  private var stations: String?
  /// Another board than the configuration names.
  private(set) var board: String?
  /// Another sink than the configuration's device, such as `null`.
  private(set) var output: String?
  private var boards: String?

  private static let usual = "/etc/bakelite/bakelite.toml"
  private static let help = """
    Usage: bakelited [--config FILE] [--stations FILE] [--board NAME] [--boards FOLDER] [--output SINK]

    The radio as an appliance: plays the last station, serves the front panel and the control socket.

      --config FILE     the settings; default: /etc/bakelite/bakelite.toml, or the default settings without that file
      --stations FILE   the stations; default: stations.toml in the folder of the settings
      --board NAME      another board than the settings name; "simulated" draws the panel in this terminal
      --boards FOLDER   the folder of board files; default: /etc/bakelite/boards, then /usr/share/bakelite/boards
      --output SINK     another sink than the settings name: alsa:DEVICE, raw:PATH, wav:PATH or null
      --version, --help

    Ctrl-C and SIGTERM end the program. SIGHUP reloads settings and stations; it ends the program if the panel is drawn
    in a terminal, or if the terminal that started the program is closed.
    """

  /// Reads the arguments; ends the program where they are wrong, or ask for words only.
  init(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)
    while !rest.isEmpty {
      let option = rest.removeFirst()
      switch option {
      case "--help": Self.end(Self.help)
      case "--version": Self.end("bakelited \(Version.text)")
      case "--config": configPath = Self.value(of: option, &rest)
      case "--stations": stations = Self.value(of: option, &rest)
      case "--board": board = Self.value(of: option, &rest)
      case "--boards": boards = Self.value(of: option, &rest)
      case "--output": output = Self.sink(Self.value(of: option, &rest))
      default:
        log(.error, "There is no option \"\(option)\"; bakelited --help lists those that there are.")
        exit(2)
      }
    }
  }

  /// What the settings say.
  func configuration() throws(SettingsErrors) -> Configuration {
    if configPath == nil, access(Self.usual, F_OK) != 0 { return Configuration() }
    return try Configuration(path: configPath ?? Self.usual)
  }

  /// The stations' file.
  var stationsPath: String {
    stations ?? (configPath ?? Self.usual).split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .map { $0 + "/" }.joined() + "stations.toml"
  }

  /// Where board files are looked for.
  var boardFolders: [String] { boards.map { [$0] } ?? ["/etc/bakelite/boards", "/usr/share/bakelite/boards"] }

  private static func value(of option: String, _ rest: inout [String]) -> String {
    guard !rest.isEmpty else {
      log(.error, "\(option) needs a value; bakelited --help tells which.")
      exit(2)
    }
    return rest.removeFirst()
  }

  private static func sink(_ text: String) -> String {
    guard OutputRequest(text) != nil else {
      log(.error, "--output is \"\(text)\", and must be alsa, alsa:DEVICE, raw:PATH, wav:PATH or null.")
      exit(2)
    }
    return text
  }

  private static func end(_ words: String) -> Never {
    print(words)
    exit(0)
  }
}
