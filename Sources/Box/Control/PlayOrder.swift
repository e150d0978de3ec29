/// In which order the queue is played: its own, or one left to chance.
struct PlayOrder {
  /// The ids by chance, in step with `version` of the queue.
  private var ids: [Int] = []
  private var version = 0

  /// Forgets the order that chance made.
  mutating func forget() { (ids, version) = ([], 0) }

  /// The id so many steps after another, or before it; nil beyond the end, unless it `wraps`.
  mutating func id(
    _ step: Int, from current: Int?, in queue: StationQueue, isRandom: Bool, wraps: Bool
  ) -> Int? {
    if isRandom, version != queue.version { follow(queue, current) }
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

  /// Leaves out what is gone, and puts what is new among what is to come: by priority, then by chance.
  private mutating func follow(_ queue: StationQueue, _ current: Int?) {
    version = queue.version
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
