import Blocks
import Units

/// The start position of an HLS programme, and the progress of its packets to that position. A value.
struct SegmentGoal: Hashable, Sendable {
  let place: StreamTime
  private var nextPacketTime: StreamTime
  private var hasStarted = false

  init(place: StreamTime, clock: StreamTime = .zero) { (self.place, self.nextPacketTime) = (place, clock) }

  enum Fate: Hashable, Sendable {
    /// Dropped: ends before the decoder's run-up to the position.
    case passed
    case first(StreamTime)
    case later
  }

  var isReached: Bool { nextPacketTime > place }

  /// Advances by a packet and mutes its part before the position.
  mutating func process(_ info: inout PacketInfo) -> Fate {
    let begin = nextPacketTime
    nextPacketTime += info.duration
    if !hasStarted, nextPacketTime <= place - FileTimeline.runUp { return .passed }
    defer { hasStarted = true }
    info.mute(outside: place..<StreamTime(ticks: .max), at: begin)
    return hasStarted ? .later : .first(begin)
  }
}
