import Network

/// The queue during playback: stations, presets, options, and the current station. A value: selects the next station
/// and records changes, but plays nothing.
struct PlayQueue {
  private(set) var queue = StationQueue()
  private(set) var presets = PresetList()
  private(set) var options = PlayOptions()
  /// The current station; it may have left the queue.
  private(set) var currentID: Int?
  /// The station that the next `play` starts, if selected without playing (R1.6).
  private(set) var selectedID: Int?
  private var order = PlayOrder()
  private var changes: Set<Subsystem> = []

  mutating func removeChanges() -> Set<Subsystem> {
    defer { changes = [] }
    return changes
  }

  // MARK: Playback

  /// The current station; nil without a station in the queue.
  var current: QueuedStation? { currentID.flatMap { queue[id: $0] } }

  /// Returns the id at a distance of `step` from the current station; nil after the end, unless `wraps` or `repeats`.
  mutating func id(_ step: Int, wraps: Bool = false) -> Int? {
    order.id(step, from: currentID, in: queue, isRandom: options.isRandom, wraps: wraps || options.repeats)
  }

  mutating func upcoming(wraps: Bool = false) -> QueuedStation? {
    if options.single != .off, options.repeats, !options.consumes { return current }
    return id(1, wraps: wraps).flatMap { queue[id: $0] }
  }

  /// Returns the station that follows when the current station ends. `stopsAfterList`: true if playback stops after the
  /// current list.
  mutating func successor(stopsAfterList: Bool) -> QueuedStation? {
    if options.single != .off, !options.repeats || options.consumes { return nil }
    if options.single == .off, stopsAfterList { return nil }
    let next = upcoming()
    return options.consumes && next?.id == currentID ? nil : next
  }

  mutating func makeCurrent(_ id: Int?) { (currentID, selectedID) = (id, nil) }

  /// Sets the current station without playing it; the selected station stays selected.
  mutating func stand(at id: Int?) { currentID = id }

  /// Applies the options `single` and `consume` when the current station is left.
  mutating func leaveCurrent() {
    if options.single == .oneshot {
      options.single = .off
      changes.insert(.options)
    }
    if options.consumes, let currentID { remove(currentID) }
  }

  /// Selects the station that the next `play` starts. If stopped, the station also becomes current. Returns false if
  /// unknown.
  mutating func select(_ id: Int, isStopped: Bool) -> Bool {
    guard queue[id: id] != nil else { return false }
    selectedID = id
    if isStopped { currentID = id }
    return true
  }

  mutating func choose(_ options: PlayOptions) {
    guard options != self.options else { return }
    if options.isRandom != self.options.isRandom { order.forget() }
    self.options = options
    changes.insert(.options)
  }

  // MARK: Stations

  mutating func add(_ request: StationRequest, name: String, at position: Int? = nil) -> Int? {
    edit { $0.add(request, name: name, at: position) }
  }

  enum Removal: Equatable {
    case none
    /// Only other stations were removed.
    case others
    /// The current station was removed; `next`: the remaining station that follows it.
    case current(next: Int?)
  }

  mutating func delete(_ positions: Range<Int>) -> Removal {
    let isCurrent = currentID.flatMap { queue.position(of: $0) }.map { positions.contains($0) } ?? false
    let next = isCurrent ? follower(outside: positions) : nil
    guard edit({ $0.delete(positions) }) else { return .none }
    if let selectedID, queue[id: selectedID] == nil { self.selectedID = nil }
    return isCurrent ? .current(next: next) : .others
  }

  /// Returns the next station in playback order that is outside the removed positions.
  private mutating func follower(outside positions: Range<Int>) -> Int? {
    guard let currentID else { return nil }
    let gone = Set(queue.stations[positions.clamped(to: 0..<queue.count)].map(\.id))
    var place = currentID
    for _ in 0..<queue.count {
      let next = order.id(1, from: place, in: queue, isRandom: options.isRandom, wraps: options.repeats)
      guard let next, next != currentID else { return nil }
      if !gone.contains(next) { return next }
      place = next
    }
    return nil
  }

  mutating func remove(_ id: Int) { _ = edit { $0.delete(id: id) } }

  mutating func clear() {
    queue.clear()
    order.forget()
    makeCurrent(nil)
    changes.insert(.playlist)
  }

  @discardableResult
  mutating func edit<Result>(_ work: (inout StationQueue) -> Result) -> Result {
    let before = queue.version
    defer { if queue.version != before { changes.insert(.playlist) } }
    return work(&queue)
  }

  mutating func touch(_ id: Int) {
    guard queue[id: id] != nil else { return }
    queue.touch(id: id)
    changes.insert(.playlist)
  }

  mutating func entry(for request: StationRequest, name: String) -> Int? {
    queue.stations.first { $0.request.url == request.url }?.id ?? add(request, name: name)
  }

  // MARK: Presets

  var presetPlace: Int? { current.flatMap { presets.place(url: $0.request.url, name: $0.name) } }

  mutating func setPresets(_ presets: PresetList) {
    self.presets = presets
    changes.insert(.storedPlaylist)
    edit { $0.refresh(from: presets) }
  }

  /// Returns the station for the preset at a position from 0. A station that a client added by address adopts the
  /// preset's name and settings, because it may need a password.
  mutating func entry(ofPreset place: Int) -> Int? {
    guard let preset = presets[place] else { return nil }
    let same = queue.stations.filter { $0.request.url == preset.request.url }
    if let exact = same.first(where: { $0.name == preset.name }) { return exact.id }
    let bare = same.first { station in
      !presets.presets.contains { $0.name == station.name && $0.request.url == station.request.url }
    }
    guard let bare else { return add(preset.request, name: preset.name) ?? addForLast(preset) }
    return edit { $0.replace(id: bare.id, with: preset) } ? bare.id : nil
  }

  /// Adds a preset to a full queue: removes stations from the end, but not the current station, until the preset fits.
  private mutating func addForLast(_ preset: Preset) -> Int? {
    while let place = queue.stations.lastIndex(where: { $0.id != currentID }), delete(place..<place + 1) != .none {
      if let id = add(preset.request, name: preset.name) { return id }
    }
    return nil
  }

  /// Replaces the stations. The current station stays in the queue, at its new position.
  mutating func fill(with stations: [Preset]) {
    let kept = current
    for station in queue.stations.reversed() where station.id != kept?.id {
      _ = queue.position(of: station.id).map { delete($0..<$0 + 1) }
    }
    let keptPlace = kept.flatMap { PresetList(stations).place(url: $0.request.url, name: $0.name) }
    for (place, station) in stations.enumerated() {
      if place == keptPlace, let kept {
        edit { $0.replace(id: kept.id, with: station) }
        if let old = queue.position(of: kept.id) {
          edit { $0.move(old..<old + 1, to: min(place, $0.count - 1)) }
        }
      } else {
        _ = add(station.request, name: station.name)
      }
    }
    changes.insert(.playlist)
  }
}
