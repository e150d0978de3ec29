import Units

enum RoomState: Hashable, Sendable {
  case ample
  case full
  /// Enough is buffered, and the server still sends faster than real time.
  case satisfied
}

/// Tracks how long and why a server is paused. A value; the caller passes the time.
struct Throttle {
  private var aheadAtPause = StreamTime.zero
  /// True if more than half of the audio buffered at the start of the pause was consumed during the pause.
  private var isOutrun = false
  private var checkCount = 0
  private(set) var lastRoom = RoomState.ample
  /// Time to report a full ring; nil if the ring is not full.
  private var nextFull: MonotonicTime?

  /// Minimum time of a full ring before its report, and minimum time between two reports.
  private static let patience = Duration(milliseconds: 1_000)
  private static let pause = Duration(milliseconds: 10_000)

  /// After that many quick checks without room, the sink does not count as fast any more.
  private static let maxQuickChecks = 40

  /// Interval of checks for room while a server is paused: short after a sink consumed audio at full speed.
  var interval: Duration { Duration(milliseconds: isOutrun && checkCount < Self.maxQuickChecks ? 5 : 100) }

  /// Records a pause. `ahead`: undecoded audio, less than the limit if a full ring caused the pause.
  mutating func recordPause(_ room: RoomState, ahead: StreamTime) {
    lastRoom = room
    aheadAtPause = ahead
    checkCount = 0
  }

  mutating func recordCheck(_ room: RoomState, ahead: StreamTime) {
    lastRoom = room
    checkCount += 1
    if room == .ample { isOutrun = ahead.ticks < aheadAtPause.ticks / 2 }
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
