import AudioOutput
import Units

/// What keeps a radio from sounding for a while (R10.1).
struct Interruption {
  /// Interruptions overlap: sound comes when none is left.
  struct Causes: OptionSet {
    let rawValue: UInt8
    /// Somebody said so.
    static let command = Causes(rawValue: 1)
    /// The device is gone, or another program has it.
    static let device = Causes(rawValue: 2)
    /// The machine slept.
    static let sleep = Causes(rawValue: 4)
  }

  /// Whose the sound device is.
  enum Phase {
    /// The radio's.
    case ours
    /// The radio's until what it was given has been played.
    case ending
    /// Nobody's, or somebody else's.
    case away
  }

  /// Those that last. While the device is being let go there may be none left: then it is taken again as soon as it is.
  var causes: Causes = []
  /// Where the device is.
  var phase = Phase.ours
  /// When the last interruption began.
  var began = MonotonicTime.zero
  /// Whether it paused the sound, which goes on when it is over.
  var isHolding = false
  /// Whether the sound was let go to its end, and a card closed.
  var isReleased: Bool { phase == .away }
  /// When a device that is gone is tried next.
  var nextTry = MonotonicTime.zero
  /// When a device was last back.
  var lastBack: MonotonicTime?
  /// Why the device was missing from the start, until it is told.
  var absence: SinkError?
  /// The seek that goes back to what was not heard; 0 where none was.
  var returnSeek: UInt32 = 0
  /// How long the machine had slept when it was last looked at (`EngineControl.slept`).
  var slept = MonotonicTime.zero

  /// The sound that a device still has ends within this; one that takes longer stands still.
  static let longestEnd = MonotonicTime(milliseconds: 2_500)

  /// How long nothing can become due.
  func patience(at now: MonotonicTime) -> MonotonicTime {
    switch phase {
    case .ours: .never
    case .ending: MonotonicTime(milliseconds: now - began < Self.longestEnd ? 2 : 50)
    case .away: causes == .device ? max(.zero, nextTry - now) : .never
    }
  }

  /// Whether a device is to be tried now.
  func isDue(at now: MonotonicTime) -> Bool { causes == .device && isReleased && now >= nextTry }
}
