/// What the owner told the box at run time: presets and settings. It wins over `stations.toml` and `bakelite.toml`,
/// which the box never writes.
public struct OwnerSettings: Equatable, Sendable {
  /// The stations that were added, and those of `stations.toml` that were changed.
  public internal(set) var stations: [StationSettings] = []
  /// The names of stations of `stations.toml` that were removed.
  public internal(set) var removed: [String] = []
  /// The names of all presets in order, once one was moved.
  public internal(set) var order: [String] = []
  /// Settings as TOML writes them, by keys such as "panel.scroll_ms".
  public internal(set) var values: [String: String] = [:]

  /// Nothing was told.
  public init() {}

  /// Whether it changes presets, and not settings alone.
  public var changesPresets: Bool { !stations.isEmpty || !removed.isEmpty || !order.isEmpty }

  /// A preset, and which file it comes from.
  public struct Preset: Equatable, Sendable {
    /// The station.
    public let station: StationSettings
    /// Whether it stands in `owner.toml`; else in `stations.toml`.
    public let isOwn: Bool
  }

  /// The presets in order: those of `stations.toml`, in its order, as this changes them.
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

  /// One that the order does not name, since it came into `stations.toml` later, stays behind the one that it follows
  /// there.
  private func ordered(_ presets: [Preset]) -> [Preset] {
    var places: [String: Int] = [:]
    for (place, name) in order.enumerated() where places[name] == nil { places[name] = place }
    var (place, keyed) = (-1, [(place: Int, preset: Preset)]())
    for preset in presets {
      place = places[preset.station.name] ?? place
      keyed.append((place, preset))
    }
    // Of the same place the named one comes first, then the others as they stand in the file (`enumerated`: stable).
    return keyed.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element.preset)
  }
}
