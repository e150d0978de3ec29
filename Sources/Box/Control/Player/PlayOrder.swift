/// The order of playback: the order of the queue, or random.
struct PlayOrder {
  /// The ids in random order.
  private var ids: [Int] = []
  /// The `StationQueue.listVersion` at the last change of `ids`.
  private var version = 0

  mutating func forget() { (ids, version) = ([], 0) }

  /// Returns the id at a distance of `step` from `current`; nil after the end, unless `wraps`.
  mutating func id(
    _ step: Int, from current: Int?, in queue: StationQueue, isRandom: Bool, wraps: Bool
  ) -> Int? {
    if isRandom, version != queue.listVersion { follow(queue, current) }
    let count = queue.count
    guard count > 0 else { return nil }
    let place = current.flatMap { isRandom ? ids.firstIndex(of: $0) : queue.position(of: $0) }
    var next = place.map { $0 + step } ?? (step > 0 ? 0 : count - 1)
    if !(0..<count).contains(next) {
      guard wraps else { return nil }
      next = step > 0 ? 0 : count - 1
    }
    return isRandom ? ids[next] : queue.stations[next].id
  }

  /// Removes ids that left the queue, and adds new ids after the current id: by priority, then at random.
  private mutating func follow(_ queue: StationQueue, _ current: Int?) {
    version = queue.listVersion
    let priorities = Dictionary(uniqueKeysWithValues: queue.stations.map { ($0.id, $0.priority) })
    ids.removeAll { priorities[$0] == nil }
    let known = Set(ids)
    var fresh = queue.stations.map(\.id).filter { !known.contains($0) }.shuffled()
    if ids.isEmpty, let place = fresh.firstIndex(where: { $0 == current }) { ids = [fresh.remove(at: place)] }
    let played = ids.firstIndex { $0 == current }.map { $0 + 1 } ?? 0
    var coming = Array(ids[played...])
    if !fresh.isEmpty { coming = (coming + fresh).shuffled() }
    if priorities.values.contains(where: { $0 > 0 }) {
      coming.sort { priorities[$0, default: 0] > priorities[$1, default: 0] }
    }
    ids = ids[..<played] + coming
  }
}
