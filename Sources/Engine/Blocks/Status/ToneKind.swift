import Synchronization

/// The tone while no programme plays (`StatusBoard.tone`).
public enum ToneKind: UInt8, BitwiseCopyable, Sendable, AtomicRepresentable {
  case none = 0
  /// The tone at the end of a fallback chain.
  case fallback
  /// The tone of an alarm.
  case alarm
}
