import Network
import Radio

// The queue is changed through the player, so that all hear of it and what plays stays current.
extension PlayerController {
  /// Adds a station, at the end or before the one at a position: its id, or nil where the queue is full or there is no
  /// such position.
  @discardableResult
  public func add(_ request: StationRequest, name: String = "", at position: Int? = nil) -> Int? {
    guard let id = queue.add(request, name: name, at: position) else { return nil }
    changes.insert(.playlist)
    return id
  }

  /// Removes stations; where the one that plays is among them the next is played, or it stops. False where there are
  /// none at these positions.
  @discardableResult
  public func delete(_ positions: Range<Int>) -> Bool {
    let leaving = currentID.flatMap { queue.position(of: $0) }.map { positions.contains($0) } ?? false
    var next: Int?
    if leaving {
      let gone = Set(queue.stations[clamped(positions)].map(\.id))
      next = follower(outside: gone)
    }
    guard queue.delete(positions) else { return false }
    changes.insert(.playlist)
    if let selectedID, queue[id: selectedID] == nil { self.selectedID = nil }
    if leaving { replaceCurrent(next) }
    return true
  }

  /// Removes a station; false where it is not there.
  @discardableResult
  public func delete(id: Int) -> Bool { queue.position(of: id).map { delete($0..<$0 + 1) } ?? false }

  /// Removes all stations, and stops.
  public func clear() {
    if radio.state != .stopped { stop() }
    queue.clear()
    order.forget()
    (currentID, selectedID) = (nil, nil)
    changes.insert(.playlist)
  }

  /// Moves stations so that the first of them gets to a position; false where that cannot be.
  @discardableResult
  public func move(_ positions: Range<Int>, to target: Int) -> Bool { edit { $0.move(positions, to: target) } }

  /// Exchanges two stations; false where one of them is not there.
  @discardableResult
  public func swap(_ one: Int, _ other: Int) -> Bool { edit { $0.swap(one, other) } }

  /// Brings stations into another order by chance, all of them where no range is given; false where there is none.
  @discardableResult
  public func shuffle(_ positions: Range<Int>? = nil) -> Bool {
    edit { $0.shuffle(positions ?? 0..<$0.count) }
  }

  /// Gives stations a priority in random order, 0 … 255; false where there are none at these positions.
  @discardableResult
  public func prioritise(_ positions: Range<Int>, _ priority: Int) -> Bool {
    edit { $0.prioritise(positions, priority) }
  }

  /// Gives a station another name; false where it is not there, or the queue has no room for the name.
  @discardableResult
  public func rename(id: Int, _ name: String) -> Bool { edit { $0.rename(id: id, name) } }

  private func edit(_ work: (inout StationQueue) -> Bool) -> Bool {
    let before = queue.version
    let isDone = work(&queue)
    if queue.version != before { changes.insert(.playlist) }
    return isDone
  }

  private func clamped(_ positions: Range<Int>) -> Range<Int> { positions.clamped(to: 0..<queue.count) }

  /// The first station after the current one that stays.
  private func follower(outside gone: Set<Int>) -> Int? {
    guard let currentID else { return nil }
    var place = currentID
    for _ in 0..<queue.count {
      let next = order.id(
        1, from: place, in: queue, isRandom: options.isRandom, wraps: options.repeats)
      guard let next, next != currentID else { return nil }
      if !gone.contains(next) { return next }
      place = next
    }
    return nil
  }

  private func replaceCurrent(_ next: Int?) {
    let (wasStopped, wasPaused) = (radio.state == .stopped, radio.state == .paused)
    currentID = nil
    if wasStopped { return }
    if !wasPaused, let next, play(id: next) { return }
    stop()
    currentID = next
  }
}
