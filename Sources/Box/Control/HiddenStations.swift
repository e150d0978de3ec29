import Network
import Units

/// Stations whose addresses hold secrets, by what clients know them by: `station:NAME`. They are known for as long as
/// anybody may add them again, be it that the queue was cleared meanwhile.
struct HiddenStations: Sendable {
  /// A station that can be added again.
  private struct Entry: Sendable {
    var station: Preset
    /// How often it is in the queue; another station may take the name of one that is not.
    var uses = 0
  }

  private struct Key: Hashable {
    let url: StationAddress
    let name: String
  }

  private var entries: [String: Entry] = [:]
  /// A preset has its name for itself.
  private var presets: [String: Preset] = [:]
  /// Where a name was taken: what its station is known by, and the last number behind the name.
  private var numbered: [Key: String] = [:]
  private var lastNumbers: [String: Int] = [:]
  private var textCount = 0

  /// What such a name begins with.
  static let scheme = "station:"
  /// Of more bytes, what is not in the queue is forgotten; what is in it has half of them at most (`StationQueue`).
  static let mostText = 4 << 20

  /// The station that a client means; nil where there is none of that name.
  subscript(file: String) -> Preset? { presets[file] ?? entries[file]?.station }

  /// Whether a preset is known by a name.
  func isPreset(_ file: String) -> Bool { presets[file] != nil }

  /// What clients know a station by. It keeps the name that it had `before`, unless that is a preset's now.
  mutating func file(of request: StationRequest, _ name: String, before: String? = nil) -> String {
    let url = request.url
    guard url.hasSecrets else { return url.withoutSecrets.unredacted }
    let station = Preset(name: name, request: request)
    let plain = Self.plain(station)
    if presets[plain]?.request.url == url { return plain }
    let key = Key(url: url, name: name)
    let known = [before, plain, numbered[key]].compactMap { $0 }
    if let file = known.first(where: { isFree($0, for: url) }) { return note(station, as: file) }
    var (file, number) = (plain, lastNumbers[plain] ?? 1)
    repeat {
      number += 1
      file = "\(plain) (\(number))"
    } while !isFree(file, for: url)
    _ = note(station, as: file)
    (lastNumbers[plain], numbered[key]) = (number, file)
    return file
  }

  private static func plain(_ station: Preset) -> String {
    ControlAnswer.oneLine(scheme + (station.name.isEmpty ? station.request.url.description : station.name))
  }

  private func isFree(_ file: String, for url: StationAddress) -> Bool {
    presets[file] == nil && entries[file].map { $0.uses == 0 || $0.station.request.url == url } ?? true
  }

  private mutating func note(_ station: Preset, as file: String) -> String {
    let new = Self.textCount(file, station)
    if let old = entries[file] {
      textCount += new - Self.textCount(file, old.station)
      entries[file]?.station = station
    } else {
      if textCount + new > Self.mostText { forget() }
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

  // MARK: Who has which name

  /// A station came into the queue.
  mutating func keep(_ file: String) { entries[file]?.uses += 1 }

  /// A station left the queue.
  mutating func release(_ file: String) {
    if let uses = entries[file]?.uses { entries[file]?.uses = max(0, uses - 1) }
  }

  /// The presets are others. What is in the queue is to be kept anew.
  mutating func take(_ list: PresetList) {
    presets = [:]
    for preset in list.presets where preset.request.url.hasSecrets && presets[Self.plain(preset)] == nil {
      presets[Self.plain(preset)] = preset
    }
    for file in entries.keys { entries[file]?.uses = 0 }
  }
}
