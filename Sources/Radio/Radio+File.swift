import Units

// Seeking in files (R3.4, R11).
extension Radio {
  /// How long the file sounds, in seconds; nil for a live station, and while it is not known.
  public var duration: Double? {
    guard let facts, !facts.isLive else { return nil }
    let hasEnded = engine.hasReceivedAll(of: epoch)
    let end = queue.border ?? (hasEnded ? engine.blocks.written : nil)
    return facts.duration.map { max($0, end == nil ? position - base : .zero).seconds }
      ?? end.map { ($0 - base).seconds }
  }

  /// Whether the radio can go to any place of what it plays at once, held or not: it plays a local file, or one whose
  /// server supports ranges.
  public var isFileSeekAllowed: Bool { goesAnywhere && facts?.isSeekable == true }

  /// Whether the radio can go to any place of a file; without ranges it reads all that lies before the place first.
  var goesAnywhere: Bool { facts?.isLive == false && facts?.duration != nil }

  /// Goes to so many seconds from a file's beginning, or as far as it goes; at a live station to that stream time, or
  /// as near to it as is held.
  public func seek(to seconds: Double) { go(to: base + StreamTime(seconds: max(0, seconds))) }

  /// What a decoder needs before a place, so that its sound there is right.
  private static let runUp = StreamTime(seconds: 0.4)

  /// The oldest place of a file that is held, with what the decoder needs before it.
  var oldestPlace: StreamTime {
    let oldest = engine.blocks.oldest
    return oldest <= base ? base : oldest + Self.runUp
  }

  /// Whether a place of a file is held, with what the decoder needs before it.
  func isHeld(_ time: StreamTime) -> Bool {
    guard !shift.isAway else { return false }
    let held = engine.blocks
    guard held.written > held.start else { return false }
    let isEnd = engine.hasReceivedAll(of: epoch) && time >= held.written
    return isEnd || max(time, base) >= oldestPlace && time <= held.written
  }

  /// Goes to a place of the file that is not held: what is held is let go, and the file comes from there.
  func leave(for place: StreamTime) {
    guard let length = facts?.duration, var again = queue.request else { return }
    let requested = place - base
    let target = max(.zero, min(requested, length))
    again.start = target
    account()
    leaveRecorded(.tuned)
    heardBefore = heardSeconds
    epoch &+= 1
    recorder.programmeBegins(epoch)
    (isFlowing, isLost, failure, trouble) = (false, false, nil, nil)
    shift.leave(requested, for: target)
    let left = settings.duration.map { max(.zero, $0 - StreamTime(seconds: heardBefore)) }
    seenUnderruns = engine.underruns
    engine.beginAgain(again, epoch, number: queue.fileNumber, limit: left)
    titles.leap(by: base)
    queue.restart()
    arrangeFollower()
    guard phase != .paused else { return engine.callRenderThread() }
    starvedAt = now
    let isNew = phase != .buffering
    phase = .buffering
    if isNew { tell(.buffering(held: 0, target: settings.waitFile.seconds)) }
  }

  /// What was sought flows.
  func arrive() {
    guard let target = shift.away else { return }
    shift.away = nil
    tell(.seekDone(position: target.seconds, requested: shift.requested.seconds))
  }
}
