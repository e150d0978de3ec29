import AudioOutput
import Rendering
import Units

/// What the one who plays a programme does for the sink that it goes to.
protocol OutputClient: AnyObject {
  /// Tells an event.
  func tell(_ event: Event)
  /// The device is about to go: nothing sounds until it is back.
  func deviceGoes()
  /// The device is back: what it paused goes on.
  func deviceReturns()
  /// The device did not play all that was heard.
  func goBackToHeard()
  /// The device cannot play what was decoded from `place` on: it is decoded anew.
  func decodeAnew(from place: StreamTime)
  /// The machine slept for so long: whoever paused was away all that time.
  func slept(_ sleep: Duration)
  /// The machine slept, and the device was let go: the connections are dead.
  func connectAfterSleep()
  /// The sink failed for good.
  func sinkFailedForGood()
}

/// Another owner of the sound, a device that goes and comes, a machine that sleeps (R10.1): does what
/// `OutputSupervisor` decides, and sets the sink for what is to be played. The control thread's.
final class OutputKeeper {
  private let engine: any EngineControl
  private unowned let client: any OutputClient
  private var supervisor: OutputSupervisor
  /// How long the machine had slept when that was last looked at.
  private var slept: Duration
  private var tapFormat: TapFormat?
  /// Why the file that sound goes to failed for good.
  private(set) var sinkFailure: SinkError?

  /// CLOCK_MONOTONIC stands still while the machine sleeps; a smaller jump is none.
  private static let shortestSleep = Duration(milliseconds: 2_000)

  init(_ engine: any EngineControl, for client: any OutputClient) {
    self.engine = engine
    self.client = client
    slept = engine.slept
    supervisor = OutputSupervisor(isCard: engine.isCard, absence: engine.outputAbsence, at: engine.now)
    if isSuspended { engine.pause(true) }
  }

  private var now: MonotonicTime { engine.now }

  /// Whether the sound is interrupted, by whatever.
  var isSuspended: Bool { supervisor.isSuspended }
  /// Whether the device still plays what it was given.
  var isLettingGo: Bool { supervisor.isLettingGo(at: now) }
  /// Whether the machine slept, and the radio has not gone on yet.
  var hasSlept: Bool { supervisor.hasSlept }
  /// What keeps the sound from its device for now.
  var deviceFailure: SinkError? { supervisor.failure }
  /// How long nothing can become due.
  var patience: Duration { supervisor.patience(at: now) }

  // MARK: Orders

  /// Lets go of the device for another program.
  func suspend() { interrupt(.suspend) }

  /// Takes it again.
  func endSuspension() { take(.endSuspension) }

  /// Tells that the device was not there when the radio was made, as soon as there is somebody to hear it.
  func tellAbsence() { perform(supervisor.tellAbsence()) }

  // MARK: Each round

  /// Sees to interruptions and to the sink; whether it was set for another format.
  func attend() -> Bool {
    attendInterruption()
    guard !isSuspended else { return false }
    var isSet = false
    if engine.needsFormat {
      do throws(SinkError) {
        isSet = try engine.setFormat()
        if isSet { followDevice() }
      } catch {
        failed(error)
      }
    }
    tellTaps()
    if sinkFailure == nil, let failure = engine.outputFailure { failed(failure) }
    return isSet
  }

  /// Tells of what the taps were told.
  func tellTaps() {
    guard engine.tapFormat != tapFormat else { return }
    if let tapFormat { client.tell(.tapDisposed(tapFormat)) }
    tapFormat = engine.tapFormat
    if let tapFormat { client.tell(.tapCreated(tapFormat)) }
  }

  /// The sink failed, or does not take what it is to play.
  private func failed(_ error: SinkError) {
    if engine.outputComesBack { return interrupt(.failed(error)) }
    sinkFailure = error
    client.tell(.deviceLost(device: engine.outputName, message: error.description))
    client.sinkFailedForGood()
  }

  /// Sees to what lasts, and to what is over by itself.
  private func attendInterruption() {
    tellAbsence()
    attendSleep()
    guard isSuspended else { return }
    if supervisor.isReleased { engine.discardStale() } else { letGo() }
    take(.due)
  }

  /// Whether the machine slept: nobody said so before.
  private func attendSleep() {
    let jump = engine.slept - slept
    guard jump > .zero else { return }
    slept = engine.slept
    guard jump >= Self.shortestSleep else { return }
    client.slept(jump)
    interrupt(.slept)
    take(.due)
  }

  // MARK: What is decided, and what is done

  private func interrupt(_ input: OutputSupervisor.Input) {
    tellAbsence()
    take(input)
  }

  private func take(_ input: OutputSupervisor.Input) { perform(supervisor.take(input, at: now)) }

  private func perform(_ actions: [OutputSupervisor.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: OutputSupervisor.Action) {
    switch action {
    case .tellLost(let error): client.tell(.deviceLost(device: engine.outputName, message: error.description))
    case .tellBack: client.tell(.deviceBack(device: engine.outputName, message: wordsOfReturn))
    case .tellWillSuspend: client.tell(.willSuspend)
    case .tellSuspended: client.tell(.suspended)
    case .closeLost: engine.closeLost()
    case .fallSilent: client.deviceGoes()
    case .release: letGo()
    case .goBack: client.goBackToHeard()
    case .takeUp: takeUp()
    case .followDevice: followDevice()
    case .goOn:
      client.tell(.resumed)
      client.deviceReturns()
    case .renewConnections: client.connectAfterSleep()
    }
  }

  private var wordsOfReturn: String {
    let name = engine.outputName
    return engine.isCard ? "The sound device \"\(name)\" is there again." : "The pipe \(name) has a reader now."
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

  /// The device is there, and may have other rates than the one before: what was decoded for that, and cannot be played
  /// by this, is decoded anew.
  private func followDevice() {
    guard let place = engine.followRates() else { return }
    client.decodeAnew(from: place)
  }
}
