import AudioOutput
import Rendering
import Units

/// Carries out the decisions of `OutputSupervisor` (R10.1), and sets the sink's format. Control thread only.
final class OutputKeeper {
  private let engine: any EngineControl
  private unowned let client: any OutputClient
  private var supervisor: OutputSupervisor
  private var slept: Duration
  private var tapFormat: TapFormat?
  private(set) var sinkFailure: SinkError?

  /// Minimum duration of a sleep. CLOCK_MONOTONIC stops during a sleep, but a small difference may have another cause.
  private static let minSleep = Duration(milliseconds: 2_000)

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

  func endSuspension() { process(.endSuspension) }

  /// Reports, once, a device that was missing at creation. The report is late, because no observer exists at creation.
  func reportAbsence() { perform(supervisor.reportAbsence()) }

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
        processFailure(error)
      }
    }
    reportTaps()
    if sinkFailure == nil, let failure = engine.outputFailure { processFailure(failure) }
    return isSet
  }

  func reportTaps() {
    guard engine.tapFormat != tapFormat else { return }
    if let tapFormat { client.emit(.tapDisposed(tapFormat)) }
    tapFormat = engine.tapFormat
    if let tapFormat { client.emit(.tapCreated(tapFormat)) }
  }

  /// Handles a sink that failed or refused a format.
  private func processFailure(_ error: SinkError) {
    if engine.isOutputRecoverable { return interrupt(.failed(error)) }
    sinkFailure = error
    client.emit(.deviceLost(device: engine.outputName, message: error.description))
    client.sinkFailedForGood()
  }

  private func attendInterruption() {
    reportAbsence()
    attendSleep()
    guard isSuspended else { return }
    if supervisor.isReleased { engine.discardStale() } else { releaseDevice() }
    process(.due)
  }

  /// Detects a sleep of the machine by its clocks, because no event announces a sleep.
  private func attendSleep() {
    let jump = engine.slept - slept
    guard jump > .zero else { return }
    slept = engine.slept
    guard jump >= Self.minSleep else { return }
    client.slept(jump)
    interrupt(.slept)
    process(.due)
  }

  // MARK: Decisions and actions

  private func interrupt(_ input: OutputSupervisor.Input) {
    reportAbsence()
    process(input)
  }

  private func process(_ input: OutputSupervisor.Input) { perform(supervisor.process(input, at: now)) }

  private func perform(_ actions: [OutputSupervisor.Action]) { for action in actions { perform(action) } }

  private func perform(_ action: OutputSupervisor.Action) {
    switch action {
    case .reportLost(let error): client.emit(.deviceLost(device: engine.outputName, message: error.description))
    case .reportReturn: client.emit(.deviceBack(device: engine.outputName, message: returnMessage))
    case .reportWillSuspend: client.emit(.willSuspend)
    case .reportSuspended: client.emit(.suspended)
    case .closeLost: engine.closeLost()
    case .fallSilent: client.pauseForDevice()
    case .release: releaseDevice()
    case .goBack: client.goBackToHeard()
    case .reopen: reopenDevice()
    case .followDevice: followDevice()
    case .resume:
      client.emit(.resumed)
      client.resumeForDevice()
    case .renewConnections: client.connectAfterSleep()
    }
  }

  private var returnMessage: String {
    let name = engine.outputName
    return engine.isCard ? "The sound device \"\(name)\" is there again." : "The pipe \(name) has a reader now."
  }

  private func releaseDevice() { if engine.release() { process(.released(hasUnheard: engine.consumeUnheardFlag())) } }

  private func reopenDevice() {
    do throws(SinkError) {
      try engine.reopen()
    } catch {
      return process(.refused(error))
    }
    process(.takenUp)
  }

  /// Adopts the device's rates, which may differ, and decodes again the audio that the device cannot play.
  private func followDevice() {
    guard let place = engine.followRates() else { return }
    client.decodeAnew(from: place)
  }
}
