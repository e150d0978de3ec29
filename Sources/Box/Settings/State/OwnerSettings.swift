import Alarms

/// The owner's changes at run time: presets and settings. These changes override `stations.toml` and `bakelite.toml`,
/// which the box never writes.
public struct OwnerSettings: Equatable, Sendable {
  /// The added stations, and the changed versions of stations in `stations.toml`.
  public internal(set) var stations: [StationSettings] = []
  /// The names of removed stations of `stations.toml`.
  public internal(set) var removed: [String] = []
  /// The names of all presets in order; empty if no preset was moved or renamed.
  public internal(set) var order: [String] = []
  /// Settings in TOML syntax, by keys such as "panel.scroll_ms".
  public internal(set) var values: [String: String] = [:]

  /// The owner's alarms.
  public internal(set) var alarms: [Alarm] = []
  /// The faults of unusable alarms in the file.
  public internal(set) var alarmProblems: [SettingsError] = []

  /// Creates empty changes.
  public init() {}

  /// True if presets are changed, not only settings.
  public var changesPresets: Bool { !stations.isEmpty || !removed.isEmpty || !order.isEmpty }

  /// A preset and the file of its origin.
  public struct Preset: Equatable, Sendable {
    /// The station.
    public let station: StationSettings
    /// True if the preset is in `owner.toml`, false if in `stations.toml`.
    public let isOwn: Bool
  }

  /// Returns the presets in order: the stations of `stations.toml` with these changes.
  public func presets(over base: [StationSettings]) -> [Preset] {
    var own: [String: StationSettings] = [:]
    for station in stations { own[station.name] = station }
    let hidden = Set(removed)
    var presets: [Preset] = []
    for station in base {
      if let changed = own.removeValue(forKey: station.name) {
        presets.append(Preset(station: changed, isOwn: true))
      } else if !hidden.contains(station.name) {
        presets.append(Preset(station: station, isOwn: false))
      }
    }
    presets += stations.filter { own[$0.name] != nil }.map { Preset(station: $0, isOwn: true) }
    return order.isEmpty ? presets : ordered(presets)
  }

  /// Sorts presets by `order`. A newer station that is not in `order` follows its predecessor in `stations.toml`.
  private func ordered(_ presets: [Preset]) -> [Preset] {
    var places: [String: Int] = [:]
    for (place, name) in order.enumerated() where places[name] == nil { places[name] = place }
    var (place, keyed) = (-1, [(place: Int, preset: Preset)]())
    for preset in presets {
      place = places[preset.station.name] ?? place
      keyed.append((place, preset))
    }
    // Stations that are not in `order` have their predecessor's place. `enumerated` makes the sort stable, so that they
    // follow it.
    return keyed.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element.preset)
  }
}
