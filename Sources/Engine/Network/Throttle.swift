import Units

/// Whether another read's worth of packets can be taken.
enum Room: Hashable, Sendable {
  case ample
  /// All that is held was not heard yet.
  case full
  /// The radio is far ahead of the sound, and the server would send yet more than real time brings.
  case satisfied
}

/// How long a server has had to wait, and why. A value: each moment is given by the caller.
struct Throttle {
  /// How often room is looked for while it waits.
  private var pace = PausePace()
  /// Why it was made to wait last.
  private(set) var shortage = Room.ample
  /// When the ring has been full for so long that it is told.
  private var nextFull: MonotonicTime?

  /// So long the ring is full before that is told, and so long before it is told again.
  private static let patience = Duration(milliseconds: 1_000)
  private static let pause = Duration(milliseconds: 10_000)

  /// The time between two looks for room.
  var interval: Duration { pace.interval }

  /// The server has to wait, with so much held that was not decoded yet.
  mutating func hold(_ room: Room, ahead: StreamTime) {
    shortage = room
    pace.pause(ahead: ahead)
  }

  /// Room was looked for.
  mutating func look(_ room: Room, ahead: StreamTime) {
    shortage = room
    pace.look()
    if room == .ample { pace.resume(ahead: ahead) }
  }

  /// Whether it is told now that a live station waits since the ring is full.
  mutating func tellsFull(_ isFull: Bool, at now: MonotonicTime) -> Bool {
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

  /// Bytes are taken, or nothing is asked for any more.
  mutating func release() { nextFull = nil }
}
