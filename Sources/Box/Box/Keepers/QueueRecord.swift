import Settings
import Units

/// Decides when the queue is written. If no client changed the queue, it is stored as nil and follows the presets.
/// Pure.
struct QueueRecord {
  private(set) var queue: SavedQueue
  /// The queue as filled by the box: the presets, and the playing station if it is not a preset any more.
  private var filled: [SavedQueue.Station] = []
  /// True if the writer has the current queue; the writer retries failed writes.
  private var isSubmitted = true
  /// `changed`: time of the last change. `since`: time of the first change after the last write.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero
  private var earliest = MonotonicTime.zero

  init(_ queue: SavedQueue) { self.queue = queue }

  var followsPresets: Bool { queue.stations == nil }

  mutating func fill(with stations: [SavedQueue.Station]) { filled = stations }

  mutating func update(_ stations: [SavedQueue.Station], isPresets: Bool, at now: MonotonicTime) {
    let isUntouched = isPresets || followsPresets && stations == filled
    let new = SavedQueue(isUntouched ? nil : stations)
    guard new != queue else { return }
    queue = new
    changed = now
    if isSubmitted { since = now }
    isSubmitted = false
  }

  /// Time of the next write: 1 s after the last change, at most every 10 s; `never` if nothing is pending.
  var due: MonotonicTime {
    isSubmitted ? .never : max(earliest, min(changed + SavedStateWriter.rest, since + SavedStateWriter.interval))
  }

  /// Returns the queue to write now, and counts it as written; nil if no write is due.
  mutating func nextQueue(at now: MonotonicTime) -> SavedQueue? {
    guard !isSubmitted, now >= due else { return nil }
    isSubmitted = true
    earliest = now + SavedStateWriter.interval
    return queue
  }

  mutating func lastQueue() -> SavedQueue? {
    defer { isSubmitted = true }
    return isSubmitted ? nil : queue
  }
}
