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
  private let settingsPath: String

  private static let folders = InstalledPaths.boards + ["boards"]

  /// Reads the settings, a board (by its name, or by the path of its file; nil: the settings') and the stations, which
  /// lie beside the settings; then `owner.toml`, which lies in the folder of the radio's state.
  init(config: String?, board: String?) {
    settingsPath = config ?? InstalledPaths.settings
    readSettings(config)
    readBoard(board)
    readStations()
    readOwner()
  }

  private mutating func readSettings(_ config: String?) {
    let path = config ?? InstalledPaths.settings
    if config == nil, !isFile(path) {
      return findings.append(.ok("settings", "\(path) is not there; the defaults hold."))
    }
    do throws(SettingsErrors) {
      configuration = try Configuration(path: path)
      findings.append(.ok("settings", "\(path) is right."))
      checkPassword()
    } catch {
      let hint =
        config == nil ? nil : "name the settings with --config; \(InstalledPaths.settings) is where they lie on a box"
      let inside = "name the file in it: --config \("\(path)/bakelite.toml".shellWord)"
      findings += error.all.map { Self.finding("settings", $0, ifAbsent: hint, ifFolder: inside) }
    }
  }

  /// The password that clients of TCP tell; the service does not begin without one that it was promised.
  private mutating func checkPassword() {
    let (place, subject) = (configuration.control.passwordFile, "password")
    guard !place.isEmpty else { return }
    guard place.contains("/") else {
      let folders = ["/etc/credstore", "/etc/credstore.encrypted", "/run/credstore"]
      if folders.contains(where: { isFile("\($0)/\(place)") }) {
        findings.append(.ok(subject, "The credential \(place) is there."))
      } else if access("/etc/credstore", R_OK | X_OK) != 0, errno == EACCES {
        findings.append(.skipped(subject, "The credential \(place) is for root alone to see."))
      } else {
        findings.append(
          .problem(
            subject, "[control] password_file is the credential \(place), which is not in /etc/credstore.",
            mend: "echo PASSWORD | sudo install -D -m 600 /dev/stdin \("/etc/credstore/\(place)".shellWord)"))
      }
      return
    }
    do throws(SettingsError) {
      _ = try configuration.control.password()
      findings.append(.ok(subject, "\(place) holds the password of [control]."))
    } catch {
      findings.append(
        Self.finding(subject, error, ifAbsent: "name a file that is there: [control] password_file in \(settingsPath)"))
    }
  }

  private mutating func readBoard(_ option: String?) {
    let name = option ?? configuration.board
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
      let place = option == nil ? "board = \"NAME\" in \(settingsPath)" : "--board NAME"
      let isAny = Self.folders.contains { isFile($0) }
      let hint =
        isAny ? "name a board that is there: \(place)" : "install the .deb of Bakelite again; it brings them"
      findings += error.all.map { error in
        boardPath == nil
          ? .problem("board", error.description, mend: hint)
          : Self.finding("board", error, ifAbsent: "name a board, or the path of its file: \(place)", ifFolder: nil)
      }
    }
  }

  private mutating func readStations() {
    let (folder, path) = (Self.folder(of: settingsPath), Self.folder(of: settingsPath) + "stations.toml")
    stations = StationList.load(path)
    let adding = "sudo bakelite stations add NAME URL --file \(path.shellWord)"
    guard isFile(folder.isEmpty ? "." : folder) else {
      return findings.append(.skipped("stations", "They lie beside the settings, in \(folder), which is not there."))
    }
    if !isFile(path) {
      let packed = InstalledPaths.packagedStations
      let mend =
        isFile(packed) ? "sudo cp \(packed) \(path.shellWord)" : adding
      return findings.append(.problem("stations", "There are no stations: \(path) is not there.", mend: mend))
    }
    findings += stations.problems.map { Self.finding("stations", $0, ifFolder: Self.moving(path)) }
    let count = stations.entries.count
    if count > 0 {
      findings.append(.ok("stations", "\(path) has \(count) station\(count == 1 ? "" : "s") to play."))
    } else if stations.problems.isEmpty {
      findings.append(
        .problem(
          "stations", "\(path) holds no station.", mend: adding))
    }
  }

  /// What the box was told at run time, which counts before the files; and whether there is a place to keep it.
  private mutating func readOwner() {
    let (subject, folder) = ("owner.toml", configuration.statePath)
    let file = OwnerFile(folder: folder)
    guard isFile(folder) else {
      let isUsual = folder == Configuration().statePath
      return findings.append(
        isUsual
          ? .ok(subject, "\(folder) is not there yet; the service creates it when it starts.")
          : .problem(
            subject, "[state] path is \(folder), which is not there, so that the radio forgets all that it is told.",
            mend: "sudo mkdir -p \(folder.shellWord)"))
    }
    guard isFolder(folder) else {
      return findings.append(
        .problem(
          subject, "[state] path is \(folder), which is no folder, so that the radio forgets all that it is told.",
          mend: "name a folder: [state] path in \(settingsPath)"))
    }
    guard file.isThere else {
      return findings.append(.ok(subject, "\(file.path) is not there: nothing was changed at run time."))
    }
    let owner: OwnerSettings
    do throws(SettingsErrors) { owner = try file.load() } catch {
      findings += error.all.map { Self.finding(subject, $0, ifFolder: Self.moving(file.path)) }
      return
    }
    do throws(SettingsErrors) {
      configuration = try configuration.changed(by: owner)
      let presets = owner.presets(over: stations.entries.map(\.station)).count
      findings.append(.ok(subject, "\(file.path) is right; there are \(presets) presets with it."))
    } catch {
      // These are lines of what was made of the file, not its own.
      findings += error.all.map {
        .problem(subject, "\(file.path): \($0.problem).", mend: "sudo nano \(file.path.shellWord)")
      }
    }
  }

  /// The command that takes a file out of the way.
  private static func moving(_ path: String) -> String { "sudo mv \(path.shellWord) \("\(path).old".shellWord)" }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// An error of a file, and where to mend it; `ifAbsent` and `ifFolder` are what to do where nothing lies there, or a
  /// folder.
  static func finding(
    _ subject: String, _ error: SettingsError, ifAbsent: String? = nil, ifFolder: String? = nil
  ) -> DoctorFinding {
    let again = CommandLine.arguments.dropFirst().map(\.shellWord).joined(separator: " ")
    if let line = error.line {
      return .problem(subject, error.description, mend: "sudo nano +\(line) \(error.file.shellWord)")
    }
    if let ifAbsent, !isFile(error.file), errno != EACCES {
      return .problem(subject, error.description, mend: ifAbsent)
    }
    if let ifFolder, isFolder(error.file) {
      return .problem(subject, "\(error.file) is a folder, and no file.", mend: ifFolder)
    }
    return access(error.file, R_OK) != 0 && errno == EACCES
      ? .problem(subject, error.description, mend: "sudo bakelite \(again)   # root may read it")
      : .problem(subject, error.description, mend: "ls -l \(error.file.shellWord)")
  }
}

/// Whether a path is a folder's (stat(2)).
private func isFolder(_ path: String) -> Bool {
  var facts = stat()
  return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
}
