import Units

enum RoomState: Hashable, Sendable {
  case ample
  case full
  /// Enough is buffered, and the server still sends faster than real time.
  case satisfied
}

/// Tracks how long and why a server is paused. A value; the caller passes the time.
struct Throttle {
  private var pace = PausePace()
  private(set) var lastRoom = RoomState.ample
  /// Time to report a full ring; nil if the ring is not full.
  private var nextFull: MonotonicTime?

  /// Minimum time of a full ring before its report, and minimum time between two reports.
  private static let patience = Duration(milliseconds: 1_000)
  private static let pause = Duration(milliseconds: 10_000)

  var interval: Duration { pace.interval }

  mutating func recordPause(_ room: RoomState, ahead: StreamTime) {
    lastRoom = room
    pace.pause(ahead: ahead)
  }

  mutating func recordCheck(_ room: RoomState, ahead: StreamTime) {
    lastRoom = room
    pace.recordCheck()
    if room == .ample { pace.resume(ahead: ahead) }
  }

  mutating func mustReportFull(_ isFull: Bool, at now: MonotonicTime) -> Bool {
    guard isFull else {
      nextFull = nil
      return false
    }
    guard let due = nextFull else {
      nextFull = now + Self.patience
      return false
    }
    if now < due { return false }
    nextFull = now + Self.pause
    return true
  }

  mutating func endPause() { nextFull = nil }
}
