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
    transport.slept(jump)
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
      perform(transport.interrupt(look))
      engine.pause(true)
    case .release: letGo()
    case .goBack: goBack()
    case .takeUp: takeUp()
    case .followDevice: followDevice()
    case .goOn:
      tell(.resumed)
      perform(transport.interruptionEnds(look))
    case .renewConnections:
      attendPause()
      if phase != .stopped, !transport.isResting { engine.renewConnections() }
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

  // MARK: What was not heard

  /// What lay in a card that failed was not heard: the sound goes on with it.
  private func goBack() {
    guard phase != .stopped, let heard = engine.heard(of: epoch), heard.seek == transport.seek else { return }
    perform(transport.goBack(to: heard.at))
  }

  /// The device is there, and may have other rates than the one before: what was decoded for that, and cannot be played
  /// by this, is decoded anew.
  func followDevice() {
    guard let place = engine.followRates() else { return }
    perform(transport.goBack(to: place))
    engine.callRenderThread()
  }
}
