import AudioOutput
import Rendering
import Units

/// Carries out the decisions of `OutputSupervisor` (R10.1), and sets the sink's format. Control thread only.
final class OutputKeeper {
  private let engine: any EngineControl
  private unowned let playback: Playback
  private var supervisor: OutputSupervisor
  private var slept: Duration
  private var tapFormat: TapFormat?
  private(set) var sinkFailure: SinkError?

  /// Minimum duration of a sleep. CLOCK_MONOTONIC stops during a sleep, but a small difference may have another cause.
  private static let minSleep = Duration(milliseconds: 2_000)

  init(_ engine: any EngineControl, for playback: Playback) {
    self.engine = engine
    self.playback = playback
    slept = engine.slept
    supervisor = OutputSupervisor(isCard: engine.output.isCard, absence: engine.output.absence, at: engine.now)
    if isSuspended { engine.pause(true) }
  }

  private var now: MonotonicTime { engine.now }
  private var output: any OutputControl { engine.output }

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
    if output.needsFormat {
      do throws(SinkError) {
        isSet = try output.setFormat()
        if isSet { followDevice() }
      } catch {
        processFailure(error)
      }
    }
    reportTaps()
    if sinkFailure == nil, let failure = output.failure { processFailure(failure) }
    return isSet
  }

  func reportTaps() {
    guard output.tapFormat != tapFormat else { return }
    if let tapFormat { playback.emit(.tapDisposed(tapFormat)) }
    tapFormat = output.tapFormat
    if let tapFormat { playback.emit(.tapCreated(tapFormat)) }
  }

  /// Handles a sink that failed or refused a format.
  private func processFailure(_ error: SinkError) {
    if output.isRecoverable { return interrupt(.failed(error)) }
    sinkFailure = error
    playback.emit(.deviceLost(device: output.name, message: error.description))
    playback.stop(.error)
  }

  private func attendInterruption() {
    reportAbsence()
    attendSleep()
    guard isSuspended else { return }
    if supervisor.isReleased { output.discardStale() } else { releaseDevice() }
    process(.due)
  }

  /// Detects a sleep of the machine by its clocks, because no event announces a sleep.
  private func attendSleep() {
    let jump = engine.slept - slept
    guard jump > .zero else { return }
    slept = engine.slept
    guard jump >= Self.minSleep else { return }
    // The sleep counts as part of a pause.
    playback.transport.slept(jump)
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
    case .reportLost(let error): playback.emit(.deviceLost(device: output.name, message: error.description))
    case .reportReturn: playback.emit(.deviceBack(device: output.name, message: returnMessage))
    case .reportWillSuspend: playback.emit(.willSuspend)
    case .reportSuspended: playback.emit(.suspended)
    case .closeLost: output.closeLost()
    case .fallSilent:
      playback.order { $0.interrupt($1) }
      engine.pause(true)
    case .release: releaseDevice()
    case .goBack: playback.order { $0.repeatUnplayed($1) }
    case .reopen: reopenDevice()
    case .followDevice: followDevice()
    case .resume:
      playback.emit(.resumed)
      playback.order { $0.interruptionEnds($1) }
    case .renewConnections: playback.connectAfterSleep()
    }
  }

  private var returnMessage: String {
    let name = output.name
    return output.isCard ? "The sound device \"\(name)\" is there again." : "The pipe \(name) has a reader now."
  }

  private func releaseDevice() { if output.release() { process(.released(hasUnheard: output.consumeUnheardFlag())) } }

  private func reopenDevice() {
    do throws(SinkError) {
      try output.reopen()
    } catch {
      return process(.refused(error))
    }
    process(.takenUp)
  }

  /// Adopts the device's rates, which may differ, and decodes again the audio that the device cannot play.
  private func followDevice() {
    guard let place = engine.followRates() else { return }
    playback.order { transport, _ in transport.goBack(to: place) }
    engine.wakeRenderThread()
  }
}
