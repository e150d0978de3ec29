import Units

/// Where the listener of a programme went, and whether he paused.
struct TimeShift {
  /// The last seek's number; it goes on counting over all programmes.
  private(set) var seek: UInt32 = 0
  /// Where the last seek goes, as asked for and, once it is known, as found; nil when it is heard.
  private(set) var target: StreamTime?
  /// What was asked for last.
  private(set) var requested = StreamTime.zero
  /// Why the sound is paused.
  var reason = Event.StopReason.user
  /// Since when.
  var pausedAt = MonotonicTime.zero
  /// Whether the connection was closed because nobody listens.
  var isResting = false
  /// Whether an interruption of the sound paused it, so that it goes on when that is over.
  var isInterrupted = false
  /// The seek that goes back to what a device did not play; 0 where none was.
  var returnSeek: UInt32 = 0
  /// What was held and not yet heard at live, when the listener left it; nil while he is there.
  var liveHold: StreamTime?

  /// Another programme.
  mutating func begin() {
    target = nil
    isResting = false
    away = nil
    liveHold = nil
  }

  /// Another seek.
  mutating func ask(_ requested: StreamTime, _ target: StreamTime) -> UInt32 {
    seek &+= 1
    self.requested = requested
    self.target = target
    return seek
  }

  /// A seek beyond what is held; the programme begins anew there.
  mutating func leave(_ requested: StreamTime, for target: StreamTime) {
    self.requested = requested
    self.target = target
    away = target
  }

  /// Where a seek goes that went beyond what was held, until it flows.
  var away: StreamTime?
  /// Whether what is sought has not begun to flow.
  var isAway: Bool { away != nil }

  /// A seek ended at a packet.
  mutating func found(_ at: StreamTime, _ number: UInt32) { if number == seek { target = at } }

  /// What comes from the last seek is heard.
  mutating func arrived() { target = nil }
}

// Pause and rewind of what is held (R3).
extension Radio {
  // MARK: Pausing

  /// Falls silent where it is; a live station goes on being received.
  public func pause(_ reason: Event.StopReason = .user) {
    guard phase != .stopped, phase != .paused else { return keepPaused(reason) }
    leaveLive()
    phase = .paused
    shift.reason = reason
    shift.pausedAt = now
    engine.pause(true)
    tell(.paused(reason))
  }

  /// Goes on with the sample after the last one that was heard.
  public func resume() {
    guard phase == .paused else { return }
    guard !isSuspended else { return awaitReturn() }
    phase = facts == nil ? .connecting : .buffering
    starvedAt = now
    expecting = now + MonotonicTime(milliseconds: 3_000)
    engine.pause(false)
    if shift.isResting {
      isLost = hasPlayed
      engine.connectAgain()
    }
    shift.isResting = false
    if !isFlowing, facts != nil { tell(.buffering(held: held, target: settings.hold.start(isLive: true).seconds)) }
  }

  /// Closes the connection of a station that nobody listened to for long.
  func attendPause() {
    guard phase == .paused, settings.pauseTimeout > .zero, !output.hasSlept else { return }
    if now - shift.pausedAt >= settings.pauseTimeout { rest() }
  }

  /// Closes the connection and keeps what is held, until the listener is back.
  func rest() {
    guard phase == .paused, !shift.isResting, !recorder.isBusy, facts?.isLive == true else { return }
    shift.isResting = true
    shift.reason = .timeout
    engine.rest()
    tell(.paused(.timeout))
  }

  // MARK: Going elsewhere

  /// Goes back by so many seconds, or as far as is held.
  public func rewind(by seconds: Double) { go(to: position - StreamTime(seconds: seconds)) }

  /// Goes on by so many seconds, or as far as is held.
  public func forward(by seconds: Double) { go(to: position + StreamTime(seconds: seconds)) }

  /// Goes to what the station sends now, but for what is kept held for safety; never back.
  public func goLive() {
    // Where a file is on its way to another place, what the ring tells is of the place that was left.
    guard !shift.isAway else { return }
    let safe = engine.blocks.written - settings.safety
    shift.liveHold = nil
    engine.keepDistance(false)
    if safe > position { go(to: safe) }
  }

  /// Goes to the oldest that is held.
  public func goOldest() {
    // As above.
    if !shift.isAway { go(to: goesAnywhere ? oldestPlace : engine.blocks.oldest) }
  }

  /// Whether the listener can go back by so many seconds: they are held, or lie in a file that can be sought in.
  public func isRewindAllowed(_ seconds: Double) -> Bool {
    let oldest = isFileSeekAllowed ? base : max(base, engine.blocks.oldest)
    return hasPlayed && (position - oldest).seconds >= seconds
  }

  /// Whether the listener can go on by so many seconds: they are held, or lie in a file that can be sought in.
  public func isFastForwardAllowed(_ seconds: Double) -> Bool {
    let held = engine.blocks.written
    let end = isFileSeekAllowed ? facts?.duration.map { base + $0 } ?? held : held
    return hasPlayed && (end - position).seconds >= seconds
  }

  func go(to requested: StreamTime) {
    guard hasPlayed || shift.isAway && goesAnywhere, phase != .stopped else { return }
    let place = inFile(requested)
    if goesAnywhere, !isHeld(place) { return leave(for: requested) }
    let held = engine.blocks
    // A live station is left with a little to go on with.
    let reserve = facts?.isLive == true ? min(settings.hold.start(isLive: true), held.written - position) : .zero
    let target = max(held.oldest, min(place, held.written - reserve))
    if target < position { leaveLive() }
    send(requested, target)
    if phase == .paused { engine.callRenderThread() }
    titles.leap()
  }

  /// Has the decode thread go to a place: to its packet, or to the very sample.
  func send(_ requested: StreamTime, _ target: StreamTime, isExact: Bool = false) {
    let number = shift.ask(requested, target)
    engine.seek(to: target, number: number, isExact: isExact)
  }

  /// The decode thread found the place, or the oldest where what was to follow had been dropped.
  func sought(_ at: StreamTime, _ number: UInt32, requested: StreamTime) {
    guard number == shift.seek else { return }
    isFlowing = true
    shift.found(at, number)
    expecting = now + MonotonicTime(milliseconds: 3_000)
    // Who goes on where he was has not gone anywhere.
    if number == shift.returnSeek, at == requested { return }
    titles.leap()
    tell(.seekDone(position: (at - base).seconds, requested: (requested - base).seconds))
  }

  // MARK: Where the listener is

  /// The stream time that is heard, or will be in a moment.
  var position: StreamTime {
    let heard = engine.heard(of: epoch)
    if let target = shift.target {
      guard let heard, heard.seek == shift.seek else { return target }
      shift.arrived()
    }
    return heard?.at ?? .zero
  }

  func leaveLive() {
    if shift.liveHold == nil { shift.liveHold = StreamTime(seconds: held) }
    engine.keepDistance(true)
  }

  /// Seconds behind live, beyond what is held for safety.
  var timeShift: Double {
    guard let liveHold = shift.liveHold else { return 0 }
    return max(0, held - liveHold.seconds)
  }
}
