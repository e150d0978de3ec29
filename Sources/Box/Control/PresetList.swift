import Network
import Units

/// A station that the owner keeps: the knob and the number keys choose it, and clients load it from a stored playlist.
public struct Preset: Sendable {
  /// What it is called; empty where only its address is known.
  public var name: String
  /// How it is tuned to.
  public var request: StationRequest

  /// A preset with a name and a way to tune to it.
  public init(name: String, request: StationRequest) {
    self.name = name
    self.request = request
  }
}

/// The presets in order. Clients see them as stored playlists: "Presets" holds all of them, and each preset with a name
/// is a playlist of its own, so that a client that lists playlists as sources lists every station.
public struct PresetList: Sendable {
  /// The stored playlist that holds all presets.
  static let wholeName = "Presets"

  /// The presets in order; number keys and `radio_tune NUMBER` count from 1.
  public let presets: [Preset]
  /// When they changed last, in seconds since 1970.
  public let changed: Int64

  /// Presets in order, changed at a moment.
  public init(_ presets: [Preset] = [], changed: Int64 = 0) {
    self.presets = presets
    self.changed = changed
  }

  /// How many there are.
  public var count: Int { presets.count }

  /// Whether there are none.
  public var isEmpty: Bool { presets.isEmpty }

  /// The preset at a place from 0; nil beyond the end.
  public subscript(place: Int) -> Preset? { presets.indices.contains(place) ? presets[place] : nil }

  /// The place of the preset with an address: the one that has the name too, else the first.
  public func place(url: StationAddress, name: String) -> Int? {
    presets.firstIndex { $0.request.url == url && $0.name == name } ?? presets.firstIndex { $0.request.url == url }
  }

  /// The place of the preset with a name, whatever its letters' case.
  public func place(named name: String) -> Int? {
    let name = name.lowercased()
    return presets.firstIndex { !$0.name.isEmpty && $0.name.lowercased() == name }
  }

  // MARK: As stored playlists

  /// The names of the stored playlists.
  var playlists: [String] {
    guard !isEmpty else { return [] }
    return [Self.wholeName] + presets.map(\.name).filter { !$0.isEmpty && $0 != Self.wholeName }
  }

  /// What a stored playlist holds; nil where there is none of that name.
  func playlist(_ name: String) -> [Preset]? {
    if name == Self.wholeName { return isEmpty ? nil : presets }
    guard !name.isEmpty else { return nil }
    return presets.first { $0.name == name }.map { [$0] }
  }
}
