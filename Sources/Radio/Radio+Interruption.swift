import AudioOutput
import Units

// Another owner of the sound, a device that goes and comes, a machine that sleeps (R10.1): `OutputKeeper` sees to them.
extension Radio: OutputClient {
  /// Whether the sound is interrupted, by whatever.
  public var isSuspended: Bool { output.isSuspended }

  /// Whether the sound device still plays what it was given before an interruption began; false 2.5 s after that.
  public var isLettingGo: Bool { output.isLettingGo }

  /// What keeps the sound from its device for now; nil while nothing does, or somebody else has it (`suspend`).
  public var deviceFailure: SinkError? { output.deviceFailure }

  /// Why the file that sound goes to failed for good.
  public var sinkFailure: SinkError? { output.sinkFailure }

  /// Falls silent and lets go of the sound device, so that another program may have it, until `endSuspension`; what is
  /// received goes on filling the buffer. Returns at once: `suspended` tells when the device has played what it still
  /// had, and is free.
  public func suspend() { output.suspend() }

  /// Takes the device again and goes on with the sample after the last one heard; what was paused stays paused, and
  /// what was stopped stopped. Where another program still has the device, the radio waits for it.
  public func endSuspension() { output.endSuspension() }

  func deviceGoes() {
    perform(transport.interrupt(look))
    engine.pause(true)
  }

  func deviceReturns() { perform(transport.interruptionEnds(look)) }

  func goBackToHeard() {
    guard phase != .stopped, let heard = engine.heard(of: epoch), heard.seek == transport.seek else { return }
    perform(transport.goBack(to: heard.at))
  }

  func decodeAnew(from place: StreamTime) {
    perform(transport.goBack(to: place))
    engine.callRenderThread()
  }

  func slept(_ sleep: MonotonicTime) { transport.slept(sleep) }

  func connectAfterSleep() {
    attendPause()
    if phase != .stopped, !transport.isResting { engine.renewConnections() }
  }

  func sinkFailedForGood() { stop(.error) }
}
