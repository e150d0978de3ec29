import Units

/// Notices sound that is held, that nobody paused, and that is not heard (R2.2): two threads wait for each other then.
///
/// A value without a clock: each call is told the moment.
struct HeldSoundWatch {
  /// The radio at one moment.
  struct Look {
    /// Whether the listener wants to hear something: not stopped, paused or suspended.
    var isWanted: Bool
    /// Whether the render thread is at the sink, which may stand still for reasons of its own.
    var isAtSink: Bool
    /// Whether no more bytes come before some of what is held is heard, or none come at all.
    var isComplete: Bool
    /// What is held and not yet heard, without what the sink has to play.
    var held: StreamTime
    /// Where what was received ends.
    var written: StreamTime
    /// Frames of programme that the sink was given.
    var playedFrames: Int64
  }

  /// So long sound may be held unheard once no more comes.
  static let patience = Duration(milliseconds: 5_000)
  /// Nothing received for so long, and no more is expected.
  static let quiet = Duration(milliseconds: 5_000)
  /// So much may stay unheard: what a refill does not begin to play, and what conversion and steering keep of the last
  /// packet, which is 12 ms at most.
  static let least = Gathering.least + StreamTime(seconds: 0.1)

  private var playedFrames: Int64 = -1
  private var written = StreamTime.zero
  private var lastSound = MonotonicTime.zero
  private var lastGrowth = MonotonicTime.zero
  private var complete: MonotonicTime?

  /// Whether what is held has been unheard for too long, by what is seen now; the patience begins anew then.
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
  /// What plays, while the threads wait for `waits`.
  init(_ playback: Playback, _ waits: ThreadWaits, playedFrames: Int64) {
    let look = playback.look
    self.init(
      isWanted: playback.phase != .stopped && playback.phase != .paused && !playback.output.isSuspended,
      isAtSink: waits.render == .playing || waits.render == .standing,
      isComplete: waits.net.isHeldBack || look.hasEnded, held: playback.transport.held(look) - look.inSink,
      written: look.written, playedFrames: playedFrames)
  }
}
