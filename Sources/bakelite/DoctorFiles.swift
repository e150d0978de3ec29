import Glibc
import Settings

/// The files of a box, as `doctor` looks at them: all that is wrong is told.
struct DoctorFiles {
  /// What the others look at; the defaults where the files say nothing.
  private(set) var configuration = Configuration()
  private(set) var board = Board()
  /// Whether that is the board that was meant.
  private(set) var isBoardKnown = false
  private(set) var stations = StationList.read([], file: "")
  /// The board's file; nil where there is none.
  private(set) var boardPath: String?
  private(set) var findings: [DoctorFinding] = []

  private static let usual = "/etc/bakelite/bakelite.toml"
  private static let folders = ["/etc/bakelite/boards", "/usr/share/bakelite/boards", "boards"]

  /// Reads the settings, a board (by its name, or by the path of its file; nil: the settings') and the stations, which
  /// lie beside the settings.
  init(config: String?, board: String?) {
    readSettings(config)
    readBoard(board ?? configuration.board)
    let path = config ?? Self.usual
    readStations(String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]))
  }

  private mutating func readSettings(_ config: String?) {
    let path = config ?? Self.usual
    if config == nil, !isFile(path) {
      return findings.append(.ok("settings", "\(path) is not there; the defaults hold."))
    }
    do throws(SettingsErrors) {
      configuration = try Configuration(path: path)
      findings.append(.ok("settings", "\(path) is right."))
    } catch {
      findings += error.all.map { Self.finding("settings", $0) }
    }
  }

  private mutating func readBoard(_ name: String) {
    if name.contains("/") {
      boardPath = name
    } else {
      boardPath = Self.folders.map { "\($0)/\(name).toml" }.first(where: isFile)
    }
    do throws(SettingsErrors) {
      board = try name.contains("/") ? Board(path: name) : Board(named: name, in: Self.folders)
      isBoardKnown = true
      findings.append(.ok("board", "\(boardPath ?? name) is right: \(board.title)."))
    } catch {
      findings += error.all.map { boardPath == nil ? Self.noBoard($0) : Self.finding("board", $0) }
    }
  }

  private mutating func readStations(_ folder: String) {
    let path = folder + "stations.toml"
    stations = StationList.load(path)
    if !isFile(path) {
      let packed = "/usr/share/bakelite/stations.toml"
      let mend =
        isFile(packed) ? "sudo cp \(packed) \(path)" : "sudo bakelite stations add NAME URL --file \(path)"
      return findings.append(.problem("stations", "There are no stations: \(path) is not there.", mend: mend))
    }
    findings += stations.problems.map { Self.finding("stations", $0) }
    let count = stations.entries.count
    if count > 0 {
      findings.append(.ok("stations", "\(path) has \(count) station\(count == 1 ? "" : "s") to play."))
    } else if stations.problems.isEmpty {
      findings.append(
        .problem(
          "stations", "\(path) holds no station.", mend: "sudo bakelite stations add NAME URL --file \(path)"))
    }
  }

  /// An error of a file, and where to mend it.
  static func finding(_ subject: String, _ error: SettingsError) -> DoctorFinding {
    let mend = error.line.map { "sudo nano +\($0) \(error.file)" } ?? "ls -l \(error.file)"
    return .problem(subject, error.description, mend: mend)
  }

  private static func noBoard(_ error: SettingsError) -> DoctorFinding {
    .problem("board", error.description, mend: "write board = \"NAME\" in \(usual), with one of those names")
  }
}
