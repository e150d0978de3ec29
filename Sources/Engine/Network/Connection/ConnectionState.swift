import Units

struct ConnectionState: Hashable, Sendable {
  let id: ConnectionID
  let began: MonotonicTime
  /// Time of the last bytes; at first the time of the request.
  var lastData: MonotonicTime
  var isPaused = false
  /// True after its first packet was joined to the buffered ones.
  var isJoined = false
  var hasAsked = false
  /// True while all packets were received before.
  var isRepeating = false

  init(_ id: ConnectionID, at now: MonotonicTime) { (self.id, began, lastData) = (id, now, now) }
}
