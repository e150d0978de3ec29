import ArgumentParser

/// `bakelite doctor`: looks at a box, and says how to mend it.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Look at sound card, panel, rights, clock, network and files; say how to mend what is wrong.",
    discussion: """
      Exit codes: 0 all is well, 1 there are problems, 4 hardware is missing. Nothing is changed, and a radio that \
      runs plays on. The first station's host is looked up.
      """)

  @Option(help: "The board: its name, or the path of its file. The default is what the settings name.")
  var board: String?

  @Option(
    help: ArgumentHelp(
      "The settings; the stations lie beside them. The default is /etc/bakelite/bakelite.toml.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var config: String?

  @Flag(help: "Tell each finding as a line of JSON.")
  var json = false

  func run() throws {
    let files = DoctorFiles(config: config, board: board)
    let sound = DoctorSound.find(files.configuration, files.board)
    let limits = DoctorLimits.find()
    var findings = files.findings
    findings += [sound.card, sound.path, sound.volume(files.configuration.audio.volume)]
    findings += panel(files)
    findings += [limits.realtime, limits.memory(blocks: files.configuration.buffer.blocks), DoctorClock.own.finding]
    findings += DoctorNetwork.find(files.stations).findings
    let report = DoctorReport(findings: findings)
    print(json ? report.json : report.text)
    if report.outcome != .done { throw report.outcome.exitCode }
  }

  private func panel(_ files: DoctorFiles) -> [DoctorFinding] {
    guard files.isBoardKnown else {
      return ["pins", "display"].map { .skipped($0, "The board's file does not tell.") }
    }
    return DoctorPanel(board: files.board, file: files.boardPath ?? "the board's file", boot: BootConfig.own).look()
  }
}
