import Blocks
import Units

/// Decides when the buffer suffices to start playback (R2.2): the target is reached, or waiting adds nothing.
///
/// A value without a clock; each call passes the time. Decode thread only.
struct PrebufferGate {
  struct Snapshot {
    var ahead: StreamTime
    /// Target for `ahead`.
    var hold: StreamTime
    var hasEnded: Bool
    /// True if the ring is full, or if the download is far ahead of playback.
    var isHeldBack: Bool
    /// Increases with each rescue by the control thread.
    var rescue: UInt32
  }

  private(set) var isRefill = false
  private var lastAhead = StreamTime.zero
  private var lastGrowth = MonotonicTime.zero
  private var rescue: UInt32 = 0

  /// Time without growth after which the first buffer plays.
  private static let firstPatience = Duration(milliseconds: 2_000)
  /// Longer than `firstPatience`, because a short refill would run empty at once.
  private static let laterPatience = Duration(milliseconds: 5_000)
  /// Minimum refill to play. A shorter refill, such as the last packet of a lost connection, would be only a click.
  static let minAudible = StreamTime(seconds: 0.2)

  mutating func begin(again: Bool, at now: MonotonicTime) {
    self.isRefill = again
    (lastAhead, lastGrowth) = (.zero, now)
  }

  func snapshot(_ board: UnsafePointer<StatusBoard>, ahead: StreamTime, hasEnded: Bool) -> Snapshot {
    let hold =
      isRefill ? board.pointee.refillHold.load(ordering: .relaxed) : board.pointee.startHold.load(ordering: .relaxed)
    return Snapshot(
      ahead: ahead, hold: StreamTime(ticks: hold), hasEnded: hasEnded,
      isHeldBack: board.pointee.netWait.load(ordering: .acquiring).isHeldBack,
      rescue: board.pointee.rescue.load(ordering: .acquiring))
  }

  mutating func isEnough(_ look: Snapshot, at now: MonotonicTime) -> Bool {
    if look.ahead != lastAhead { (lastAhead, lastGrowth) = (look.ahead, now) }
    let isCalled = look.rescue != rescue
    rescue = look.rescue
    if look.ahead >= look.hold || look.hasEnded { return true }
    let patience = isRefill ? Self.laterPatience : Self.firstPatience
    let isStill = now - lastGrowth > patience
    // Packets without duration may fill the ring; decoding them makes room for later packets.
    guard look.ahead > .zero else { return look.isHeldBack && isStill }
    if isCalled || look.isHeldBack { return true }
    return isStill && (!isRefill || look.ahead > Self.minAudible)
  }
}
