import Units

extension StreamSession {
  private var output: ProgrammeOutput { context.output }

  /// Maximum distance from the newest audio that a listener keeps at a return. A longer distance is a time shift.
  private static let maxDistance = (stream: StreamTime(seconds: 10), segments: StreamTime(seconds: 60))

  /// True if the programme is live, its connection works, and `goal` is buffered.
  func isReady(goal: StreamTime) -> Bool {
    programme.source.isLive && context.search.hasPlayed && output.digest.isConnected && !output.digest.isInDoubt
      && !output.digest.isOver && !isResting && !output.seeksPlace && output.ahead >= goal
  }

  /// True if the live audio has ended, or if the programme has another kind.
  var isOver: Bool {
    output.digest.isOver || context.report.facts != nil && context.search.hasPlayed && !programme.source.isLive
  }

  /// Ends of the buffered audio that is not played.
  var bufferedRange: (oldest: StreamTime, newest: StreamTime) { (output.time - output.ahead, output.time) }

  /// Bytes received by this session, in all its programmes.
  var byteCount: Int { Int(context.engine.receivedByteCount(of: context.search.programme)) }

  /// Returns the position of a heard programme for its time on standby; nil without audio.
  func playhead(at now: MonotonicTime) -> StandbyPlayhead? {
    guard output.ahead > .zero else { return nil }
    let most = programme.source is SegmentSource ? Self.maxDistance.segments : Self.maxDistance.stream
    return StandbyPlayhead(at: output.time - min(output.ahead, most), now: now)
  }

  var isRingFull: Bool { output.isRingFull }

  /// True if the next audio belongs to an announced ad.
  var isAtAd: Bool { output.isAtAd }

  /// Counts the audio before `time` as played.
  func skip(to time: StreamTime) { output.skip(to: time) }

  /// Exchanges the rings with a session on standby. The other session is then heard as the programme `epoch`.
  func exchange(with standby: StreamSession, epoch: UInt32) {
    closeSecond()
    output.exchange(with: standby.output, epoch: epoch)
  }

  /// Drops the buffered audio of a stopped session. Further packets belong to the programme `epoch`.
  func clear(epoch: UInt32) { output.begin(epoch: epoch) }
}
