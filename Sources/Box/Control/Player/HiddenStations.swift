import Network
import Units

/// Stations whose addresses contain secrets; clients see `station:NAME`. Stations that left the queue remain known.
struct HiddenStations: Sendable {
  private struct Entry: Sendable {
    var station: Preset
    /// The number of entries in the queue; if 0, another station may take the name.
    var uses = 0
  }

  private struct Key: Hashable {
    let url: StationAddress
    let name: String
  }

  private var entries: [String: Entry] = [:]
  private var presets: [String: Preset] = [:]
  /// The numbered name of a station whose plain name was taken, and the last number for each plain name.
  private var numbered: [Key: String] = [:]
  private var lastNumbers: [String: Int] = [:]
  private var textCount = 0

  static let scheme = "station:"
  /// Maximum bytes of all stations; above it, stations outside the queue are removed. The queue uses at most half
  /// (`StationQueue`).
  static let maxTextBytes = 4 << 20

  subscript(file: String) -> Preset? { presets[file] ?? entries[file]?.station }

  func isPreset(_ file: String) -> Bool { presets[file] != nil }

  /// Returns the name of a station for clients. `before`: the station's previous name, reused unless a preset now has
  /// it.
  mutating func file(of request: StationRequest, _ name: String, before: String? = nil) -> String {
    let url = request.url
    guard url.hasSecrets else { return url.withoutSecrets.unredacted }
    let station = Preset(name: name, request: request)
    let plain = Self.plain(station)
    if presets[plain]?.request.url == url { return plain }
    let key = Key(url: url, name: name)
    let known = [before, plain, numbered[key]].compactMap { $0 }
    if let file = known.first(where: { isFree($0, for: url) }) { return insert(station, as: file) }
    var (file, number) = (plain, lastNumbers[plain] ?? 1)
    repeat {
      number += 1
      file = "\(plain) (\(number))"
    } while !isFree(file, for: url)
    _ = insert(station, as: file)
    (lastNumbers[plain], numbered[key]) = (number, file)
    return file
  }

  private static func plain(_ station: Preset) -> String {
    ControlAnswer.oneLine(scheme + (station.name.isEmpty ? station.request.url.description : station.name))
  }

  private func isFree(_ file: String, for url: StationAddress) -> Bool {
    presets[file] == nil && entries[file].map { $0.uses == 0 || $0.station.request.url == url } ?? true
  }

  private mutating func insert(_ station: Preset, as file: String) -> String {
    let new = Self.textCount(file, station)
    if let old = entries[file] {
      textCount += new - Self.textCount(file, old.station)
      entries[file]?.station = station
    } else {
      if textCount + new > Self.maxTextBytes { forget() }
      textCount += new
      entries[file] = Entry(station: station)
    }
    return file
  }

  private mutating func forget() {
    entries = entries.filter { $0.value.uses > 0 }
    (numbered, lastNumbers) = ([:], [:])
    textCount = entries.reduce(0) { $0 + Self.textCount($1.key, $1.value.station) }
  }

  private static func textCount(_ file: String, _ station: Preset) -> Int {
    file.utf8.count + station.name.utf8.count + station.request.url.byteCount
  }

  // MARK: Use counts

  mutating func retain(_ file: String) { entries[file]?.uses += 1 }

  mutating func release(_ file: String) {
    if let uses = entries[file]?.uses { entries[file]?.uses = max(0, uses - 1) }
  }

  /// Replaces the presets and resets the use counts. Call `retain` afterwards for all stations in the queue.
  mutating func setPresets(_ list: PresetList) {
    presets = [:]
    for preset in list.presets where preset.request.url.hasSecrets && presets[Self.plain(preset)] == nil {
      presets[Self.plain(preset)] = preset
    }
    for file in entries.keys { entries[file]?.uses = 0 }
  }
}
