import Control
import Http
import Network
import Settings
import Units

/// The stations of `stations.toml`, with the owner's changes, as requests; also the first error of the file.
struct PresetCatalog {
  struct Entry {
    var settings: StationSettings
    var request: StationRequest
  }

  private(set) var entries: [Entry] = [] { didSet { names = entries.map(\.settings.name) } }
  private(set) var names: [String] = []
  let base: [StationSettings]
  /// True if the file was readable, even with errors in single stations.
  let isWhole: Bool
  let problem: SettingsError?

  /// Reads a file, logs errors, and uses the valid stations.
  init(_ path: String, _ owner: OwnerSettings, _ buffer: Configuration.Buffer) {
    let list = StationList.load(path, .all)
    for problem in list.problems { log(.warning, problem.description) }
    self.init(
      base: list.entries.map(\.station), isWhole: list.isWhole, problem: list.problems.first, owner, buffer)
  }

  init(
    base: [StationSettings], isWhole: Bool = true, problem: SettingsError? = nil, _ owner: OwnerSettings,
    _ buffer: Configuration.Buffer
  ) {
    (self.base, self.isWhole, self.problem) = (base, isWhole, problem)
    rebuild(owner, buffer)
  }

  mutating func rebuild(_ owner: OwnerSettings, _ buffer: Configuration.Buffer) {
    entries = owner.presets(over: base).compactMap { preset in
      do throws(SettingsError) {
        return Entry(settings: preset.station, request: try Self.request(preset.station, buffer))
      } catch {
        log(.warning, error.description)
        return nil
      }
    }
  }

  /// True if both addresses have the same scheme, host and port.
  static func isSameHost(_ one: StationAddress, _ other: StationAddress) -> Bool {
    if one == other { return true }
    guard let one = try? WebAddress(written: one), let other = try? WebAddress(written: other) else { return false }
    return (one.scheme, one.host, one.port) == (other.scheme, other.host, other.port)
  }

  /// Returns an unused name for a preset: `name`, or the host if `name` is unsuitable, perhaps with a number.
  func freeName(_ name: String, url: StationAddress) -> String {
    let host = (try? WebAddress(written: url))?.host ?? "Station"
    let isFit = StationSettings(name: name, url: "http://a/").problem == nil
    let first = isFit ? String(name.unicodeScalars.prefix(90)) : host
    var (free, number) = (first, 2)
    while entries.contains(where: { $0.settings.name == free }) {
      (free, number) = ("\(first) (\(number))", number + 1)
    }
    return free
  }

  var presets: [Preset] { entries.map { Preset(name: $0.settings.name, request: $0.request) } }

  func entry(url: StationAddress?, name: String?) -> Entry? {
    place(url: url, name: name).map { entries[$0] }
  }

  /// Returns the index of an entry: with address and name, or else with the address, or else with the name.
  func place(url: StationAddress?, name: String?) -> Int? {
    entries.firstIndex { $0.settings.url == url && $0.settings.name == name }
      ?? entries.firstIndex { $0.settings.url == url } ?? entries.firstIndex { $0.settings.name == name }
  }

  /// Returns a request for an address; nil if the address is invalid or `reach` does not allow it.
  static func request(
    _ url: StationAddress, _ buffer: Configuration.Buffer, _ reach: AddressPolicy = .anywhere
  ) -> StationRequest? {
    guard let address = try? WebAddress(written: url), url.unredacted.lowercased().hasPrefix(address.scheme + "://"),
      reach.allows(url), var request = try? request(StationSettings(name: "", url: url), buffer)
    else { return nil }
    request.reach = reach
    return request
  }

  private static func request(
    _ station: StationSettings, _ buffer: Configuration.Buffer
  ) throws(SettingsError) -> StationRequest {
    var request = StationRequest(url: station.url)
    request.userAgent = Version.userAgent
    try request.apply(station)
    request.dataTimeout = Duration(seconds: buffer.dataTimeout)
    request.isContinuous = buffer.isContinuous
    return request
  }
}
