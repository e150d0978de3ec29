/// The last order of the owner or a client about playback (I1).
///
/// Failures, retries and leases of the sound card do not change the intent. The raw value is the word in the saved
/// state and in `radio_status`.
public enum PlaybackIntent: String, CaseIterable, Sendable {
  /// Play. If the radio is stopped with this intent, it gave up and will retry.
  case playing
  /// Pause at the current position.
  case paused
  /// Stop, or the end of a file without a successor.
  case stopped
  /// Standby, the state after the power key or the sleep timer.
  case standby

  /// True if a failed station is retried.
  public var allowsRetry: Bool { self == .playing || self == .paused }
}
