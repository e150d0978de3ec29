import Glibc
import Settings
import System

struct DoctorFiles {
  /// The settings for the other checks, with the changes made on the box; defaults if the file is unusable.
  private(set) var configuration = Configuration()
  private(set) var board = Board()
  /// True if `board` was read from the requested file, false if it is the default.
  private(set) var isBoardKnown = false
  /// False if the settings have a mistake, so that `configuration` has the defaults.
  private(set) var areSettingsKnown = true
  private(set) var stations = StationList.read([], file: "")
  /// The board's file; nil if no folder has a board with this name.
  private(set) var boardPath: String?
  private(set) var findings: [DoctorFinding] = []
  /// False on a computer without a folder of installed settings, where only `bakelite` itself is used.
  let isBox: Bool
  private let settingsPath: String
  /// True for the settings of the installed radio.
  private let isInstalled: Bool
  private let folders: [String]

  static let folders = InstalledPaths.boards + ["boards"]

  /// Reads the settings, the stations, a board and the state folder's `owner.toml`.
  ///
  /// Nil means: the installed settings, stations.toml next to the settings, the settings' board, the usual folders.
  init(
    config: String?, stations: String?, board: String?, boards: String?, installed: String = InstalledPaths.settings
  ) {
    settingsPath = config ?? installed
    isInstalled = settingsPath == installed
    isBox = config != nil || isFile(UserFolder.parent(of: installed))
    folders = boards.map { [$0] } ?? Self.folders + [Self.boards(besides: config)].compactMap(\.self)
    readSettings(config)
    if isBox || board != nil { readBoard(board) }
    if isBox || stations != nil { findings += readStations(stations) }
    if config == nil, stations == nil { readOwnStations() }
    if isBox { findings += readOwner() }
  }

  /// Returns the folder of boards in the source tree with a settings file; nil if the file is elsewhere.
  private static func boards(besides config: String?) -> String? {
    guard let config else { return nil }
    let folder = UserFolder.parent(of: UserFolder.parent(of: absolutePath(config))) + "/boards"
    return isFolder(folder) ? folder : nil
  }

  private mutating func readSettings(_ config: String?) {
    let path = settingsPath
    if config == nil, !isFile(path) {
      let words = isBox ? "the default settings apply" : "this computer is no box, so parts of a box are not checked"
      return findings.append(.ok("settings", "\(path) does not exist; \(words)."))
    }
    do throws(SettingsErrors) {
      configuration = try Configuration(path: path, replacesValues: true)
      if configuration.replaced.isEmpty { findings.append(.ok("settings", "\(path) is valid.")) }
      findings += configuration.replaced.map { Self.finding("settings", $0.error) }
      if let password { findings.append(password) }
    } catch {
      areSettingsKnown = false
      let hint =
        config == nil
        ? nil : "pass the path of an existing settings file to --config; on a box it is \(InstalledPaths.settings)"
      let inside = "pass the file instead of the folder: --config \("\(path)/bakelite.toml".shellWord)"
      findings += error.all.map { Self.finding("settings", $0, ifAbsent: hint, ifFolder: inside) }
    }
  }

  /// Checks the password of TCP clients. The service does not start if the configured file is missing.
  private var password: DoctorFinding? {
    let (place, subject) = (configuration.control.passwordFile, "password")
    guard !place.isEmpty else { return nil }
    guard place.contains("/") else {
      let folders = ["/etc/credstore", "/etc/credstore.encrypted", "/run/credstore"]
      if folders.contains(where: { isFile("\($0)/\(place)") }) {
        return Self.secret(subject, "/etc/credstore/\(place)") ?? .ok(subject, "The credential \(place) exists.")
      }
      if access("/etc/credstore", R_OK | X_OK) != 0, errno == EACCES {
        return .skipped(subject, "Only root can check the credential \(place).")
      }
      return .problem(
        subject, "[control] password_file is the credential \(place), which is not in /etc/credstore.",
        mend: "echo PASSWORD | sudo install -D -m 600 /dev/stdin \("/etc/credstore/\(place)".shellWord)")
    }
    do throws(SettingsError) {
      _ = try configuration.control.password()
      return Self.secret(subject, place) ?? .ok(subject, "\(place) contains the password of [control].")
    } catch {
      let hint = "write the path of an existing file to [control] password_file in \(settingsPath)"
      return Self.finding(subject, error, ifAbsent: hint)
    }
  }

  /// Returns the finding for a secret with bytes that an editor does not show; nil for a usual secret.
  static func secret(_ subject: String, _ path: String) -> DoctorFinding? {
    let edit = "sed -i '1s/^\\xEF\\xBB\\xBF//; 1s/^[[:space:]]*//; 1s/[[:space:]]*$//'"
    return SecretLine.problem(inFile: path).map {
      let mend = "\(OwnFiles.command(edit, changing: path)) \(path.shellWord)"
      return .problem(subject, "\(path): \($0).", mend: mend)
    }
  }

  private mutating func readBoard(_ option: String?) {
    guard areSettingsKnown || option != nil else {
      return findings.append(.skipped("board", "The settings cannot be read, so the board is not known."))
    }
    let name = option ?? configuration.board
    if name.contains("/") {
      boardPath = name
    } else {
      boardPath = folders.map { "\($0)/\(name).toml" }.first(where: isFile)
    }
    do throws(SettingsErrors) {
      board = try name.contains("/") ? Board(path: name) : Board(named: name, in: folders)
      isBoardKnown = true
      findings.append(.ok("board", "\(boardPath ?? name) is valid: \(board.title)."))
    } catch {
      let place = option == nil ? "board = \"NAME\" in \(settingsPath)" : "--board NAME"
      let isAny = folders.contains { isFile($0) }
      let none =
        isInstalled
        ? "reinstall the .deb package of Bakelite, which contains the boards"
        : "pass the folder with the board files: --boards FOLDER"
      let hint = isAny ? "name a board that exists: \(place)" : none
      findings += error.all.map { error in
        boardPath == nil
          ? .problem("board", error.description, mend: hint)
          : Self.finding("board", error, ifAbsent: "name a board, or the path of its file: \(place)", ifFolder: nil)
      }
    }
  }

  private mutating func readStations(_ option: String?) -> [DoctorFinding] {
    let folder = Self.folder(of: settingsPath)
    let path = option ?? folder + "stations.toml"
    // Another user than root cannot read the secrets of the service.
    stations = StationList.load(path, geteuid() == 0 ? .files : .none)
    let adding = "\(OwnFiles.command("bakelite", changing: path)) stations add NAME URL --stations \(path.shellWord)"
    guard option != nil || isFile(folder.isEmpty ? "." : folder) else {
      return [
        .skipped("stations", "The folder of the settings, \(folder), does not exist, so there is no station file.")
      ]
    }
    guard isFile(path) else {
      let packed = InstalledPaths.packagedStations
      let mend = isFile(packed) ? "\(OwnFiles.command("cp", changing: path)) \(packed) \(path.shellWord)" : adding
      return [.problem("stations", "There are no stations: \(path) does not exist.", mend: mend)]
    }
    let problems = stations.problems.map { Self.finding("stations", $0, ifFolder: Self.moving(path)) }
    let count = stations.entries.count
    guard count == 0 else {
      return problems + [.ok("stations", "\(path) has \(count) station\(count == 1 ? "" : "s") to play.")]
    }
    return problems.isEmpty ? [.problem("stations", "\(path) contains no stations.", mend: adding)] : problems
  }

  /// Reads the user's own list of stations. Without stations of a box, this list is the one to check.
  private mutating func readOwnStations() {
    let subject = "own list"
    guard let path = UserStations.path, isFile(path) else {
      if !isBox { findings.append(.ok(subject, "You have no stations yet; add some: bakelite find WORDS --add 1")) }
      return
    }
    let own = StationList.load(path, .files)
    let count = own.entries.count
    findings += own.problems.map { Self.finding(subject, $0, ifFolder: Self.moving(path)) }
    if own.problems.isEmpty || count > 0 {
      let words = "\(path) has \(count) station\(count == 1 ? "" : "s") for `bakelite` and `bakelite play`."
      findings.append(.ok(subject, words))
    }
    if stations.entries.isEmpty { stations = own }
  }

  /// Reads changes made on the box, which override the files, and checks their folder.
  private mutating func readOwner() -> [DoctorFinding] {
    let (subject, folder) = ("owner.toml", configuration.statePath)
    let file = OwnerFile(folder: folder)
    // Another radio may use the usual folder.
    guard areSettingsKnown || isInstalled else {
      return [.skipped(subject, "The settings cannot be read, so the folder of the radio's state is not known.")]
    }
    let usual = areSettingsKnown ? "" : "The settings cannot be read, so this is the usual folder. "
    guard isFile(folder) else { return [Self.missing(subject, folder, usual)] }
    guard isFolder(folder) else {
      let words = "[state] path is \(folder), which is not a folder, so the radio cannot save changes made on the box."
      return [.problem(subject, words, mend: "write the path of a folder to [state] path in \(settingsPath)")]
    }
    guard file.isThere else {
      return [.ok(subject, "\(usual)\(file.path) does not exist: nothing was changed on the box.")]
    }
    let owner: OwnerSettings
    do throws(SettingsErrors) { owner = try file.load() } catch {
      return error.all.map { Self.finding(subject, $0, ifFolder: Self.moving(file.path)) }
    }
    do throws(SettingsErrors) {
      configuration = try configuration.changed(by: owner)
      let presets = owner.presets(over: stations.entries.map(\.station)).count
      let count = "\(presets) preset\(presets == 1 ? "" : "s")"
      return [.ok(subject, "\(usual)\(file.path) is valid; with its changes the radio has \(count).")]
    } catch {
      // The errors' lines are those of a generated text, not of the file.
      return error.all.map {
        .problem(subject, "\(file.path): \($0.problem).", mend: Self.editing(file.path))
      }
    }
  }

  /// Returns the finding for a missing state folder. The radio creates it, but not its parent (`StateFolder.make`).
  private static func missing(_ subject: String, _ folder: String, _ usual: String) -> DoctorFinding {
    guard folder != Configuration().statePath else {
      return .ok(subject, "\(usual)\(folder) does not exist yet; the service creates it when it starts.")
    }
    let parent = Self.folder(of: folder)
    if OwnFiles.reader.sudo(folder).isEmpty, isFolder(parent) {
      return .ok(subject, "\(folder) does not exist yet; the radio creates it when it starts.")
    }
    let words = "[state] path is \(folder), which does not exist, so the radio cannot save changes made on the box."
    return .problem(subject, words, mend: "\(OwnFiles.command("mkdir", changing: folder)) -p \(folder.shellWord)")
  }

  private static func editing(_ path: String, at line: Int? = nil) -> String {
    OwnFiles.command("nano", changing: path) + (line.map { " +\($0)" } ?? "") + " \(path.shellWord)"
  }

  private static func moving(_ path: String) -> String {
    "\(OwnFiles.command("mv", changing: path)) \(path.shellWord) \("\(path).old".shellWord)"
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Returns the finding for a file's error. `ifAbsent` and `ifFolder` are the advice for a missing file or a folder.
  static func finding(
    _ subject: String, _ error: SettingsError, ifAbsent: String? = nil, ifFolder: String? = nil
  ) -> DoctorFinding {
    let again = CommandLine.arguments.dropFirst().map(\.shellWord).joined(separator: " ")
    if let line = error.line {
      return .problem(subject, error.description, mend: editing(error.file, at: line))
    }
    if let ifAbsent, !isFile(error.file), errno != EACCES {
      return .problem(subject, error.description, mend: ifAbsent)
    }
    if let ifFolder, isFolder(error.file) {
      return .problem(subject, "\(error.file) is a folder, not a file.", mend: ifFolder)
    }
    return access(error.file, R_OK) != 0 && errno == EACCES
      ? .problem(subject, error.description, mend: "sudo bakelite \(again)   # root may read it")
      : .problem(subject, error.description, mend: "ls -l \(error.file.shellWord)")
  }
}

private func isFolder(_ path: String) -> Bool {
  var facts = stat()
  return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
}
