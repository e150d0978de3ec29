import AudioOutput
import Units

// Another owner of the sound, a device that goes and comes, a machine that sleeps (R10.1): what `OutputSupervisor`
// decides is done here.
extension Radio {
  /// Whether the sound is interrupted, by whatever.
  public var isSuspended: Bool { output.isSuspended }

  /// Whether the sound device still plays what it was given before an interruption began; false 2.5 s after that.
  public var isLettingGo: Bool { output.isLettingGo(at: now) }

  /// What keeps the sound from its device for now; nil while nothing does, or somebody else has it (`suspend`).
  public var deviceFailure: SinkError? { output.failure }

  /// Falls silent and lets go of the sound device, so that another program may have it, until `endSuspension`; what is
  /// received goes on filling the buffer. Returns at once: `suspended` tells when the device has played what it still
  /// had, and is free.
  public func suspend() { interrupt(.suspend) }

  /// Takes the device again and goes on with the sample after the last one heard; what was paused stays paused, and
  /// what was stopped stopped. Where another program still has the device, the radio waits for it.
  public func endSuspension() { take(.endSuspension) }

  /// Sees to what lasts, and to what is over by itself.
  func attendInterruption() {
    tellAbsence()
    attendSleep()
    guard isSuspended else { return }
    if output.isReleased { engine.discardStale() } else { letGo() }
    take(.due)
  }

  /// The card failed, or does not take what it is to play.
  func deviceFailed(_ error: SinkError) { interrupt(.failed(error)) }

  /// Tells that the device was not there when the radio was made, as soon as there is somebody to hear it.
  func tellAbsence() { perform(output.tellAbsence()) }

  /// CLOCK_MONOTONIC stands still while the machine sleeps; a smaller jump is none.
  private static let shortestSleep = MonotonicTime(milliseconds: 2_000)

  /// Whether the machine slept: nobody said so before.
  private func attendSleep() {
    let jump = engine.slept - slept
    guard jump > .zero else { return }
    slept = engine.slept
    guard jump >= Self.shortestSleep else { return }
    // A listener who paused was away all that time.
    shift.pausedAt = shift.pausedAt - jump
    interrupt(.slept)
    take(.due)
  }

  // MARK: What is decided, and what is done

  private func interrupt(_ input: OutputSupervisor.Input) {
    tellAbsence()
    take(input)
  }

  private func take(_ input: OutputSupervisor.Input) { perform(output.take(input, at: now)) }

  private func perform(_ actions: [OutputSupervisor.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: OutputSupervisor.Action) {
    switch action {
    case .tellLost(let error): tell(.deviceLost(device: engine.outputName, message: error.description))
    case .tellBack:
      let name = engine.outputName
      let words = engine.isCard ? "The sound device \"\(name)\" is there again." : "The pipe \(name) has a reader now."
      tell(.deviceBack(device: name, message: words))
    case .tellWillSuspend: tell(.willSuspend)
    case .tellSuspended: tell(.suspended)
    case .closeLost: engine.closeLost()
    case .fallSilent:
      hold()
      engine.pause(true)
    case .release: letGo()
    case .goBack: goBack()
    case .takeUp: takeUp()
    case .followDevice: followDevice()
    case .goOn: goOn()
    case .renewConnections:
      attendPause()
      if phase != .stopped, !shift.isResting { engine.renewConnections() }
    }
  }

  private func letGo() { if engine.release() { take(.released(hasUnheard: engine.takeUnheard())) } }

  private func takeUp() {
    do throws(SinkError) {
      try engine.takeUp()
    } catch {
      return take(.refused(error))
    }
    take(.takenUp)
  }

  // MARK: What is paused meanwhile

  /// Pauses what plays, or begins to, until the interruption is over.
  func hold() {
    guard phase != .stopped, phase != .paused else { return }
    leaveLive()
    phase = .paused
    shift.isInterrupted = true
    shift.reason = .interruption
    shift.pausedAt = now
    tell(.paused(.interruption))
  }

  private func goOn() {
    tell(.resumed)
    let wasHeld = shift.isInterrupted
    shift.isInterrupted = false
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
    guard shift.isInterrupted else { return }
    shift.isInterrupted = false
    shift.reason = reason
    tell(.paused(reason))
  }

  /// The listener wants to hear on, which he does when the interruption is over.
  func awaitReturn() {
    guard !shift.isInterrupted else { return }
    shift.isInterrupted = true
    shift.reason = .interruption
    tell(.paused(.interruption))
  }

  // MARK: What was not heard

  /// What lay in a card that failed was not heard: the sound goes on with it.
  private func goBack() {
    guard phase != .stopped, let heard = engine.heard(of: epoch), heard.seek == shift.seek else { return }
    goBack(to: heard.at)
  }

  /// Decodes from the sample at `place` on once more; the listener does not notice.
  private func goBack(to place: StreamTime) {
    send(place, place, isExact: true)
    shift.returnSeek = shift.seek
  }

  /// The device is there, and may have other rates than the one before: what was decoded for that, and cannot be played
  /// by this, is decoded anew.
  func followDevice() {
    guard let place = engine.followRates() else { return }
    goBack(to: place)
    engine.callRenderThread()
  }
}
