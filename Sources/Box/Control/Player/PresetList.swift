import Network
import Units

/// A preset: a station for the knob and the number keys. Clients load it from a stored playlist.
public struct Preset: Sendable {
  /// The name; empty if only the address is known.
  public var name: String
  /// The request that tunes to it.
  public var request: StationRequest

  /// Creates a preset.
  public init(name: String, request: StationRequest) {
    self.name = name
    self.request = request
  }
}

/// The presets in order. Clients see stored playlists: "Presets" with all presets, and one playlist per named preset.
/// Clients that show only playlists thus show every station.
public struct PresetList: Sendable {
  static let wholeName = "Presets"

  /// The presets in order; number keys and `radio_tune NUMBER` count from 1.
  public let presets: [Preset]
  /// Time of the last change, in seconds since 1970.
  public let changed: Int64

  /// Creates a list with the time of its last change.
  public init(_ presets: [Preset] = [], changed: Int64 = 0) {
    self.presets = presets
    self.changed = changed
  }

  /// Number of presets.
  public var count: Int { presets.count }

  /// True without presets.
  public var isEmpty: Bool { presets.isEmpty }

  /// The preset at a position from 0; nil if out of range.
  public subscript(place: Int) -> Preset? { presets.indices.contains(place) ? presets[place] : nil }

  /// Returns the position of the preset with an address: the preset with the same name, or else the first.
  public func place(url: StationAddress, name: String) -> Int? {
    presets.firstIndex { $0.request.url == url && $0.name == name } ?? presets.firstIndex { $0.request.url == url }
  }

  /// Returns the position of the preset with a name, in any case.
  public func place(named name: String) -> Int? {
    let name = name.lowercased()
    return presets.firstIndex { !$0.name.isEmpty && $0.name.lowercased() == name }
  }

  // MARK: Stored playlists

  var playlists: [String] {
    guard !isEmpty else { return [] }
    return [Self.wholeName] + presets.map(\.name).filter { !$0.isEmpty && $0 != Self.wholeName }
  }

  func playlist(_ name: String) -> [Preset]? {
    if name == Self.wholeName { return isEmpty ? nil : presets }
    guard !name.isEmpty else { return nil }
    return presets.first { $0.name == name }.map { [$0] }
  }
}
