import Settings
import Units

/// What is remembered of the queue, and when it is written: nothing while nobody changed the queue, so that it follows
/// the presets. A value that is told the time.
struct QueueRecord {
  /// The queue as it is, or is to be, in its file.
  private(set) var queue: SavedQueue
  /// What the presets made of the queue: with the station in it that played and is a preset no more.
  private var filled: [SavedQueue.Station] = []
  /// Whether the queue was given to who writes it; that one tries again where it fails.
  private var isGiven = true
  /// When the queue changed last, and first since it was written.
  private var changed = MonotonicTime.zero
  private var since = MonotonicTime.zero
  private var earliest = MonotonicTime.zero

  /// A record that is in its file.
  init(_ queue: SavedQueue) { self.queue = queue }

  /// Whether nobody changed the queue.
  var followsPresets: Bool { queue.stations == nil }

  /// The queue was made what is remembered, or what the presets are.
  mutating func fill(with stations: [SavedQueue.Station]) { filled = stations }

  /// The queue is this; `isPresets` where it is just what the presets are.
  mutating func note(_ stations: [SavedQueue.Station], isPresets: Bool, at now: MonotonicTime) {
    let isUntouched = isPresets || followsPresets && stations == filled
    let new = SavedQueue(isUntouched ? nil : stations)
    guard new != queue else { return }
    queue = new
    changed = now
    if isGiven { since = now }
    isGiven = false
  }

  /// When something is to be written: once the queue has rested for a second, at most every ten seconds; `never` where
  /// all is written.
  var due: MonotonicTime {
    isGiven ? .never : max(earliest, min(changed + SavedStateWriter.rest, since + SavedStateWriter.interval))
  }

  /// The queue to be written now, which counts as written; nil where nothing is due.
  mutating func take(at now: MonotonicTime) -> SavedQueue? {
    guard !isGiven, now >= due else { return nil }
    isGiven = true
    earliest = now + SavedStateWriter.interval
    return queue
  }

  /// The queue to be written before the end, whatever the clock says; nil where all is written.
  mutating func takeLast() -> SavedQueue? {
    defer { isGiven = true }
    return isGiven ? nil : queue
  }
}
