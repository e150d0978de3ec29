import Blocks
import Units

/// Counts the packets at the start of a programme without decoded audio: a long run is not damage, but encrypted or
/// unsupported data (R1.12).
struct UndecodedRun {
  private var time = StreamTime.zero
  private var byteCount = 0
  private var isOver = false
  private var hasPackets = false
  private var isDecoded = false

  /// True at the end of a programme whose packets contained no audio.
  var isSilentProgramme: Bool { hasPackets && !isDecoded && !isOver }

  /// The limits, whichever is reached first.
  private static let maxDuration = StreamTime(seconds: 10)
  private static let maxBytes = 256_000

  /// Records the result of the decoder, also for a packet before the start position.
  mutating func record(frameCount: Int) {
    hasPackets = true
    if frameCount > 0 { isDecoded = true }
  }

  /// Records a packet without audio; true once, when the limit is exceeded.
  mutating func isSpent(by packet: PacketInfo) -> Bool {
    time += packet.duration
    byteCount += packet.byteCount
    guard !isOver, time >= Self.maxDuration || byteCount >= Self.maxBytes else { return false }
    isOver = true
    return true
  }
}
