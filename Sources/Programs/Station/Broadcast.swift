import Units

/// A mount on the air. The clock alone determines its position, so all listeners share it.
///
/// At the start, the live position is one burst into the loop, so that the first listener hears its beginning.
struct Broadcast {
  let mount: Mount
  private let startedAt: MonotonicTime
  private let lead: StreamTime
  private let burst: Int

  init(_ mount: Mount, startingAt time: MonotonicTime, burst: ByteCount) {
    self.mount = mount
    self.burst = burst.value
    startedAt = time
    lead = mount.index.border(atOrAfter: burst.value).time
  }

  /// Returns the current frame's start, in bytes of the endless loop, and the time of the next frame.
  func live(at now: MonotonicTime) -> (byte: Int, nextDue: MonotonicTime) {
    let frame = mount.index.frame(at: lead + StreamTime(now - startedAt))
    return (frame.byte, startedAt + Duration(frame.next - lead))
  }

  /// Returns the byte of the endless loop at which a new listener starts, one burst before the live position.
  func entry(at now: MonotonicTime) -> Int {
    let live = live(at: now).byte
    return min(live, mount.index.border(atOrAfter: live - burst).byte)
  }
}

// A tick is 625/441 ns; both conversions split the time so that no product overflows.

extension StreamTime {
  fileprivate init(_ time: Duration) {
    self.init(ticks: time.nanoseconds / 625 &* 441 &+ time.nanoseconds % 625 &* 441 / 625)
  }
}

extension Duration {
  /// Rounds up, so that a wait does not end too early.
  fileprivate init(_ time: StreamTime) {
    self.init(nanoseconds: time.ticks / 441 &* 625 &+ (time.ticks % 441 &* 625 &+ 440) / 441)
  }
}
