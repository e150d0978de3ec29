import Units

/// One connection, as what decides about connections needs to know it. A value.
struct Line: Hashable, Sendable {
  /// Which one it is.
  let id: LineID
  let began: MonotonicTime
  /// When bytes came last, or else when it began.
  var lastData: MonotonicTime
  /// Whether we let its server wait.
  var isHeld = false
  /// Whether its packets are being joined, or were, to what is held.
  var isJoined = false
  /// Whether the server was reached, and has the request.
  var hasAsked = false

  /// A connection that begins.
  init(_ id: LineID, at now: MonotonicTime) { (self.id, began, lastData) = (id, now, now) }
}
