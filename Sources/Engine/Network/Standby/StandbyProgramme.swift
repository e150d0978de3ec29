import Units

/// A programme that is received and not heard. Net thread only.
struct StandbyProgramme {
  let request: StationRequest
  let session: StreamSession
  private var playhead: StandbyPlayhead
  private var countedBytes = 0
  /// True if the ring is too small for the buffer that playback needs.
  private var isStuck = false

  init(_ request: StationRequest, _ session: StreamSession, _ playhead: StandbyPlayhead) {
    (self.request, self.session, self.playhead) = (request, session, playhead)
    countedBytes = session.byteCount
  }

  /// True if the live audio has ended, or if the programme has another kind.
  var isOver: Bool { session.isOver || isStuck }

  /// True if `goal` is buffered and the connection works.
  func isReady(goal: StreamTime) -> Bool { session.isReady(goal: goal) }

  /// True if a listener would hear an announced ad.
  var isAtAd: Bool { session.isAtAd }

  /// Drops the audio that a listener would have heard.
  mutating func update(goal: StreamTime, at now: MonotonicTime) {
    let (oldest, newest) = session.bufferedRange
    guard oldest < newest else { return }
    if let time = playhead.position(from: oldest, to: newest, goal: goal, at: now) {
      session.skip(to: time)
    } else {
      isStuck = session.isRingFull
    }
  }

  /// Returns the bytes received since the last call.
  mutating func removeByteCount() -> Int {
    defer { countedBytes = session.byteCount }
    return session.byteCount - countedBytes
  }
}
