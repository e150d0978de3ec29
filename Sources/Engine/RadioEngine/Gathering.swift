import Blocks
import Units

/// When what is held is enough to sound (R2.2): so much is there, or waiting brings no more.
///
/// A value without a clock, of the decode thread: each look is told the moment.
struct Gathering {
  /// What is held at one moment, and what more may come.
  struct Look {
    /// What is held ahead of the decoder.
    var ahead: StreamTime
    /// What is to be held.
    var hold: StreamTime
    /// Whether all of the programme is held.
    var hasEnded: Bool
    /// Whether no more is held, however long one waits.
    var isHeldBack: Bool
    /// Grows each time that the control thread says to play what is held.
    var rescue: UInt32
  }

  /// Whether sound was heard in this programme before.
  private(set) var again = false
  private var lastAhead = StreamTime.zero
  private var lastGrowth = MonotonicTime.zero
  private var rescue: UInt32 = 0

  /// What is held at first and does not grow within this sounds.
  private static let firstPatience = Duration(milliseconds: 2_000)
  /// The same for what is gathered again: it would hardly sound before it is played out.
  private static let laterPatience = Duration(milliseconds: 5_000)
  /// Less than this is no sound by itself, but a click in the silence: the last packet of a connection that is gone.
  static let least = StreamTime(seconds: 0.2)

  /// Begins to gather, at a programme's start or again.
  mutating func begin(again: Bool, at now: MonotonicTime) {
    self.again = again
    (lastAhead, lastGrowth) = (.zero, now)
  }

  /// What the threads tell now.
  func look(_ board: UnsafePointer<StatusBoard>, ahead: StreamTime, hasEnded: Bool) -> Look {
    let hold =
      again ? board.pointee.refillHold.load(ordering: .relaxed) : board.pointee.startHold.load(ordering: .relaxed)
    return Look(
      ahead: ahead, hold: StreamTime(ticks: hold), hasEnded: hasEnded,
      isHeldBack: board.pointee.netWait.load(ordering: .acquiring).isHeldBack,
      rescue: board.pointee.rescue.load(ordering: .acquiring))
  }

  /// Whether sound may begin.
  mutating func isEnough(_ look: Look, at now: MonotonicTime) -> Bool {
    if look.ahead != lastAhead { (lastAhead, lastGrowth) = (look.ahead, now) }
    let isCalled = look.rescue != rescue
    rescue = look.rescue
    if look.ahead >= look.hold || look.hasEnded { return true }
    let patience = again ? Self.laterPatience : Self.firstPatience
    let isStill = now - lastGrowth > patience
    // Packets that take no time may fill all the room: what comes behind them waits until they are decoded.
    guard look.ahead > .zero else { return look.isHeldBack && isStill }
    if isCalled || look.isHeldBack { return true }
    return isStill && (!again || look.ahead > Self.least)
  }
}
