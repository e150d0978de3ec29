import ArgumentParser
import Framing
import Network
import Settings
import System
import Units

struct StationsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a station to the list.",
    discussion: """
      Refuses an address that is already on the list with the same --query. If presets were changed on the box, adds \
      the station to owner.toml. A running radio reloads its stations at once.
      """)

  @Argument(help: "The station's name.")
  var name: String

  @Argument(help: "The address of the station or of its playlist, or the path of a file, as for play.")
  var url: String

  @OptionGroup var file: StationFileOption

  @OptionGroup var radio: RunningRadioOption

  @Option("Give the station this number, from 1. Default: the last.", value: "number", parsing: .unconditional)
  var at: Int?

  @Option(
    """
    Treat the address as a live station (live) or as a file (file). Default: depends on the server's response.
    """, value: "live|file", name: .customLong("as"))
  var mode: ModeWord?

  @Flag(help: "The same as --as live.")
  var live = false

  @Option(
    "Treat the address as audio (raw) or as a playlist (pls, m3u). Default: detected from the content.",
    value: "raw|pls|m3u")
  var type: StationSettings.AddressKind?

  @Option("Send this name and password. @FILE reads them from the first line of FILE.", value: "name:password|@file")
  var user: String?

  @Option("Send this User-Agent. Default: Bakelite's own.", value: "text")
  var userAgent: String?

  @OptionGroup var stream: StreamOptionGroup

  @Option("Read titles from AudioVault's XML at this address.", value: "url")
  var xmlMeta: String?

  @Option(
    "Delay the titles of --xml-meta by this many seconds, -3600 to 3600. Default: 0.", value: "seconds",
    parsing: .unconditional)
  var xmlDelay: Double?

  @Option(
    """
    Interpret the times in the XML of --xml-meta as times of this zone, such as EST. Default: a title starts when it \
    is read.
    """, value: "zone")
  var stationTimeZone: String?

  @Option("Read titles from Live365's XML at this address.", value: "url")
  var live365Meta: String?

  @Flag(help: "Request titles from the server by UDP (AudioCast).")
  var audiocast = false

  @Option("Play the station louder or softer, -60 to 12 dB. Default: 0.", value: "dB", parsing: .unconditional)
  var gain: Double?

  @Option(
    """
    on: change the speed slightly to match the sink's clock; off: constant speed. Default: on for live stations on a \
    sound card.
    """, value: "on|off")
  var drift: Switch?

  enum ModeWord: String, ExpressibleByArgument, CaseIterable { case live, file }

  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

  func validate() throws {
    if live, mode == .file { throw ValidationError("--live and --as file exclude each other; use one of them.") }
    if let problem = try station.problem { throw ValidationError("\(problem).") }
  }

  func run() throws {
    let station = try station
    try checkFile(of: station)
    let files = try StationFiles(file, of: radio, for: .add)
    let number = try files.add(station, at: at)
    let place = file.path == nil ? " of \(DisplayText.clean(absolutePath(files.path)))" : ""
    printNote("\"\(name)\" is station \(number)\(place).")
    radio.reload(of: files)
  }

  /// Fails for a path without a file, as a typing error.
  private func checkFile(of station: StationSettings) throws {
    guard !url.contains("://"), station.url.unredacted.hasPrefix("file:"), !isFile(url) else { return }
    throw failure(.failed, "There is no file \(DisplayText.clean(absolutePath(url))); check the path.")
  }

  private var station: StationSettings {
    get throws {
      var station = StationSettings(name: name, url: try address)
      station.mode = live || mode == .live ? .live : mode == .file ? .file : .automatic
      station.type = type
      station.user = user
      station.userAgent = userAgent
      station.query = stream.query
      station.headers = stream.header
      station.maxBitRate = stream.maxBitrate
      station.metadataEncoding = stream.metaEncoding
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

  /// The address. A path becomes a `file://` address; a missing scheme becomes http, as in `play`.
  private var address: StationAddress {
    get throws {
      let address = try StationOptionGroup.url(for: url)
      return address.unredacted.contains("://") ? address : StationAddress("http://" + address.unredacted)
    }
  }
}

extension StationSettings.AddressKind: ExpressibleByArgument {}
