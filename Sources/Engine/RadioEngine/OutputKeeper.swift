import AudioOutput
import Rendering
import Units

/// The callbacks of `OutputKeeper`, implemented by `Playback`.
protocol OutputClient: AnyObject {
  func tell(_ event: Event)
  /// Pauses, because the device is about to be released.
  func deviceGoes()
  /// Resumes what `deviceGoes` paused.
  func deviceReturns()
  /// Seeks back to the end of the audible audio, because the device lost the rest.
  func goBackToHeard()
  /// Decodes again from `place`, because the new device cannot play the decoded rate.
  func decodeAnew(from place: StreamTime)
  /// Handles a sleep of the machine; a paused listener was away during it.
  func slept(_ sleep: Duration)
  func connectAfterSleep()
  func sinkFailedForGood()
}

/// Carries out the decisions of `OutputSupervisor` (R10.1), and sets the sink's format. Control thread only.
final class OutputKeeper {
  private let engine: any EngineControl
  private unowned let client: any OutputClient
  private var supervisor: OutputSupervisor
  private var slept: Duration
  private var tapFormat: TapFormat?
  private(set) var sinkFailure: SinkError?

  /// CLOCK_MONOTONIC stops during a sleep; a smaller difference does not count as a sleep.
  private static let shortestSleep = Duration(milliseconds: 2_000)

  init(_ engine: any EngineControl, for client: any OutputClient) {
    self.engine = engine
    self.client = client
    slept = engine.slept
    supervisor = OutputSupervisor(isCard: engine.isCard, absence: engine.outputAbsence, at: engine.now)
    if isSuspended { engine.pause(true) }
  }

  private var now: MonotonicTime { engine.now }

  var isSuspended: Bool { supervisor.isSuspended }
  var isLettingGo: Bool { supervisor.isLettingGo(at: now) }
  var hasSlept: Bool { supervisor.hasSlept }
  var deviceFailure: SinkError? { supervisor.failure }
  var patience: Duration { supervisor.patience(at: now) }

  // MARK: Orders

  func suspend() { interrupt(.suspend) }

  func endSuspension() { take(.endSuspension) }

  /// Reports, once, a device that was missing at creation. The report is late, because no observer exists at creation.
  func tellAbsence() { perform(supervisor.tellAbsence()) }

  // MARK: Iterations

  /// Handles interruptions and the sink. Returns true if the sink's format was set.
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

  func tellTaps() {
    guard engine.tapFormat != tapFormat else { return }
    if let tapFormat { client.tell(.tapDisposed(tapFormat)) }
    tapFormat = engine.tapFormat
    if let tapFormat { client.tell(.tapCreated(tapFormat)) }
  }

  /// Handles a sink that failed or refused a format.
  private func failed(_ error: SinkError) {
    if engine.outputComesBack { return interrupt(.failed(error)) }
    sinkFailure = error
    client.tell(.deviceLost(device: engine.outputName, message: error.description))
    client.sinkFailedForGood()
  }

  private func attendInterruption() {
    tellAbsence()
    attendSleep()
    guard isSuspended else { return }
    if supervisor.isReleased { engine.discardStale() } else { letGo() }
    take(.due)
  }

  /// Detects a sleep of the machine, which nothing announces.
  private func attendSleep() {
    let jump = engine.slept - slept
    guard jump > .zero else { return }
    slept = engine.slept
    guard jump >= Self.shortestSleep else { return }
    client.slept(jump)
    interrupt(.slept)
    take(.due)
  }

  // MARK: Decisions and actions

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

  /// Adopts the device's rates, which may differ, and decodes again the audio that the device cannot play.
  private func followDevice() {
    guard let place = engine.followRates() else { return }
    client.decodeAnew(from: place)
  }
}
