import AudioOutput
import Units

// Another owner of the sound, a device that goes and comes, a machine that sleeps (R10.1).
extension Radio {
  /// Whether the sound is interrupted, by whatever.
  public var isSuspended: Bool { interruption.phase != .ours }

  /// Whether the sound device still plays what it was given before an interruption began; false 2.5 s after that.
  public var isLettingGo: Bool {
    interruption.phase == .ending && now - interruption.began < Interruption.longestEnd
  }

  /// Falls silent and lets go of the sound device, so that another program may have it, until `endSuspension`; what is
  /// received goes on filling the buffer. Returns at once: `suspended` tells when the device has played what it still
  /// had, and is free.
  public func suspend() { interrupt(.command) }

  /// Takes the device again and goes on with the sample after the last one heard; what was paused stays paused, and
  /// what was stopped stopped. Where another program still has the device, the radio waits for it.
  public func endSuspension() { end(.command) }

  /// Sees to what lasts, and to what is over by itself.
  func attendInterruption() {
    tellAbsence()
    attendSleep()
    guard isSuspended else { return }
    if interruption.isReleased { engine.discardStale() } else { letGo() }
    endSleep()
    if interruption.isReleased, interruption.causes.isEmpty || interruption.isDue(at: now) { takeUp() }
  }

  // MARK: Beginning

  private func interrupt(_ cause: Interruption.Causes) {
    tellAbsence()
    interruption.causes.insert(cause)
    guard !isSuspended else { return }
    (interruption.phase, interruption.began) = (.ending, now)
    tell(.willSuspend)
    hold()
    engine.pause(true)
    letGo()
  }

  /// Pauses what plays, or begins to, until the interruption is over.
  func hold() {
    guard phase != .stopped, phase != .paused else { return }
    leaveLive()
    phase = .paused
    interruption.isHolding = true
    shift.reason = .interruption
    shift.pausedAt = now
    tell(.paused(.interruption))
  }

  /// Lets go of the device once the sound has ended.
  private func letGo() {
    guard engine.release() else { return }
    interruption.phase = .away
    if engine.takeUnheard() { goBack() }
    tell(.suspended)
  }

  /// What lay in a card that failed was not heard: the sound goes on with it.
  private func goBack() {
    guard phase != .stopped, let heard = engine.heard(of: epoch), heard.seek == shift.seek else { return }
    goBack(to: heard.at)
  }

  /// Decodes from the sample at `place` on once more; the listener does not notice.
  private func goBack(to place: StreamTime) {
    send(place, place, isExact: true)
    interruption.returnSeek = shift.seek
  }

  /// The device is there, and may have other rates than the one before: what was decoded for that, and cannot be played
  /// by this, is decoded anew.
  func followDevice() {
    guard let place = engine.followRates() else { return }
    goBack(to: place)
    engine.callRenderThread()
  }

  // MARK: Ending

  private func end(_ cause: Interruption.Causes) {
    guard interruption.causes.contains(cause) else { return }
    interruption.causes.remove(cause)
    takeUp()
  }

  /// Takes the device, if it was let go and nothing else keeps the sound from it, and goes on.
  private func takeUp() {
    guard interruption.isReleased, interruption.causes.isSubset(of: .device) else { return }
    let wasLost = interruption.causes.contains(.device)
    do throws(SinkError) {
      try engine.takeUp()
    } catch {
      interruption.nextTry = now + retryInterval
      deviceFailure = error
      interruption.causes = .device
      if !wasLost { tell(.deviceLost(device: engine.outputName, message: error.description)) }
      return
    }
    followDevice()
    deviceFailure = nil
    (interruption.causes, interruption.phase) = ([], .ours)
    if wasLost {
      interruption.lastBack = now
      let name = engine.outputName
      let words =
        engine.isCard ? "The sound device \"\(name)\" is there again." : "The pipe \(name) has a reader now."
      tell(.deviceBack(device: name, message: words))
    }
    goOn()
  }

  private func goOn() {
    tell(.resumed)
    let wasHeld = interruption.isHolding
    interruption.isHolding = false
    guard wasHeld else { return engine.pause(phase == .paused) }
    skipUnheard()
    resume()
  }

  /// A live station of which nothing was heard yet begins near what it sends now.
  private func skipUnheard() {
    guard facts?.isLive == true, engine.heard(of: epoch) == nil else { return }
    shift.liveHold = nil
    engine.keepDistance(false)
    let safe = engine.blocks.written - settings.safety
    if isFlowing, safe > .zero { send(safe, safe) }
  }

  /// The listener pauses what the interruption had paused: it stays so when that is over.
  func keepPaused(_ reason: Event.StopReason) {
    guard interruption.isHolding else { return }
    interruption.isHolding = false
    shift.reason = reason
    tell(.paused(reason))
  }

  /// The listener wants to hear on, which he does when the interruption is over.
  func awaitReturn() {
    guard !interruption.isHolding else { return }
    interruption.isHolding = true
    shift.reason = .interruption
    tell(.paused(.interruption))
  }

  // MARK: The device

  /// So often a device that is gone is tried, and a pipe that nobody reads.
  private var retryInterval: MonotonicTime { MonotonicTime(milliseconds: engine.isCard ? 1_000 : 100) }
  /// One that has just failed may be mended by opening it anew, unless it had failed a moment before.
  private static let firstRetry = MonotonicTime(milliseconds: 100)
  /// So long one is left alone that had failed a moment before: else a reader that opens and closes a pipe again and
  /// again says how often that is told.
  private static let laterRetry = MonotonicTime(milliseconds: 1_000)
  private static let proof = MonotonicTime(milliseconds: 5_000)

  /// The card failed, or does not take what it is to play.
  func deviceFailed(_ error: SinkError) {
    engine.closeLost()
    deviceFailure = error
    let isNew = interruption.lastBack.map { now - $0 > Self.proof } ?? true
    interruption.nextTry = now + (isNew ? Self.firstRetry : Self.laterRetry)
    tell(.deviceLost(device: engine.outputName, message: error.description))
    interrupt(.device)
  }

  /// The card that is waited for was not there when the radio was made.
  func awaitDevice(_ absence: SinkError) {
    deviceFailure = absence
    (interruption.causes, interruption.phase) = (.device, .away)
    interruption.absence = absence
    interruption.nextTry = now + retryInterval
    engine.pause(true)
  }

  /// Tells that it was not, as soon as there is somebody to hear it.
  func tellAbsence() {
    guard let absence = interruption.absence else { return }
    interruption.absence = nil
    tell(.deviceLost(device: engine.outputName, message: absence.description))
    tell(.willSuspend)
    tell(.suspended)
  }

  // MARK: Sleep

  /// CLOCK_MONOTONIC stands still while the machine sleeps; a smaller jump is none.
  private static let shortestSleep = MonotonicTime(milliseconds: 2_000)

  private func attendSleep() {
    let slept = engine.slept
    let jump = slept - interruption.slept
    guard jump > .zero else { return }
    interruption.slept = slept
    if jump >= Self.shortestSleep { woke(after: jump) }
  }

  /// The machine slept: nobody said so before. The connections are dead, and made anew at once.
  private func woke(after sleep: MonotonicTime) {
    // A listener who paused was away all that time.
    shift.pausedAt = shift.pausedAt - sleep
    interrupt(.sleep)
    endSleep()
  }

  /// Goes on after a sleep once the device, which may not have outlived it, was let go.
  private func endSleep() {
    guard interruption.isReleased, interruption.causes.contains(.sleep) else { return }
    end(.sleep)
    attendPause()
    if phase != .stopped, !shift.isResting { engine.renewConnections() }
  }
}
