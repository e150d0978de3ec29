import Control
import Directory
import Framing
import Http
import Settings
import Units

struct FindChoice {
  let station: DirectoryEntry
  /// The directory's address.
  let source: StationAddress

  func keep(_ option: StationFileOption, _ radio: RunningRadioOption) throws {
    try checkReach()
    let files = try StationFiles(option, of: radio, for: .add)
    let names = Set(try files.presets().presets.map(\.station.name))
    let name = UserStations.freeName(station.name, besides: names)
    var preset = StationSettings(name: name, url: station.url)
    preset.directoryID = station.uuid.map { "\($0)" }
    preset.isFromDirectory = station.uuid == nil
    if let problem = preset.problem { throw failure(.failed, "This station cannot be a preset: \(problem).") }
    try checkIdentity(of: preset, in: files, option, radio)
    let path = try files.additionPath
    let number = try files.add(preset, at: nil)
    printNote("\"\(preset.name)\" is station \(number) of \(DisplayText.clean(path)).")
    radio.reload(of: files)
  }

  /// Refuses a second preset for a station at another address, because both would update from the same entry.
  private func checkIdentity(
    of new: StationSettings, in files: StationFiles, _ option: StationFileOption, _ radio: RunningRadioOption
  ) throws {
    guard let id = new.directoryID?.lowercased() else { return }
    let same = try files.presets().presets.first {
      $0.station.directoryID?.lowercased() == id && $0.station.url != new.url
    }
    guard let same else { return }
    let number = try files.number(of: same.station.name)
    let options = [("--stations", option.path), ("--owner", option.ownerPath), ("--socket", radio.socket)]
      .compactMap { name, value in value.map { " \(name) \($0.shellWord)" } }.joined()
    throw failure(
      .failed,
      """
      This station is already preset \(number), "\(same.station.name)", with the address \(same.station.url); to \
      replace the address, remove the preset first: bakelite stations remove \(number)\(options)
      """)
  }

  /// Plays the station on the running radio. Without one, or with `output`, plays it here until its end.
  ///
  /// `click`: reports that to the directory.
  func play(_ radio: RunningRadioOption, output: String?, _ click: Click?) throws {
    try checkReach()
    let name = DisplayText.clean(station.name)
    if output == nil, let connection = try? ControlConnection(radio.socket ?? InstalledPaths.socket) {
      _ = try connection.ask(["radio_tune_found", station.url.unredacted, source.unredacted, name])
      printNote("The radio plays \"\(name)\".")
      click?.send()
      return
    }
    if output == nil, let socket = radio.socket {
      throw failure(.failed, "No radio answers at \(DisplayText.line(socket)); is bakelited running?")
    }
    printNote("Playing \"\(name)\" here.")
    let options = ["--named-by", source.unredacted] + (output.map { ["--output", $0] } ?? [])
    let command = try PlayCommand.parse(options + ["--", station.url.unredacted])
    guard let click else { return try command.run() }
    try click.send { try command.run() }
  }

  /// Refuses an address in the owner's network, unless the directory is from that network.
  private func checkReach() throws {
    guard !AddressPolicy(namedBy: source).allows(station.url) else { return }
    throw failure(
      .failed,
      "The directory names \(station.url), which is in your own network or at a port of another service; Bakelite does "
        + "not play or add it.")
  }
}
