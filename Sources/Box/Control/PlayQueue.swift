import Network

/// The queue as it is played: its stations, the owner's presets, the options, and where the player is in it.
///
/// A value that plays nothing: it tells what would be next. What changes in it, it notes for the clients who wait.
struct PlayQueue {
  /// The stations that clients lined up.
  private(set) var queue = StationQueue()
  /// The stations that the owner keeps.
  private(set) var presets = PresetList()
  /// How the queue goes on.
  private(set) var options = PlayOptions()
  /// The station that plays, or would; it may have left the queue.
  private(set) var currentID: Int?
  /// What `play` begins with, where it was chosen without being started (R1.6).
  private(set) var selectedID: Int?
  private var order = PlayOrder()
  private var changes: Set<Subsystem> = []

  /// What changed since the last call.
  mutating func takeChanges() -> Set<Subsystem> {
    defer { changes = [] }
    return changes
  }

  // MARK: What is played

  /// The station that plays, or would; nil where none does, or where it has left the queue.
  var current: QueuedStation? { currentID.flatMap { queue[id: $0] } }

  /// The id so many steps from the current one; nil beyond the end, unless it wraps around.
  mutating func id(_ step: Int, wraps: Bool = false) -> Int? {
    order.id(step, from: currentID, in: queue, isRandom: options.isRandom, wraps: wraps || options.repeats)
  }

  /// The station that comes after the current one.
  mutating func upcoming() -> QueuedStation? {
    if options.single != .off, options.repeats, !options.consumes { return current }
    return id(1).flatMap { queue[id: $0] }
  }

  /// What comes when the current station ends by itself; `stopsAfterList` where it was the last item of a list, and the
  /// queue does not go on after lists.
  mutating func successor(stopsAfterList: Bool) -> QueuedStation? {
    if options.single != .off, !options.repeats || options.consumes { return nil }
    if options.single == .off, stopsAfterList { return nil }
    let next = upcoming()
    return options.consumes && next?.id == currentID ? nil : next
  }

  /// A station is played from now on, or none is; what was selected is forgotten.
  mutating func makeCurrent(_ id: Int?) { (currentID, selectedID) = (id, nil) }

  /// The player stands at a station without playing it, or at none; what was selected stays so.
  mutating func stand(at id: Int?) { currentID = id }

  /// The current station is played, and what that does to the options and the queue.
  mutating func leaveCurrent() {
    if options.single == .oneshot {
      options.single = .off
      changes.insert(.options)
    }
    if options.consumes, let currentID { remove(currentID) }
  }

  /// Chooses what `play` begins with, which is current at once where nothing plays; false where it is not there.
  mutating func select(_ id: Int, isStopped: Bool) -> Bool {
    guard queue[id: id] != nil else { return false }
    selectedID = id
    if isStopped { currentID = id }
    return true
  }

  /// Chooses how the queue goes on.
  mutating func choose(_ options: PlayOptions) {
    guard options != self.options else { return }
    if options.isRandom != self.options.isRandom { order.forget() }
    self.options = options
    changes.insert(.options)
  }

  // MARK: Stations

  /// Adds a station, at the end or before the one at a position: its id, or nil where the queue is full or there is no
  /// such position.
  mutating func add(_ request: StationRequest, name: String, at position: Int? = nil) -> Int? {
    edit { $0.add(request, name: name, at: position) }
  }

  /// What became of an order to remove stations.
  enum Removal: Equatable {
    /// There are none at these positions.
    case none
    /// Others than the current one are gone.
    case others
    /// The current station is among them; what comes after it of those that stay.
    case current(next: Int?)
  }

  /// Removes stations.
  mutating func delete(_ positions: Range<Int>) -> Removal {
    let isCurrent = currentID.flatMap { queue.position(of: $0) }.map { positions.contains($0) } ?? false
    let next = isCurrent ? follower(outside: positions) : nil
    guard edit({ $0.delete(positions) }) else { return .none }
    if let selectedID, queue[id: selectedID] == nil { self.selectedID = nil }
    return isCurrent ? .current(next: next) : .others
  }

  /// The first station after the current one that stays.
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

  /// Removes a station, whatever is current.
  mutating func remove(_ id: Int) { _ = edit { $0.delete(id: id) } }

  /// Removes all stations; none is current.
  mutating func clear() {
    queue.clear()
    order.forget()
    makeCurrent(nil)
    changes.insert(.playlist)
  }

  /// Does something else to the stations; what it gives. Clients hear of it where the queue is another one then.
  @discardableResult
  mutating func edit<Result>(_ work: (inout StationQueue) -> Result) -> Result {
    let before = queue.version
    defer { if queue.version != before { changes.insert(.playlist) } }
    return work(&queue)
  }

  /// What is known of a station changed, such as the title that it plays.
  mutating func touch(_ id: Int) {
    guard queue[id: id] != nil else { return }
    queue.touch(id: id)
    changes.insert(.playlist)
  }

  /// The queue's station of an address; one that is not there is added to the end. Nil where the queue is full.
  mutating func entry(for request: StationRequest, name: String) -> Int? {
    queue.stations.first { $0.request.url == request.url }?.id ?? add(request, name: name)
  }

  /// What clients know a preset by, MPD's `file`.
  mutating func file(of preset: Preset) -> String { queue.file(of: preset) }

  // MARK: Presets

  /// The place of the preset that is current; nil where what is current is none.
  var presetPlace: Int? { current.flatMap { presets.place(url: $0.request.url, name: $0.name) } }

  /// Takes other presets; stations of the queue that are presets are tuned to as these say from now on.
  mutating func take(_ presets: PresetList) {
    self.presets = presets
    changes.insert(.storedPlaylist)
    edit { $0.refresh(from: presets) }
  }

  /// The queue's station for the preset at a place from 0; one that is not there is added to the end. Nil where there
  /// is none, or where the queue is full.
  ///
  /// One that a client added by its address becomes the preset: it may need what the preset knows, such as a password.
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

  /// Adds a preset to a queue that is full: the last stations of it that are not current give way.
  private mutating func addForLast(_ preset: Preset) -> Int? {
    while let place = queue.stations.lastIndex(where: { $0.id != currentID }), delete(place..<place + 1) != .none {
      if let id = add(preset.request, name: preset.name) { return id }
    }
    return nil
  }

  /// Makes the queue hold these stations; the current one stays in it, and takes its place there.
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
