/// Identifies an observer of a radio for its removal.
public struct EventObserver: Hashable, Sendable {
  fileprivate let number: Int
}

/// Delivers events to observers. Control thread only.
///
/// `first` receives each event at once, even inside another delivery. The others follow in the order of registration.
/// All of them receive an event before the next event is delivered.
final class EventObservers {
  typealias Hear = (_ event: Event, _ time: Double) -> Void

  var first: Hear = { _, _ in }
  private var others: [(id: EventObserver, hear: Hear)] = []
  private var lastNumber = 0
  /// Undelivered events. `lastNumber`: number of the newest observer when the event was emitted.
  private var waiting: [(event: Event, time: Double, lastNumber: Int)] = []
  private var isEmitting = false

  func add(_ hear: @escaping Hear) -> EventObserver {
    lastNumber += 1
    let id = EventObserver(number: lastNumber)
    others.append((id, hear))
    return id
  }

  func remove(_ id: EventObserver) { others.removeAll { $0.id == id } }

  func emit(_ event: Event, at time: Double) {
    if !others.isEmpty { waiting.append((event, time, lastNumber)) }
    let isOutermost = !isEmitting
    isEmitting = true
    first(event, time)
    guard isOutermost else { return }
    while !waiting.isEmpty { emitToOthers(waiting.removeFirst()) }
    isEmitting = false
  }

  private func emitToOthers(_ next: (event: Event, time: Double, lastNumber: Int)) {
    // Observers may add and remove observers, including themselves.
    for other in others where other.id.number <= next.lastNumber && others.contains(where: { $0.id == other.id }) {
      other.hear(next.event, next.time)
    }
  }
}
