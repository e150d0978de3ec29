/// An observer that was added to a radio, to be removed again.
public struct EventObserver: Hashable, Sendable {
  /// Counts the observers of a radio; a later one has a greater number.
  fileprivate let number: Int
}

/// Who hears the events of a radio. The control thread's.
///
/// `first` hears each event at once, also while it is still busy with the one that led to it. The others hear it in the
/// order in which they were added, and all of them hear an event before any of them hears the next one.
final class EventObservers {
  typealias Hear = (_ event: Event, _ time: Double) -> Void

  /// Hears every event before all others do.
  var first: Hear = { _, _ in }
  private var others: [(id: EventObserver, hear: Hear)] = []
  private var lastNumber = 0
  /// What the others have not heard yet, and the number of the last observer that there was when it happened.
  private var waiting: [(event: Event, time: Double, lastNumber: Int)] = []
  /// Whether somebody is being told something.
  private var isTelling = false

  /// Adds one that hears all that happens from now on.
  func add(_ hear: @escaping Hear) -> EventObserver {
    lastNumber += 1
    let id = EventObserver(number: lastNumber)
    others.append((id, hear))
    return id
  }

  /// Removes one, which hears nothing more; without effect where it was removed before.
  func remove(_ id: EventObserver) { others.removeAll { $0.id == id } }

  /// Tells an event.
  func tell(_ event: Event, at time: Double) {
    if !others.isEmpty { waiting.append((event, time, lastNumber)) }
    let isOutermost = !isTelling
    isTelling = true
    first(event, time)
    guard isOutermost else { return }
    while !waiting.isEmpty { tellOthers(waiting.removeFirst()) }
    isTelling = false
  }

  private func tellOthers(_ next: (event: Event, time: Double, lastNumber: Int)) {
    // Those who hear it may add and remove others, and themselves.
    for other in others where other.id.number <= next.lastNumber && others.contains(where: { $0.id == other.id }) {
      other.hear(next.event, next.time)
    }
  }
}
