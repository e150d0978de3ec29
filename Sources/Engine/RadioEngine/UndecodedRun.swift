import Blocks
import Units

/// The packets that a programme begins with and of which its decoder makes no sound: so many of them are no damage, but
/// encrypted, or of a kind that is not played (R1.12).
struct UndecodedRun {
  private var time = StreamTime.zero
  private var byteCount = 0
  private var isOver = false

  /// Of this much, whichever comes first, something would have been heard.
  private static let mostTime = StreamTime(seconds: 10)
  private static let mostBytes = 256_000

  /// Notes a packet without sound; true once, where it is one too many.
  mutating func isSpent(by packet: PacketInfo) -> Bool {
    time += packet.duration
    byteCount += packet.byteCount
    guard !isOver, time >= Self.mostTime || byteCount >= Self.mostBytes else { return false }
    isOver = true
    return true
  }
}
