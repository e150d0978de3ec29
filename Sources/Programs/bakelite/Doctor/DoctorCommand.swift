import ArgumentParser
import Settings

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check sound card, panel, rights, clock, network and files, and show how to fix each fault.",
    discussion: """
      Exit codes: 0 no problem, 1 problems, 4 missing hardware. The command changes nothing and does not interrupt a \
      running radio. It looks up the first host name of the stations, and connects to the MQTT broker, the snapserver \
      and the web panel, if they are configured.
      """)

  @Option(
    "Check this settings file. Default: \(InstalledPaths.settings).", value: "file",
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    "Check this station file. Default: stations.toml in the folder of the settings.", value: "file",
    name: .customLong("stations"), completion: .file(extensions: ["toml"]))
  var stationsPath: String?

  @Option(
    "Check this board, given by name or by the path of its file. Default: the board of the settings.",
    value: "name|file", completion: ShellWords.boards)
  var board: String?

  @Option(
    "Search for board files in this folder. Default: \(DoctorFiles.folders.joined(separator: ", then ")).",
    value: "folder", completion: .directory)
  var boards: String?

  @Flag(help: "Print each finding as a line of JSON.")
  var json = false

  func run() throws {
    let files = DoctorFiles(config: config, stations: stationsPath, board: board, boards: boards)
    let network = DoctorNetwork.find(files.stations)
    let limits = DoctorLimits.find(hasUnit: DoctorUnit.starts(with: config ?? InstalledPaths.settings))
    var findings = files.findings
    findings += self.sound(files, network)
    findings += panel(files)
    findings += limits.findings(for: files.configuration) + [DoctorClock.own.finding]
    findings += DoctorFallback(files).findings
    var directory = DoctorDirectory(
      settings: files.configuration.directory, config: config, now: DoctorClock.own.seconds)
    if !files.isBox { directory.useOwnCopy() }
    findings.append(
      files.areSettingsKnown ? directory.finding : .skipped("directory", "The settings cannot be read."))
    findings += network.findings
    if files.isBox { findings += connections(files, network) }
    let report = DoctorReport(findings: findings)
    putLine(json ? report.json : report.text)
    if report.outcome != .done { throw report.outcome.exitCode }
  }

  /// Checks the web panel, the broker and the bus of a box.
  private func connections(_ files: DoctorFiles, _ network: DoctorNetwork) -> [DoctorFinding] {
    let settings = config ?? InstalledPaths.settings
    let hasUnit = DoctorUnit.starts(with: settings)
    var web = DoctorWeb.find(files.configuration, file: settings, hasUnit: hasUnit)
    web.isKnown = !files.findings.contains { $0.subject == "settings" && $0.verdict == .problem }
    let broker = DoctorBroker(files.configuration, file: settings, .machine, isOffline: !network.hasLink)
    let bus = DoctorBus.find(files.configuration.mpris, file: settings, hasUnit: hasUnit)
    return [web.finding] + [broker.finding, bus.finding].compactMap(\.self)
  }

  /// Checks card, path, mixer and decoders of a box that plays itself. With Snapcast, checks its programs, the card of
  /// a room, and the decoders of the box with the radio.
  private func sound(_ files: DoctorFiles, _ network: DoctorNetwork) -> [DoctorFinding] {
    var rooms = DoctorSnapcast.find(files.configuration, settings: config)
    rooms.isOffline = !network.hasLink
    let decoders = DoctorDecoders(files.configuration.decoding).finding
    guard files.areSettingsKnown || board != nil else {
      return [.skipped("sound card", "The settings cannot be read, so the sound device is not known."), decoders]
    }
    guard rooms.output == .alsa || rooms.isRoom else { return rooms.findings + [decoders] }
    var sound = DoctorSound.find(files.configuration, files.board)
    sound.isBox = files.isBox
    // `bakelite play` sets the volume in software.
    guard files.isBox else { return [sound.card, sound.path, decoders] }
    guard rooms.output != .alsa else {
      return [sound.card, sound.path, sound.volume(files.configuration.audio.volume), decoders]
    }
    sound.players.append("snapclient")
    return rooms.findings + [sound.card] + (rooms.decodes ? [decoders] : [])
  }

  private func panel(_ files: DoctorFiles) -> [DoctorFinding] {
    guard files.isBox || board != nil else { return [] }
    guard files.isBoardKnown else {
      return ["pins", "display"].map { .skipped($0, "The board is not known.") }
    }
    return DoctorPanel(board: files.board, file: files.boardPath ?? "the board's file", boot: BootConfig.own).look()
  }
}
