import Units

/// The connections that are there: 64 at most, and 16 of one address beside those that hear events. For one more the
/// one goes that has been asking for longest, or else the one whose answer has taken longest, so that nobody keeps
/// others out by being slow.
struct VisitorTable {
  private var visitors: [Int32: Visitor] = [:]

  static let most = 64
  static let mostOfOne = 16

  init() {}

  /// The visitor of a connection.
  subscript(descriptor: Int32) -> Visitor? { visitors[descriptor] }

  /// Takes a visitor in; false where there is no room.
  mutating func add(_ visitor: Visitor) -> Bool {
    let staying = visitors.values.filter { !$0.isLeaving }
    let same = staying.filter { $0.connection.group == visitor.connection.group && $0.stage != .listening }
    let crowd = same.count >= Self.mostOfOne ? same : staying.count >= Self.most ? staying : []
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

  /// A connection has ended.
  mutating func remove(_ visitor: Visitor) {
    if visitors[visitor.connection.descriptor] === visitor { visitors[visitor.connection.descriptor] = nil }
  }

  /// When somebody has to go.
  var due: MonotonicTime { visitors.values.filter { !$0.isLeaving }.map(\.end).min() ?? .never }

  /// Has those go whose time is over.
  func expire(at now: MonotonicTime) {
    for visitor in visitors.values where !visitor.isLeaving && visitor.end <= now { visitor.leave() }
  }
}
