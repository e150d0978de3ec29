import Network
import Units

// Pause, going elsewhere, position (R3, R11): what `Transport` decides is done here.
extension Radio {
  /// What the radio does (R1.9). It connects too while the connection of what has played is gone and tried again;
  /// whether sound comes meanwhile, `RadioStatus.isAudioPlaying` tells.
  public var state: RadioState { transport.state }

  /// Falls silent where it is; a live station goes on being received.
  public func pause(_ reason: Event.StopReason = .user) { perform(transport.pause(reason, look)) }

  /// Goes on with the sample after the last one that was heard.
  public func resume() { perform(transport.resume(look)) }

  /// Goes back by so many seconds, or as far as is held.
  public func rewind(by seconds: Double) { go(to: position - StreamTime(seconds: seconds)) }

  /// Goes on by so many seconds, or as far as is held.
  public func forward(by seconds: Double) { go(to: position + StreamTime(seconds: seconds)) }

  /// Goes to what the station sends now, but for what is kept held for safety; never back.
  public func goLive() { perform(transport.goLive(look)) }

  /// Goes to the oldest that is held.
  public func goOldest() { perform(transport.goOldest(look)) }

  /// Goes to so many seconds from a file's beginning, or as far as it goes; at a live station to that stream time, or
  /// as near to it as is held.
  public func seek(to seconds: Double) { go(to: queue.base + StreamTime(seconds: max(0, seconds))) }

  /// Whether the listener can go back by so many seconds: they are held, or lie in a file that can be sought in.
  public func isRewindAllowed(_ seconds: Double) -> Bool { transport.isRewindAllowed(seconds, look) }

  /// Whether the listener can go on by so many seconds: they are held, or lie in a file that can be sought in.
  public func isFastForwardAllowed(_ seconds: Double) -> Bool { transport.isFastForwardAllowed(seconds, look) }

  /// Whether the radio can go to any place of what it plays at once, held or not: it plays a local file, or one whose
  /// server supports ranges.
  public var isFileSeekAllowed: Bool { look.isFileSeekAllowed }

  /// How long the file sounds, in seconds; nil for a live station, and while it is not known.
  public var duration: Double? { transport.duration(look)?.seconds }

  // MARK: What is decided, and what is done

  /// What the radio does, but for a connection that is gone (`state`).
  var phase: RadioState { transport.phase }

  /// The stream time that is heard, or will be in a moment.
  var position: StreamTime { transport.position(look) }

  /// Seconds held and not yet heard.
  var held: Double { transport.held(look).seconds }

  /// The programme as it is now.
  var look: ProgrammeLook {
    let blocks = engine.blocks
    var look = ProgrammeLook(now: now, facts: facts, heard: engine.heard(of: epoch))
    (look.start, look.oldest, look.written, look.ahead) = (blocks.start, blocks.oldest, blocks.written, blocks.ahead)
    look.hasEnded = engine.hasReceivedAll(of: epoch)
    (look.base, look.border) = (queue.base, queue.border)
    (look.isSuspended, look.isRecorded) = (isSuspended, recorder.isBusy)
    return look
  }

  private func go(to place: StreamTime) { perform(transport.go(to: place, look)) }

  func perform(_ actions: [Transport.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: Transport.Action) {
    switch action {
    case .tell(let event): tell(event)
    case .pause(let isPaused):
      if !isPaused, phase != .stopped { expectSound() }
      engine.pause(isPaused)
    case .keepDistance(let isKept): engine.keepDistance(isKept)
    case .seek(let place, let number, let isExact): engine.seek(to: place, number: number, isExact: isExact)
    case .leave(let place): leave(for: place)
    case .callRenderThread: engine.callRenderThread()
    case .rest: engine.rest()
    case .connectAgain: engine.connectAgain()
    case .leap: titles.leap()
    }
  }

  /// The render thread is looked at often for a while: it is about to begin, or to ask for another format.
  func expectSound() { expecting = now + MonotonicTime(milliseconds: 3_000) }

  /// Closes the connection of a station that nobody listened to for long.
  func attendPause() { if !output.hasSlept { perform(transport.due(look)) } }

  /// The decode thread found the place of a seek, or the oldest where what was to follow at `from` had been dropped.
  func found(_ place: StreamTime, _ number: UInt32, from: StreamTime? = nil) {
    if number == transport.seek { expectSound() }
    perform(transport.found(place, number, from: from, look))
  }

  /// Goes to a place of the file that is not held: what is held is let go, and the file comes from there.
  private func leave(for place: StreamTime) {
    guard let length = facts?.duration, var again = queue.request else { return }
    let base = queue.base
    let requested = place - base
    let target = max(.zero, min(requested, length))
    again.start = target
    account()
    leaveRecorded(.tuned)
    heardBefore = heardSeconds
    epoch &+= 1
    recorder.programmeBegins(epoch)
    (failure, trouble) = (nil, nil)
    let left = settings.duration.map { max(.zero, $0 - StreamTime(seconds: heardBefore)) }
    seenUnderruns = engine.underruns
    engine.beginAgain(again, epoch, number: queue.fileNumber, limit: left)
    titles.leap(by: base)
    queue.restart()
    arrangeFollower()
    perform(transport.leave(requested, for: target, look))
  }
}
