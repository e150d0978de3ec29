import AudioOutput
import Settings
import Units

/// What the command line of `bakelited` asks for.
enum LaunchRequest: Equatable {
  /// To run.
  case start(LaunchOptions)
  /// To print a text and end.
  case tell(String)
  /// Something wrong: what, and the way out.
  case refuse(String)

  private static let boards = InstalledPaths.boards.joined(separator: ", then ")

  private static let help = """
    Usage: bakelited [--config FILE] [--stations FILE] [--board NAME] [--boards FOLDER] [--output SINK]

    The radio as an appliance: plays the last station, serves the front panel and the control socket.

      --config FILE     the settings; default: \(InstalledPaths.settings), or the default settings without that file
      --stations FILE   the stations; default: stations.toml in the folder of the settings
      --board NAME      another board than the settings name; "simulated" draws the panel in this terminal
      --boards FOLDER   the folder of board files; default: \(boards)
      --output SINK     another sink than the settings name: alsa:DEVICE, raw:PATH, wav:PATH or null
      --version, --help

    Ctrl-C and SIGTERM end the program. SIGHUP reloads settings and stations; it ends the program if the panel is drawn
    in a terminal, or if the terminal that started the program is closed.
    """

  /// Reads the arguments behind the program's name; the first that is wrong, or asks for a text, decides.
  init(_ arguments: some Sequence<String>) {
    var options = LaunchOptions()
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      let target: WritableKeyPath<LaunchOptions, String?>
      switch option {
      case "--help":
        self = .tell(Self.help)
        return
      case "--version":
        self = .tell("bakelited \(Version.text)")
        return
      case "--config": target = \.configPath
      case "--stations": target = \.stations
      case "--board": target = \.board
      case "--boards": target = \.boards
      case "--output": target = \.output
      default:
        self = .refuse("There is no option \"\(option)\"; bakelited --help lists those that there are.")
        return
      }
      guard let value = rest.popFirst() else {
        self = .refuse("\(option) needs a value; bakelited --help tells which.")
        return
      }
      if option == "--output", OutputRequest(value) == nil {
        self = .refuse("--output is \"\(value)\", and must be alsa, alsa:DEVICE, raw:PATH, wav:PATH or null.")
        return
      }
      options[keyPath: target] = value
    }
    self = .start(options)
  }
}
