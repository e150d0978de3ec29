import Units

/// How often room is looked for while a server waits. A value without a clock.
///
/// A sink that takes sound as fast as it can would else wait for the next look each time.
struct PausePace {
  /// What was held, and not decoded yet, when the server was made to wait.
  private var held = StreamTime.zero
  /// Whether half of that was gone when the server went on.
  private var isOutrun = false
  /// Looks since the server was made to wait.
  private var looks = 0
  /// So many quick looks without room, and nobody takes sound at that rate any more.
  private static let mostQuickLooks = 40

  /// The time between two looks.
  var interval: Duration { Duration(milliseconds: isOutrun && looks < Self.mostQuickLooks ? 5 : 100) }

  /// Notes a look.
  mutating func look() { looks += 1 }

  /// Notes that the server has to wait while so much is held. That is less than the limit where the ring is full
  /// before.
  mutating func pause(ahead: StreamTime) { (held, looks) = (ahead, 0) }

  /// Notes that it goes on while so much is held.
  mutating func resume(ahead: StreamTime) { isOutrun = ahead.ticks < held.ticks / 2 }
}
