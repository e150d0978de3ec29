import Control
import Network
import Settings
import Units

/// The stations of `stations.toml` as requests, and what is wrong with the others.
struct PresetCatalog {
  /// A station that can be tuned to.
  struct Entry {
    var settings: StationSettings
    var request: StationRequest
  }

  /// The presets in order.
  private(set) var entries: [Entry] = []
  /// What the file has.
  let base: [StationSettings]
  /// Whether the file as a whole could be read, though stations of it may be wrong.
  let isWhole: Bool
  /// The first thing that is wrong with the file.
  let problem: SettingsError?

  /// Reads a file; problems go to the log, and what can be played is played. What the owner told the box counts too.
  init(_ path: String, _ owner: OwnerSettings, _ buffer: Configuration.Buffer) {
    let list = StationList.load(path)
    for problem in list.problems { log(.warning, problem.description) }
    self.init(
      base: list.entries.map(\.station), isWhole: list.isWhole, problem: list.problems.first, owner, buffer)
  }

  /// The same of a file that was read.
  init(
    base: [StationSettings], isWhole: Bool = true, problem: SettingsError? = nil, _ owner: OwnerSettings,
    _ buffer: Configuration.Buffer
  ) {
    (self.base, self.isWhole, self.problem) = (base, isWhole, problem)
    take(owner, buffer)
  }

  /// Makes the presets what the file has, as the owner changed it at run time.
  mutating func take(_ owner: OwnerSettings, _ buffer: Configuration.Buffer) {
    entries = owner.presets(over: base).compactMap { preset in
      do throws(SettingsError) {
        return Entry(settings: preset.station, request: try Self.request(preset.station, buffer))
      } catch {
        log(.warning, error.description)
        return nil
      }
    }
  }

  /// Whether two addresses lead to the same server: scheme, host and port.
  static func isSameHost(_ one: StationAddress, _ other: StationAddress) -> Bool {
    if one == other { return true }
    guard let one = try? WebAddress(one), let other = try? WebAddress(other) else { return false }
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)
  }

  /// A name for a station to be kept that no preset has; one that has none is called after its host.
  func freeName(_ name: String, url: StationAddress) -> String {
    let host = (try? WebAddress(url))?.host ?? "Station"
    let isFit = StationSettings(name: name, url: "http://a/").problem == nil
    let first = isFit ? String(name.unicodeScalars.prefix(90)) : host
    var (free, number) = (first, 2)
    while entries.contains(where: { $0.settings.name == free }) {
      (free, number) = ("\(first) (\(number))", number + 1)
    }
    return free
  }

  /// The stations as clients and the knob have them.
  var presets: [Preset] { entries.map { Preset(name: $0.settings.name, request: $0.request) } }

  /// The entry whose address, or else whose name, is this.
  func entry(url: StationAddress?, name: String?) -> Entry? {
    place(url: url, name: name).map { entries[$0] }
  }

  /// The place of the entry whose address and name, else whose address, else whose name is this.
  func place(url: StationAddress?, name: String?) -> Int? {
    entries.firstIndex { $0.settings.url == url && $0.settings.name == name }
      ?? entries.firstIndex { $0.settings.url == url } ?? entries.firstIndex { $0.settings.name == name }
  }

  /// An address as if it stood in the file, or as a directory named it: nil also where `reach` does not allow it.
  static func request(
    _ url: StationAddress, _ buffer: Configuration.Buffer, _ reach: Reach = .anywhere
  ) -> StationRequest? {
    guard let address = try? WebAddress(url), url.unredacted.lowercased().hasPrefix(address.scheme + "://"),
      reach.allows(url), var request = try? request(StationSettings(name: "", url: url), buffer)
    else { return nil }
    request.reach = reach
    return request
  }

  private static func request(
    _ station: StationSettings, _ buffer: Configuration.Buffer
  ) throws(SettingsError) -> StationRequest {
    var request = StationRequest(url: station.url)
    // Its address may be the directory's, which then leads into no network of the owner's.
    request.reach = Reach(remembered: station.url, isNamed: station.isFromDirectory || station.directoryID != nil)
    request.mode = station.mode == .live ? .live : station.mode == .file ? .file : .automatic
    switch station.type {
    case .raw: request.addressKind = .raw
    case .pls: request.addressKind = .playlist(.pls)
    case .m3u: request.addressKind = .playlist(.m3u)
    case nil: break
    }
    request.userAgent = station.userAgent ?? "Bakelite/\(Version.text)"
    request.headers = station.headers
    request.query = station.query
    request.maxBitRate = station.maxBitRate.map { $0 * 1_000 }
    request.metadataEncoding = station.metadataEncoding
    request.credentials = try station.signIn().map { Credentials(name: $0.name, password: $0.password) }
    request.externalMetadata.xmlURL = station.xmlMetadataURL
    request.externalMetadata.zone = station.stationTimeZone.flatMap { StationZone($0) }
    request.externalMetadata.delay = station.xmlDelay ?? 0
    request.externalMetadata.live365URL = station.live365MetadataURL
    request.externalMetadata.usesAudioCast = station.usesAudioCast ?? false
    request.isSteered = station.drift
    request.dataTimeout = Duration(seconds: buffer.dataTimeout)
    request.isContinuous = buffer.isContinuous
    return request
  }
}
