import Blocks
import Framing
import Http
import Listings
import System
import Units

/// Tunes to a station: opens its playlists, tries its addresses, receives its audio, and reconnects. Net thread only.
final class StreamSession {
  let context: ProgrammeContext
  private let connections: Connections
  private let reconnector: Reconnector
  private let flow: FlowControl
  let programme: TunedProgramme
  private let second: SecondSource
  private let rates: RateSwitch
  private let nameProbe = NameProbe()

  init(_ context: ProgrammeContext, _ hold: HoldRule) {
    self.context = context
    connections = Connections(context)
    flow = FlowControl(context, hold)
    reconnector = Reconnector(context, connections)
    let handler = ConnectionHandler(context, connections, reconnector, flow)
    second = SecondSource(context, connections, handler.stream)
    programme = TunedProgramme(context, connections, reconnector, handler, nameProbe)
    rates = RateSwitch(context, connections, programme, handler.stream)
    programme.replaceLeads { [second] in second.replace($0, after: $1, $2, mayWait: $0?.isJoined != false) }
  }

  private var output: ProgrammeOutput { context.output }

  private var search: StationSearch { context.search }

  private var report: ProgrammeReport { context.report }

  private var now: MonotonicTime { context.now }

  private var faults: AddressFaults { search.faults }

  // MARK: Commands

  func tune(_ request: StationRequest, epoch: UInt32) { tune(request, epoch: epoch, fileNumber: 0) }

  private func tune(_ request: StationRequest, epoch: UInt32, fileNumber: Int) {
    stop()
    context.engine.forgetCookies(of: search.programme)
    programme.begin(fileNumber: fileNumber)
    report.begin()
    output.beginTitles(request)
    output.begin(epoch: epoch)
    do throws(NetworkError) {
      try search.begin(request, at: now, seed: seed)
      second.begin(seed: seed)
      rates.begin()
      programme.connect()
    } catch {
      report.send(.fault(faults.error(error, of: request.url), isFinal: true))
    }
  }

  private var seed: UInt64 { UInt64(bitPattern: now.nanoseconds) }

  /// Moves to another position and drops the buffered audio.
  func seek(_ seek: FileSeek) {
    let isKnown = programme.seek(seek) {
      stop()
      output.begin(epoch: seek.epoch)
      if programme.source.isLive { output.beginTitles(seek.request) } else { output.forgetTitles() }
      search.retries.reset(seed: seed)
    }
    if !isKnown { tune(seek.request, epoch: seek.epoch, fileNumber: seek.number) }
  }

  func follow(_ next: Follow) { programme.follow(next) }

  func stop() {
    output.setTitleRequests(false, search.request)
    closeConnections()
  }

  /// Ends the connection of a live station, or the retries, until `resume`. The buffered audio and all facts remain.
  func rest() {
    let source = programme.source
    guard connections.isBusy || nameProbe.isAsking || source.wait != nil, !source.hasEnd else { return }
    // A stream that may be a file stays connected.
    if let lead = connections.lead, programme.arrivesAsFile(lead) { return }
    connections.lead?.flush()
    output.settle()
    closeConnections(toRest: true)
  }

  var isResting: Bool { connections.state == .resting }

  /// Reconnects a resting station at once and joins its packets to the buffered packets. A station that has not played
  /// yet is tried at once, with the whole time for its first connection.
  func resume() {
    guard isResting else {
      guard !search.hasPlayed else { return }
      search.retries.restartSearch(at: now)
      _ = connections.hasten(to: search.retries.earliestTry(after: now))
      return
    }
    if search.hasPlayed { report.send(.lost) }
    connections.plan(search.retries.resume(at: now))
  }

  /// Replaces all connections after the machine has slept.
  func replaceConnections() {
    second.close()
    rates.close()
    search.retries.restartEagerPhase()
    connections.dropSpares()
    report.clearSpareFault()
    if programme.source.giveUp(faults.fault(.slept)) { return }
    _ = connections.hasten(to: search.retries.earliestTry(after: now))
    guard let lead = connections.lead, !search.isLocal else { return }
    programme.giveUp(lead, faults.fault(.slept))
  }

  /// Starts or stops requests for titles outside the stream, if the station has such titles.
  func requestTitles(_ isWanted: Bool) { output.setTitleRequests(isWanted, search.request) }

  func adjust(_ change: RequestChange) { search.adjust(change) }

  func use(_ hold: HoldRule) { flow.apply(hold) }

  func use(_ rule: SecondSourceRule) { second.use(rule) }

  func closeSecond() { second.close() }

  private func closeConnections(toRest: Bool = false) {
    programme.source.interrupt()
    nameProbe.cancel()
    connections.close(toRest: toRest)
    flow.release()
    report.clearSpareFault()
    connections.clearLinkGain()
  }

  // MARK: Time

  func poll() {
    output.settle(at: now, isFull: flow.isJoinFull(of: connections.lead))
    for connection in connections.paused where connection.isPaused {
      if flow.poll(connection, of: programme.pace, isLive: programme.source.isLive, at: now) { report.send(.full) }
    }
    pollNames()
    pollConnections()
    second.poll(programme.source)
    rates.poll()
    output.poll(programme.onAir, at: now, wall: context.engine.clock.wallSeconds())
    programme.source.poll()
  }

  var nextMoment: MonotonicTime {
    let due = connections.due(at: now, rules, look: flow.interval)
    return min(
      due, output.due(programme.onAir, at: now), nameProbe.due, programme.source.due, second.due(programme.source),
      rates.due)
  }

  /// Descriptors for poll(2), in addition to those of the transfers.
  var descriptors: [Int32] { [output.descriptor, nameProbe.descriptor].compactMap { $0 } }

  var hasWaitingReader: Bool { output.isAwaited }

  /// True if enough is buffered and arriving that a check every 200 ms suffices.
  var allowsRareChecks: Bool { programme.source.isAtEase }

  var wait: NetWait {
    if let lead = connections.lead { return flow.wait(for: lead, at: now) }
    if let wait = programme.source.wait { return wait }
    return switch connections.state {
    case .resting: .listener
    case .waiting: .nextTry
    case .idle, .on: nameProbe.isAsking ? .nameServer : .order
    }
  }
}

// MARK: - Connections

extension StreamSession {
  private var rules: ConnectionPlan.Rules {
    ConnectionPlan.Rules(
      allowsSpares: output.isHeard && search.hasPlayed && programme.source.isLive && reconnector.allowsSpare,
      dataTimeout: search.request.dataTimeout,
      isDoubtful: isResumable && connections.isDoubtful(at: now))
  }

  private func pollConnections() {
    while let step = connections.step(at: now, rules) {
      switch step {
      case .connect: return programme.connect()
      case .connectSpare:
        // The lead, a spare and the second connection are the most.
        rates.close()
        if connections.hasSpares { second.close() }
        return programme.connectSpare()
      case .giveUpInDoubt: replaceConnectionAfterLinkChange()
      case .giveUp(let silence):
        guard let lead = connections.lead else { return connections.close() }
        programme.giveUpSilent(lead, faults.silence(silence))
      case .planSpare(let silence, let isNext): planSpare(after: silence, isNext: isNext)
      }
    }
  }

  /// Plans a spare for the silent lead. If the previous spare delivered nothing either, a second connection with audio
  /// replaces the lead.
  private func planSpare(after silence: Duration, isNext: Bool) {
    let fault = faults.silence(silence)
    let isReplaced = second.replace(connections.lead, after: fault, programme.source, mayWait: !isNext)
    if !isReplaced { reconnector.planSpare(after: silence, isNext: isNext, at: now) }
  }

  func linkChanged(_ changes: LinkChanges) {
    guard connections.isPlanned || search.hasPlayed else { return }
    let isOn = connections.lead != nil || programme.source.wait != nil
    let isTried = connections.isPlanned || isOn && !programme.source.hasEnd
    if changes.contains(.lost), isTried, !faults.hasRoute { report.reportNetworkLoss(faults.noNetwork) }
    guard changes.contains(.gained) else { return }
    if programme.source.networkChanged() { return }
    connections.recordLinkGain(at: now)
    if reconnector.handleNetworkChange(rules, isResumable: isResumable, at: now) { replaceConnectionAfterLinkChange() }
  }

  private func replaceConnectionAfterLinkChange() {
    second.close()
    connections.clearLinkGain()
    programme.handleFailure(connections.lead, faults.fault(.networkChanged), mayPass: true)
  }

  /// True for a file from a server that can be continued at its byte after a broken connection.
  private var isResumable: Bool {
    programme.source.continuesAtByte && !programme.isFollowing && !search.isLocal && search.mayTry
  }

  /// Handles the failed lookup of a host, once the resolver has replied or timed out.
  private func pollNames() {
    guard let answer = nameProbe.answer(at: now) else { return }
    let error: NetworkError =
      switch answer {
      case .absent: .hostNotFound
      case .denied: .namesDenied
      case .exists, .unanswered: .nameServer
      }
    let fault = faults.error(error)
    programme.handleFailure(nil, fault, mayPass: error.isWorthRetrying || fault.cause == .noNetwork)
  }
}
