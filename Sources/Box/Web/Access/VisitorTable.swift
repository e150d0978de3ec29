import Units

/// The open connections: at most 64, and at most 16 per address without event streams. A further connection ends the
/// oldest incomplete request, or else the oldest response. Slow clients thus cannot block others.
struct VisitorTable {
  private var visitors: [Int32: Visitor] = [:]

  static let maxVisitors = 64
  static let maxPerAddress = 16

  init() {}

  subscript(descriptor: Int32) -> Visitor? { visitors[descriptor] }

  mutating func add(_ visitor: Visitor) -> Bool {
    let staying = visitors.values.filter { !$0.isLeaving }
    let same = staying.filter { $0.connection.group == visitor.connection.group && $0.stage != .listening }
    let crowd = same.count >= Self.maxPerAddress ? same : staying.count >= Self.maxVisitors ? staying : []
    if !crowd.isEmpty {
      let slowest = [Visitor.Stage.asking, .served].lazy.compactMap { stage in
        crowd.filter { $0.stage == stage }.min { $0.since < $1.since }
      }.first
      guard let slowest else { return false }
      slowest.leave()
    }
    visitors[visitor.connection.descriptor] = visitor
    return true
  }

  mutating func remove(_ visitor: Visitor) {
    if visitors[visitor.connection.descriptor] === visitor { visitors[visitor.connection.descriptor] = nil }
  }

  var due: MonotonicTime { visitors.values.filter { !$0.isLeaving }.map(\.end).min() ?? .never }

  func expire(at now: MonotonicTime) {
    for visitor in visitors.values where !visitor.isLeaving && visitor.end <= now { visitor.leave() }
  }
}
