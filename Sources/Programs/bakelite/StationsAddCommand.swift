import ArgumentParser
import Framing
import Network
import Settings
import System
import Units

/// `bakelite stations add`.
struct StationsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a station to the list.",
    discussion: """
      An address that is on the list already, with the same --query, is not added again. Where the box was told \
      presets at run time, the station is added to owner.toml, behind them. A running radio reads its stations again \
      at once.
      """)

  @Argument(help: "The station's name.")
  var name: String

  @Argument(help: "The address of the station or of its playlist, or the path of a file, as play takes them.")
  var url: String

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The station's number in the list, from 1. The default is the last.", valueName: "number"))
  var at: Int?

  @Option(name: .customLong("as"), help: "Treat the address as live or file, whatever the server's answer.")
  var mode: ModeWord?

  @Flag(help: "The same as --as live.")
  var live = false

  @Option(help: "What the address is: raw, pls or m3u. The default is to decide by its content.")
  var type: StationSettings.AddressKind?

  @Option(help: ArgumentHelp("Name and password: NAME:PASSWORD, or @PATH of a file.", valueName: "name:password"))
  var user: String?

  @Option(help: "The User-Agent to send.")
  var userAgent: String?

  @Option(help: ArgumentHelp("A query parameter to add to the address; may be repeated.", valueName: "key=value"))
  var query: [String] = []

  @Option(help: ArgumentHelp("A header to send; may be repeated.", valueName: "name: value"))
  var header: [String] = []

  @Option(help: "The encoding of the station's titles, such as windows-1251.")
  var metaEncoding: String?

  @Option(help: ArgumentHelp("The address of AudioVault's XML with the titles.", valueName: "url"))
  var xmlMeta: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that the stream is behind that XML, -3600 to 3600.", valueName: "seconds"))
  var xmlDelay: Double?

  @Option(help: ArgumentHelp("The time zone of that XML, such as EST.", valueName: "zone"))
  var stationTimeZone: String?

  @Option(help: ArgumentHelp("The address of Live365's XML with the titles.", valueName: "url"))
  var live365Meta: String?

  @Flag(help: "Ask the server for titles by UDP (AudioCast).")
  var audiocast = false

  @Option(parsing: .unconditional, help: ArgumentHelp("The station's gain in dB, -60 to 12.", valueName: "dB"))
  var gain: Double?

  @Option(help: "on or off: match the clock of the sound card.")
  var drift: Switch?

  /// What `--as` may be.
  enum ModeWord: String, ExpressibleByArgument, CaseIterable { case live, file }

  /// What `--drift` may be.
  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  func validate() throws {
    if live, mode == .file { throw ValidationError("--live and --as file exclude each other; give one of them.") }
    if let problem = try station.problem { throw ValidationError("\(problem).") }
  }

  func run() throws {
    let station = try station
    try checkFile(of: station)
    let (list, owner, presets) = try file.presets()
    if let place = presets.firstIndex(where: { $0.station.isDouble(of: station) }) {
      let known = presets[place].station.name
      let number = try file.number(of: known)
      say("bakelite: That address is station \(number) already, \"\(known)\"; nothing was added.")
      throw Outcome.failed.exitCode
    }
    try insert(station, list, owner)
    let number = try file.number(of: name)
    say("\"\(name)\" is station \(number).")
    radio.tell(of: file)
  }

  /// A path that leads nowhere is a slip of the hand.
  private func checkFile(of station: StationSettings) throws {
    guard !url.contains("://"), station.url.unredacted.hasPrefix("file:"), !isFile(url) else { return }
    say("bakelite: There is no file \(DisplayText.clean(absolutePath(url))); check the path.")
    throw Outcome.failed.exitCode
  }

  private func insert(
    _ station: StationSettings, _ list: StationList, _ owner: OwnerSettings
  ) throws {
    // Where the box was told an order of its own, a line more in the list would be somewhere in its midst.
    if owner.changesPresets { return try file.edit(.add(station, at: at), over: list) }
    try file.edit { file throws(SettingsError) in try file.insert([station], at: at) }
  }

  private var station: StationSettings {
    get throws {
      var station = StationSettings(name: name, url: try address)
      station.mode = live || mode == .live ? .live : mode == .file ? .file : .automatic
      station.type = type
      station.user = user
      station.userAgent = userAgent
      station.query = query
      station.headers = header
      station.metadataEncoding = metaEncoding
      station.xmlMetadataURL = xmlMeta.map { StationAddress($0) }
      station.xmlDelay = xmlDelay
      station.stationTimeZone = stationTimeZone
      station.live365MetadataURL = live365Meta.map { StationAddress($0) }
      station.usesAudioCast = audiocast ? true : nil
      station.gain = gain
      station.drift = drift.map { $0 == .on }
      return station
    }
  }

  /// A path becomes the address of its file; what has no scheme is http, as `play` takes it.
  private var address: StationAddress {
    get throws {
      let address = try StationOptionGroup.url(for: url)
      return address.unredacted.contains("://") ? address : StationAddress("http://" + address.unredacted)
    }
  }
}

extension StationSettings {
  /// Whether both ask the same server for the same thing, however their addresses are written.
  fileprivate func isDouble(of other: StationSettings) -> Bool {
    func form(_ url: StationAddress) -> StationAddress { (try? WebAddress(url, allowsFile: true))?.url ?? url }
    return query == other.query && (url == other.url || form(url) == form(other.url))
  }
}

extension StationSettings.AddressKind: ExpressibleByArgument {}
