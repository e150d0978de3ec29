import ArgumentParser
import AudioOutput
import CLinux
import Control
import Glibc
import Http
import Mpris
import Network
import RadioEngine
import Settings
import Units

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play stations and files in the foreground, one after the other.",
    discussion: """
      A live station plays until Ctrl-C. If its connection drops, `play` reconnects. A word that is neither an \
      address nor a file selects a station of your list by its number, its name or the start of the name. A number of \
      the list precedes a station with this number as its name. `bakelite` shows the list, and keys play its other \
      stations. Standard output contains only the PCM or the events that an \
      option sends to "-". In a terminal, these keys work:

      \(PlayKey.list.joined(separator: "\n"))
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Addresses of stations, playlists or files; paths of files; names or numbers of your stations. A folder plays its \
      audio files in natural order, without hidden files and subfolders.
      """, valueName: "url-or-file"), completion: ShellWords.own)
  var places: [String]

  @Option(
    """
    Play to this sink: \(OutputRequest.kinds). PATH "-" is standard output. PIPE is the named pipe of snapserver, by \
    default \(OutputRequest.snapcastPipe).
    """, value: "sink", completion: .list(["alsa:", "snapcast", "raw:", "wav:", "null"]))
  var output = "alsa:default"

  @Option(
    "Convert sound to this PCM format, such as s16le/44100/2. Default: the stream's rate; files get 16 bits.",
    value: "format")
  var format: String?

  @Option(
    "Write to raw, wav and null in real time (clock), or as fast as audio arrives (free).", value: "clock|free",
    completion: .list(["clock", "free"]))
  var pace = "clock"

  @Option("Start a file at this second, 0 to 1000000000.", value: "seconds", parsing: .unconditional)
  var start = 0.0

  @Option("Stop each address after this many seconds, 0.001 to 1000000000.", value: "seconds", parsing: .unconditional)
  var duration: Double?

  @Option(
    """
    Buffer this many seconds before playback starts, 0.1 to 3600. Default: \(figure(Defaults.waitLive)) for live \
    stations, \(figure(Defaults.waitFile)) for files.
    """, value: "seconds", parsing: .unconditional)
  var bufferWait: Double?

  @Option(
    """
    Start a live station after 1 s is buffered (adaptive), or after --buffer-wait (fixed). A file always starts \
    after --buffer-wait.
    """, value: "adaptive|fixed")
  var startPolicy = RadioSettings.StartPolicy.adaptive

  @Option(
    """
    Download a file at full speed until this many seconds are buffered, 0 to 3600, then at its bit rate. The minimum \
    is --buffer-wait.
    """, value: "seconds", parsing: .unconditional)
  var throttleBypass = 0.0

  @Flag(help: "Stay connected to a paused live station after the buffer is full, and drop the oldest audio.")
  var continuous = false

  @Option(
    "On return to live, stop this many seconds before it, 0 to 3600. 0 uses --buffer-wait.", value: "seconds",
    parsing: .unconditional)
  var liveSafety = 0.0

  @Option(
    "Set the buffer to this many blocks of 5,120 bytes, 16 to 400000. 1200 blocks are six minutes at 128 kbit/s.",
    value: "blocks", parsing: .unconditional)
  var bufferBlocks = Defaults.blockCount

  @Option("Play louder or softer by this gain, -60 to 12 dB.", value: "dB", parsing: .unconditional)
  var gain = 0.0

  @Option(
    "on: dither 16-bit output (TPDF noise); off: bit-exact PCM.", value: "on|off", completion: .list(["on", "off"]))
  var dither = "off"

  @Option(
    """
    Decode MP3 with libmad (mad) or libmpg123 (mpg123). mpg123 needs a third of the processor time; the output \
    differs only by rounding.
    """, value: "mad|mpg123")
  var mp3Decoder = RadioSettings.Mp3Decoder.mad

  @Option(
    """
    on: change the speed slightly to match the sink's clock; off: bit-exact PCM. Default: on for live stations on a \
    sound card or snapserver, otherwise off.
    """, value: "on|off", completion: .list(["on", "off"]))
  var drift: String?

  @Option(
    "Stay connected to a paused live station for this many seconds, 0 to 1000000000. 0: until the buffer is full.",
    value: "seconds", parsing: .unconditional)
  var pauseTimeout = Defaults.pauseTimeout

  @Option(help: .hidden)
  var namedBy: String?

  @Option("Serve the control protocol on a Unix socket at this path.", value: "socket")
  var control: String?

  @Option(
    """
    Also serve the control protocol on TCP, at these numeric addresses. An address reachable by other machines \
    requires --password-file. Default: none.
    """, value: "address:port")
  var listen = ""

  @Option("Read the password of TCP clients from the first line of this file.", value: "file", completion: .file())
  var passwordFile: String?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Turn MPRIS on or off: desktop applets and media keys, on the session bus. Default: on in a terminal, \
      otherwise off.
      """)
  var mpris: Bool?

  @Option("Write events as lines of JSON to this path; \"-\" is standard output.", value: "path")
  var events: String?

  @OptionGroup(title: "Recording")
  var recording: RecordOptionGroup

  @OptionGroup(title: "While a station is silent")
  var continuity: ContinuityOptionGroup

  @OptionGroup(title: "Connection")
  var station: StationOptionGroup

  @OptionGroup(title: "Connection")
  var others: AlternativeOptionGroup

  @OptionGroup(title: "Titles from outside the stream")
  var nowPlaying: NowPlayingOptionGroup

  func validate() throws {
    guard let request = OutputRequest(output) else {
      throw ValidationError("--output is \"\(output)\", and must be \(OutputRequest.kinds).")
    }
    if case .snapcast = request.kind, format != nil {
      throw ValidationError("--format is not allowed with --output snapcast, which is always s16le/48000/2.")
    }
    if let format, PcmFormat(format) == nil {
      throw ValidationError(
        "--format is \"\(format)\", and must be s16le, s24le or s32le, a rate and 1 or 2 channels: s16le/44100/2.")
    }
    for (option, value) in [("--pace", pace), ("--dither", dither), ("--drift", drift ?? "on")] {
      let allowed = option == "--pace" ? ["clock", "free"] : ["on", "off"]
      if !allowed.contains(value) {
        throw ValidationError("\(option) is \"\(value)\", and must be \(allowed.joined(separator: " or ")).")
      }
    }
    try check("--start", start, 0...1e9, "seconds")
    try check("--duration", duration, 0.001...1e9, "seconds")
    try check("--buffer-wait", bufferWait, Limits.wait, "seconds")
    try check("--pause-timeout", pauseTimeout, 0...1e9, "seconds")
    try check("--throttle-bypass", throttleBypass, Limits.throttleBypass, "seconds")
    try check("--live-safety", liveSafety, Limits.liveSafety, "seconds")
    try check("--gain", gain, Limits.gain, "dB")
    try check("--buffer-blocks", bufferBlocks, Limits.blockCount)
    try others.check(beside: places)
    try checkListen()
    try checkOverwriting(request.kind)
    if events == "-", request.kind == .raw("-") || request.kind == .wav("-") {
      throw ValidationError("Audio and events cannot both use standard output; add a path to one option.")
    }
  }

  private func checkOverwriting(_ kind: OutputRequest.Kind) throws {
    let output: String? =
      switch kind {
      case .raw(let path), .wav(let path): path
      default: nil
      }
    // `run` reports an unusable folder.
    let inputs = (try? played()) ?? places
    for (option, path) in [("--output", output), ("--record", recording.record), ("--events", events)] {
      guard let path, let place = inputs.first(where: { isSameFile(Self.path(of: $0), path) }) else { continue }
      throw ValidationError("\(option) would overwrite \(place), which is an input; use another path.")
    }
  }

  /// Returns the path of a `file://` address, and other text unchanged.
  private static func path(of place: String) -> String {
    guard let address = try? WebAddress(StationAddress(place), allowsFile: true), address.isFile else { return place }
    return address.filePath
  }

  private func checkListen() throws {
    let addresses: [ListenAddress]
    do throws(ControlError) { addresses = try ListenAddress.list(listen) } catch {
      throw ValidationError("--listen: \(error)")
    }
    guard passwordFile == nil, let open = addresses.first(where: { !$0.isLoopback }) else { return }
    throw ValidationError(
      "--listen: \(open) is reachable by other machines; add --password-file, or listen on 127.0.0.1.")
  }

  /// The places, with the audio files of a folder instead of the folder.
  private func played() throws(AudioFolder.Fault) -> [String] {
    var played: [String] = []
    for place in places { played += try AudioFolder.files(in: place) ?? [place] }
    return played
  }

  func run() throws {
    let outcome = try play(lineup(foundPlaces()), on: .terminal)
    if outcome != .done { throw outcome.exitCode }
  }

  private func lineup(_ places: PlayPlaces) throws -> PlayLineup {
    if places.all.count == 1, case .station(let entry) = places.all[0] {
      return try lineup(entry, of: places.favourites)
    }
    var isEachListed = true
    let stations = try places.all.map { place in
      switch place {
      case .address(let text):
        isEachListed = false
        var request = try request(station.request(for: text))
        request.alternatives = others.addresses
        return PlayLineup.Station(preset: Preset(name: "", request: request), gain: gain)
      case .station(let entry): return try listed(entry.station)
      }
    }
    return PlayLineup(stations, favourites: isEachListed ? try favourites(places.favourites) : nil)
  }

  /// Returns the user's list with one station to play first.
  func lineup(_ entry: StationList.Entry, of entries: [StationList.Entry]) throws -> PlayLineup {
    let first = try listed(entry.station)
    let place = entries.firstIndex { $0.station.name == entry.station.name }
    let all = try favourites(entries)
    // The station may have left the list since the user chose it.
    return place.map { PlayLineup(favourites: all, at: $0) } ?? PlayLineup([first], favourites: all)
  }

  /// Returns the stations of a list; a station with an unreadable password lacks the password.
  private func favourites(_ entries: [StationList.Entry]) throws -> [PlayLineup.Station] {
    try entries.map { entry in
      let settings = entry.station
      var request = try request(station.request(for: settings.url))
      try? request.apply(settings)
      return listed(settings, request)
    }
  }

  private func foundPlaces() throws -> PlayPlaces {
    do { return try PlayPlaces(played()) } catch {
      // Faults of options are reported first.
      _ = try station.request(for: StationAddress(""))
      _ = try access
      throw error
    }
  }

  private var access: ControlAccess? {
    get throws {
      try passwordFile.map { ControlAccess(password: try UserOption.firstLine(of: $0, for: "--password-file")) }
    }
  }

  /// Returns the gain of the command line and of a station, in dB.
  private func gain(with station: StationSettings) -> Double { Limits.gain.nearest(to: gain + (station.gain ?? 0)) }

  /// Returns a station of a list with the options of the command line.
  private func listed(_ settings: StationSettings) throws -> PlayLineup.Station {
    var request = try request(station.request(for: settings.url))
    request.alternatives = others.addresses
    try request.apply(settings)
    for alternative in settings.alternatives {
      do throws(SettingsError) { _ = try alternative.signIn() } catch {
        printNote("Leaving out the address \(alternative.url): \(error)")
      }
    }
    return listed(settings, request)
  }

  private func listed(_ settings: StationSettings, _ request: StationRequest) -> PlayLineup.Station {
    let preset = Preset(name: settings.name, request: request)
    return PlayLineup.Station(preset: preset, gain: gain(with: settings), listed: .init(settings))
  }

  private func request(_ plain: StationRequest) -> StationRequest {
    var request = plain
    if let namedBy { request.reach = AddressPolicy(namedBy: StationAddress(namedBy)) }
    request.start = StreamTime(seconds: start)
    request.externalMetadata = nowPlaying.externalMetadata
    request.isContinuous = continuous
    return request
  }

  /// Plays stations until their end or a key ends the playback.
  func play(_ lineup: PlayLineup, on stage: PlayStage) throws -> Outcome {
    let access = try access
    let log = try EventLog(events)
    _ = bk_lock_all()
    var settings = settings
    settings.gainDecibels = lineup.firstGain
    settings.receivesFirstChoice = !continuity.fallback.isEmpty || !lineup.fallbacks.isEmpty
    if continuity.secondSource != .never { settings.secondSource = SecondSourceRule(continuity.secondSource) }
    let radio = try Interrupts.catchAfter { try Radio(settings, sink) }
    let player = PlayerController(radio)
    player.fallback.limit = duration
    let startWait = startPolicy == .fixed ? settings.waitLive.seconds : 0
    continuity.connect(player, lineup, among: try fallbackStations(lineup), startWait: startWait) {
      try? request(station.publicRequest(for: $0))
    }
    let server: ControlServer?
    do { server = try self.server(for: player, access) } catch {
      // All threads must have ended when the program exits.
      _ = radio.close()
      throw error
    }
    let clients = PlayClients(server: server, mpris: service)
    return PlaySession(radio, player, log, clients, on: stage, recording: recording.order).play(lineup)
  }

  /// The user's list if a fallback may name one of its stations, and the lineup lacks them.
  private func fallbackStations(_ lineup: PlayLineup) throws -> [Preset] {
    guard !lineup.areFavourites, continuity.namesStations || !lineup.fallbacks.isEmpty else { return [] }
    return try favourites(UserStations.list?.entries ?? []).map(\.preset)
  }

  private var service: MprisService? {
    guard mpris ?? (isatty(STDIN_FILENO) == 1) else { return nil }
    let service = MprisService(.session, canQuit: true)
    if service == nil, mpris == true {
      printNote("MPRIS is off, because libsystemd or the session bus is missing; check DBUS_SESSION_BUS_ADDRESS.")
    }
    return service
  }

  private func server(for player: PlayerController, _ access: ControlAccess?) throws -> ControlServer? {
    guard control != nil || !listen.isEmpty else { return nil }
    var facts = RadioCommands.Facts(version: Version.text)
    facts.outputName = output
    facts.outputKind = String(output.prefix { $0 != ":" })
    let context = ControlContext(player, access ?? ControlAccess()) { address in
      guard let request = ControlContext.webStation(address) else { return nil }
      var told = try? station.request(for: address)
      told?.url = request.url
      return told
    }
    // Clients change the user's own folder only with the user's consent.
    if let folder = recording.recordings { context.use(recordings: folder) }
    var places = ControlServer.Places(socket: control)
    places.listen = try ListenAddress.list(listen)
    let server = try ControlServer(places, CommandTable(RadioCommands.rows(facts), context))
    for port in server.ports { printNote("Serving control at port \(port)") }
    return server
  }

  private var sink: OutputRequest {
    var request = OutputRequest(output) ?? OutputRequest(.null)
    request.format = format.flatMap { PcmFormat($0) }
    request.isPaced = pace == "clock"
    return request
  }

  private var settings: RadioSettings {
    var settings = RadioSettings()
    settings.blockCount = bufferBlocks
    settings.startPolicy = startPolicy
    settings.throttleBypass = StreamTime(seconds: throttleBypass)
    settings.liveSafety = StreamTime(seconds: liveSafety)
    settings.pauseTimeout = Duration(seconds: pauseTimeout)
    settings.steers = drift.map { $0 == "on" }
    settings.recording = recording.settings
    settings.hasDither = dither == "on"
    settings.mp3Decoder = mp3Decoder
    settings.duration = duration.map { StreamTime(seconds: $0) }
    if let bufferWait {
      settings.waitLive = StreamTime(seconds: bufferWait)
      settings.waitFile = StreamTime(seconds: bufferWait)
    }
    return settings
  }
}

extension RadioSettings.StartPolicy: ExpressibleByArgument {}
extension RadioSettings.Mp3Decoder: ExpressibleByArgument {}
