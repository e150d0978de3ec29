import Blocks
import Units

/// The place at which an HLS station is begun, and how far its packets are on the way to it. A value.
struct SegmentGoal: Hashable, Sendable {
  /// Where the sound begins.
  let place: StreamTime
  /// When the next packet sounds.
  private var clock: StreamTime
  private var hasStarted = false

  /// The place, where the next packet sounds at `clock`.
  init(place: StreamTime, clock: StreamTime = .zero) { (self.place, self.clock) = (place, clock) }

  /// What becomes of a packet.
  enum Fate: Hashable, Sendable {
    /// It lies before what a decoder needs.
    case passed
    /// It is the first one, and sounds at that time.
    case first(StreamTime)
    case heard
  }

  /// Whether all that comes sounds.
  var isReached: Bool { clock > place }

  /// Takes a packet; what lies before the place is not heard.
  mutating func take(_ info: inout PacketInfo) -> Fate {
    let begin = clock
    clock += info.duration
    if !hasStarted, clock <= place - FileTimeline.runUp { return .passed }
    defer { hasStarted = true }
    info.mute(outside: place..<StreamTime(ticks: .max), at: begin)
    return hasStarted ? .heard : .first(begin)
  }
}
