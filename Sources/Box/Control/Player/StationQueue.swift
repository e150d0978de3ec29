import Network
import Units

/// The stations in order, with MPD's ids and versions. An id never changes; the version increases with each change.
public struct StationQueue: Sendable {
  /// The stations in order; a station's position is its index.
  public private(set) var stations: [QueuedStation] = []
  /// Increases with each change.
  public private(set) var version = 1
  /// Increases with each change other than new facts of a station, such as its title, and with each change of the
  /// presets. A cost for each station is allowed only after such a change.
  public private(set) var listVersion = 1
  private var hiddenStations = HiddenStations()
  private var places: [Int: Int] = [:]
  private var nextID = 1
  private var textCount = 0

  /// Maximum number of stations.
  public static let maxStations = 10_000
  /// Maximum bytes of all names and addresses.
  static let maxTextBytes = 1 << 20

  /// Creates an empty queue.
  public init() {}

  /// Number of stations.
  public var count: Int { stations.count }

  /// The station at a position; nil if out of range.
  public subscript(position: Int) -> QueuedStation? {
    stations.indices.contains(position) ? stations[position] : nil
  }

  /// The station with an id.
  public subscript(id id: Int) -> QueuedStation? { position(of: id).map { stations[$0] } }

  /// Returns the station with the name `station:NAME`; nil if it is neither a preset nor known from the queue.
  public func hidden(_ file: String) -> Preset? { hiddenStations[file] }

  /// Returns MPD's `file` of a preset.
  mutating func file(of preset: Preset) -> String { hiddenStations.file(of: preset.request, preset.name) }

  /// Returns the position of the station with an id; nil if unknown.
  public func position(of id: Int) -> Int? { places[id] }

  /// Returns the stations next to a station, the nearest first, at most `count`. The last station precedes the first.
  func neighbours(of id: Int, count: Int) -> [QueuedStation] {
    guard let place = position(of: id), stations.count > 1 else { return [] }
    var found: [QueuedStation] = []
    for distance in 1...max(1, stations.count / 2) {
      for step in [distance, -distance] where found.count < count {
        let next = stations[(place + step + stations.count) % stations.count]
        if next.id != id, !found.contains(where: { $0.id == next.id }) { found.append(next) }
      }
      if found.count == count { break }
    }
    return found
  }

  /// Returns the positions that changed since a version; all positions for an unknown version.
  public func positions(changedSince version: Int) -> [Int] {
    stations.indices.filter { version > self.version || stations[$0].changedIn >= version }
  }

  // MARK: Changes

  /// Adds a station at the end or at a position; returns its id. Nil if the queue is full or the position invalid.
  @discardableResult
  public mutating func add(_ request: StationRequest, name: String = "", at position: Int? = nil) -> Int? {
    let place = position ?? count
    var station = QueuedStation(id: nextID, name: name, request: request, address: "")
    guard (0...count).contains(place), count < Self.maxStations, textCount + station.textCount <= Self.maxTextBytes
    else {
      return nil
    }
    defer { nextID += 1 }
    textCount += station.textCount
    station.address = hiddenStations.file(of: request, name)
    hiddenStations.retain(station.address)
    stations.insert(station, at: place)
    changed(from: place)
    return nextID
  }

  /// Removes the stations at some positions; false if invalid.
  @discardableResult
  public mutating func delete(_ positions: Range<Int>) -> Bool {
    guard !positions.isEmpty, isValid(positions) else { return false }
    for station in stations[positions] {
      textCount -= station.textCount
      hiddenStations.release(station.address)
      places[station.id] = nil
    }
    stations.removeSubrange(positions)
    changed(from: positions.lowerBound)
    return true
  }

  /// Removes a station; false if unknown.
  @discardableResult
  public mutating func delete(id: Int) -> Bool { position(of: id).map { delete($0..<$0 + 1) } ?? false }

  /// Moves stations; the first moved station gets the position `target`. Returns false if impossible.
  @discardableResult
  public mutating func move(_ positions: Range<Int>, to target: Int) -> Bool {
    guard isValid(positions), target >= 0, target <= count - positions.count else { return false }
    guard !positions.isEmpty, target != positions.lowerBound else { return true }
    let moved = Array(stations[positions])
    stations.removeSubrange(positions)
    stations.insert(contentsOf: moved, at: target)
    changed(
      from: min(target, positions.lowerBound), to: max(target, positions.lowerBound) + positions.count)
    return true
  }

  /// Exchanges two stations; false if one is unknown.
  @discardableResult
  public mutating func swap(_ one: Int, _ other: Int) -> Bool {
    guard stations.indices.contains(one), stations.indices.contains(other) else { return false }
    stations.swapAt(one, other)
    for position in [one, other] { mark(position) }
    (version, listVersion) = (version + 1, listVersion + 1)
    return true
  }

  /// Removes all stations.
  public mutating func clear() { delete(0..<count) }

  /// Shuffles the stations of a range; false if invalid.
  @discardableResult
  public mutating func shuffle(_ positions: Range<Int>) -> Bool {
    guard isValid(positions) else { return false }
    stations[positions].shuffle()
    changed(from: positions.lowerBound, to: positions.upperBound)
    return true
  }

  /// Sets the priority of stations, 0 … 255; false if the positions are invalid.
  @discardableResult
  mutating func prioritise(_ positions: Range<Int>, _ priority: Int) -> Bool {
    guard isValid(positions), (0...255).contains(priority) else { return false }
    for position in positions { stations[position].priority = priority }
    changed(from: positions.lowerBound, to: positions.upperBound)
    return true
  }

  /// Renames a station. Returns false if the id is unknown, or the name does not fit.
  @discardableResult
  public mutating func rename(id: Int, _ name: String) -> Bool {
    guard let position = position(of: id), grow(by: name.utf8.count - stations[position].name.utf8.count) else {
      return false
    }
    stations[position].name = name
    changed(from: position, to: position + 1)
    return true
  }

  /// Replaces a station; position and id stay. Returns false if the id is unknown, or if there is no room for the
  /// texts.
  @discardableResult
  mutating func replace(id: Int, with preset: Preset) -> Bool {
    guard let position = position(of: id) else { return false }
    let (old, new) = (stations[position], preset)
    let growth = new.name.utf8.count + new.request.url.byteCount - old.textCount
    guard grow(by: growth) else { return false }
    hiddenStations.release(old.address)
    (stations[position].name, stations[position].request) = (new.name, new.request)
    stations[position].address = file(of: new)
    hiddenStations.retain(stations[position].address)
    changed(from: position, to: position + 1)
    return true
  }

  mutating func refresh(from presets: PresetList) {
    var known: [StationAddress: [String: StationRequest]] = [:]
    for preset in presets.presets { known[preset.request.url, default: [:]][preset.name] = preset.request }
    for position in stations.indices {
      if let request = known[stations[position].request.url]?[stations[position].name] {
        // Addresses that compare as equal may have different bytes.
        textCount += request.url.byteCount - stations[position].request.url.byteCount
        stations[position].request = request
      }
    }
    hiddenStations.setPresets(presets)
    renewAddresses()
    listVersion += 1
  }

  /// Updates the `file` of stations; a name that belongs to a preset now is replaced.
  private mutating func renewAddresses() {
    let hidden = stations.indices.filter { stations[$0].request.url.hasSecrets }
    // Stations that may retain their name come first, so that no other station gets this name.
    let isTaken = { [hiddenStations, stations] in hiddenStations.isPreset(stations[$0].address) }
    for position in hidden.filter({ !isTaken($0) }) + hidden.filter(isTaken) {
      let station = stations[position]
      let file = hiddenStations.file(of: station.request, station.name, before: station.address)
      hiddenStations.retain(file)
      guard file != station.address else { continue }
      stations[position].address = file
      changed(from: position, to: position + 1)
    }
  }

  /// Records a change of a station's facts, such as its title.
  mutating func touch(id: Int) {
    guard let position = position(of: id) else { return }
    mark(position)
    version += 1
  }

  private mutating func grow(by count: Int) -> Bool {
    guard count <= 0 || textCount + count <= Self.maxTextBytes else { return false }
    textCount += count
    return true
  }

  private func isValid(_ positions: Range<Int>) -> Bool { positions.lowerBound >= 0 && positions.upperBound <= count }

  private mutating func changed(from first: Int, to end: Int? = nil) {
    assert((0...Self.maxTextBytes).contains(textCount), "what is counted of the texts is what they are")
    for position in first..<(end ?? count) { mark(position) }
    (version, listVersion) = (version + 1, listVersion + 1)
    assert(places.count == stations.count, "each station has its position")
  }

  private mutating func mark(_ position: Int) {
    stations[position].changedIn = version
    places[stations[position].id] = position
  }
}
