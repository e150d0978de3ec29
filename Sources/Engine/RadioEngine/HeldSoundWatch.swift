import Units

/// Detects buffered sound that nobody paused and that stays silent because two threads wait for each other (R2.2).
///
/// A value without a clock; each call passes the time.
struct HeldSoundWatch {
  struct Look {
    /// True if the radio is not stopped, paused or suspended.
    var isWanted: Bool
    /// True if the render thread waits for the sink, which may block for its own reasons.
    var isAtSink: Bool
    /// True if no more bytes arrive before some of the buffer is played.
    var isComplete: Bool
    /// The buffer without the sink's part.
    var held: StreamTime
    var written: StreamTime
    /// Programme frames written to the sink.
    var playedFrames: Int64
  }

  /// The maximum time of silence with a complete buffer.
  static let patience = Duration(milliseconds: 5_000)
  /// The time without data after which no more is expected.
  static let quiet = Duration(milliseconds: 5_000)
  /// The duration that may stay silent: less than a refill needs, plus conversion and drift compensation, at most 12
  /// ms.
  static let least = Gathering.least + StreamTime(seconds: 0.1)

  private var playedFrames: Int64 = -1
  private var written = StreamTime.zero
  private var lastSound = MonotonicTime.zero
  private var lastGrowth = MonotonicTime.zero
  private var complete: MonotonicTime?

  /// Returns true after too long a silence, and restarts the time.
  mutating func isDue(_ look: Look, at now: MonotonicTime) -> Bool {
    if look.written != written { (written, lastGrowth) = (look.written, now) }
    complete = look.isComplete ? complete ?? now : nil
    let isSilent = look.isWanted && !look.isAtSink && look.held > Self.least && look.playedFrames == playedFrames
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

extension HeldSoundWatch.Look {
  init(_ playback: Playback, _ waits: ThreadWaits, playedFrames: Int64) {
    let look = playback.look
    self.init(
      isWanted: playback.phase != .stopped && playback.phase != .paused && !playback.output.isSuspended,
      isAtSink: waits.render == .playing || waits.render == .standing,
      isComplete: waits.net.isHeldBack || look.hasEnded, held: playback.transport.held(look) - look.inSink,
      written: look.written, playedFrames: playedFrames)
  }
}
