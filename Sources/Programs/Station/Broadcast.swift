import Units

/// A mount on the air: what sounds now follows from the clock alone, so all listeners share it.
///
/// At the station's start the live position is already one burst into the loop, so the first listener hears its
/// beginning.
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

  /// Where the frame that sounds begins, in bytes of the endless loop, and the moment the next one is due.
  func live(at now: MonotonicTime) -> (byte: Int, nextDue: MonotonicTime) {
    let frame = mount.index.frame(at: lead + StreamTime(now - startedAt))
    return (frame.byte, startedAt + Duration(frame.next - lead))
  }

  /// The frame border where a listener who comes now begins.
  func entry(at now: MonotonicTime) -> Int {
    let live = live(at: now).byte
    return min(live, mount.index.border(atOrAfter: live - burst).byte)
  }
}

// A tick is 625/441 ns; both directions split the time so that no product overflows.

extension StreamTime {
  fileprivate init(_ time: Duration) {
    self.init(ticks: time.nanoseconds / 625 &* 441 &+ time.nanoseconds % 625 &* 441 / 625)
  }
}

extension Duration {
  /// Rounded up, so that whoever waits for it does not wake too early.
  fileprivate init(_ time: StreamTime) {
    self.init(nanoseconds: time.ticks / 441 &* 625 &+ (time.ticks % 441 &* 625 &+ 440) / 441)
  }
}
