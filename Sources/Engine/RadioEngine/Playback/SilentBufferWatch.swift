import Units

/// Detects buffered audio that stays silent without a pause, because two threads wait for each other (R2.2).
///
/// A value without a clock; each call passes the time.
struct SilentBufferWatch {
  struct Snapshot {
    var isWanted: Bool
    /// True if the render thread waits for the sink, which may block for its own reasons.
    var isAtSink: Bool
    /// True if the programme has ended, or if reception waits until some audio is played.
    var isComplete: Bool
    /// Buffered audio, without the audio in the sink.
    var held: StreamTime
    var written: StreamTime
    var playedFrames: Int64
  }

  /// Maximum time of silence while no more data is expected.
  static let patience = Duration(milliseconds: 5_000)
  /// Time without data after which no more data is expected.
  static let quiet = Duration(milliseconds: 5_000)
  /// Duration that may stay silent: a refill too short to play, and at most 12 ms in converter and drift compensator.
  static let minSilentDuration = PrebufferGate.minAudible + StreamTime(seconds: 0.1)

  private var playedFrames: Int64 = -1
  private var written = StreamTime.zero
  private var lastSound = MonotonicTime.zero
  private var lastGrowth = MonotonicTime.zero
  private var complete: MonotonicTime?

  /// Returns true if the silence lasts too long, and restarts the time then.
  mutating func isDue(_ look: Snapshot, at now: MonotonicTime) -> Bool {
    if look.written != written { (written, lastGrowth) = (look.written, now) }
    complete = look.isComplete ? complete ?? now : nil
    let isSilent =
      look.isWanted && !look.isAtSink && look.held > Self.minSilentDuration && look.playedFrames == playedFrames
    playedFrames = look.playedFrames
    guard isSilent else {
      lastSound = now
      return false
    }
    let begin = max(lastSound, complete ?? lastGrowth + Self.quiet)
    guard now - begin >= Self.patience else { return false }
    lastSound = now
    return true
  }
}
