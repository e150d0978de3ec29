import Radio

// Volume, options and time shift.
extension PlayerController {
  // MARK: Volume

  /// Sets the volume, clamped to 0 … 100, and ends muting; false where nobody can.
  @discardableResult
  public func turnVolume(to percent: Int) -> Bool {
    guard setVolume != nil else { return false }
    return loudness(max(0, min(100, percent)), isMuted: false)
  }

  /// Turns the volume up, or down; false where nobody can.
  @discardableResult
  public func turnVolume(by percent: Int) -> Bool { turnVolume(to: volume + max(-100, min(100, percent))) }

  /// Turns the sound off, or on again; false where nobody can.
  @discardableResult
  public func mute(_ isMuted: Bool) -> Bool {
    guard setVolume != nil else { return false }
    return loudness(volume, isMuted: isMuted)
  }

  private func loudness(_ percent: Int, isMuted mutes: Bool) -> Bool {
    if mutes != isMuted { changes.insert(.output) }
    if percent != volume || mutes != isMuted { changes.insert(.mixer) }
    (volume, isMuted) = (percent, mutes)
    setVolume?(percent, mutes)
    return true
  }

  /// Makes everything so many dB louder or quieter, -60 … 12; false where nobody can.
  @discardableResult
  public func turnGain(to decibels: Double) -> Bool {
    guard let setGain else { return false }
    setGain(max(-60, min(12, decibels)))
    return true
  }

  // MARK: Options

  /// Chooses how the queue goes on.
  public func choose(_ options: PlayOptions) {
    guard options != self.options else { return }
    if options.isRandom != self.options.isRandom { order.forget() }
    self.options = options
    changes.insert(.options)
  }

  /// Forgets the last failure.
  public func clearFailure() {
    if failure != nil { changes.insert(.player) }
    failure = nil
  }

  // MARK: Time shift

  /// Goes back by so many seconds, or as far as is held; false while stopped.
  @discardableResult
  public func rewind(by seconds: Double) -> Bool { shift { $0.rewind(by: seconds) } }

  /// Goes on by so many seconds, or as far as is held; false while stopped.
  @discardableResult
  public func forward(by seconds: Double) -> Bool { shift { $0.forward(by: seconds) } }

  /// Goes to what a live station sends now; false while stopped.
  @discardableResult
  public func live() -> Bool { shift { $0.goLive() } }

  /// Goes to the oldest that is held; false while stopped.
  @discardableResult
  public func oldest() -> Bool { shift { $0.goOldest() } }

  /// Goes to a moment of `elapsed`'s time; false while stopped.
  @discardableResult
  public func seek(to seconds: Double) -> Bool {
    guard seconds.isFinite else { return false }
    let status = radio.status
    return shift { radio in
      if status.facts?.isLive == false { radio.seek(to: seconds) } else { radio.forward(by: seconds - status.elapsed) }
    }
  }

  /// Plays a station of the queue from a moment on, where it is a file; false where it is not in the queue.
  @discardableResult
  public func seek(id: Int, to seconds: Double) -> Bool {
    if id == tunedID, id == currentID, radio.state != .stopped { return seek(to: seconds) }
    guard play(id: id) else { return false }
    wish = seconds
    return true
  }

  private func shift(_ go: (Radio) -> Void) -> Bool {
    guard radio.state != .stopped else { return false }
    go(radio)
    changes.insert(.player)
    return true
  }

  /// Where the listener is, in seconds: in a file from its beginning, at a live station from the oldest that is held.
  public var elapsed: Double? { radio.state == .stopped ? nil : radio.status.elapsed }

  /// How long that is in all, in seconds: the file, as far as that is known, or all that is held of a live station.
  public var duration: Double? { radio.state == .stopped ? nil : radio.status.span }
}

extension RadioStatus {
  /// As for the player.
  var elapsed: Double { isLive ? max(0, position - blocks.oldest.seconds) : position }

  /// As for the player.
  var span: Double? {
    if let duration { return duration }
    if isLive { return blocks.written.seconds - blocks.oldest.seconds }
    guard let byteCount = facts?.byteCount, let rate = measuredBitRate, rate.bitsPerSecond > 0 else { return nil }
    return max(position, Double(byteCount) * 8 / Double(rate.bitsPerSecond))
  }

  private var isLive: Bool { facts?.isLive == true }
}
