import Http
import Units

/// Makes the connections of a programme: the first, spares while the lead is silent, and retries after a loss.
/// Net thread only.
final class Reconnector {
  private let connections: Connections
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput

  init(_ connections: Connections, _ search: StationSearch, _ report: ProgrammeReport, _ output: ProgrammeOutput) {
    (self.connections, self.search, self.report, self.output) = (connections, search, report, output)
  }

  // MARK: Connecting

  /// Starts the only connection, for a part of `file` or for the whole address.
  func connect(
    to address: WebAddress, _ file: FileSource?, for router: ResponseRouter, at now: MonotonicTime
  ) throws(NetworkError) {
    connections.begin(try open(address, file, for: router, at: now))
  }

  func connectSpare(for router: ResponseRouter, at now: MonotonicTime) {
    guard let address = search.address else { return }
    do throws(NetworkError) {
      connections.beginSpare(try open(address, nil, for: router, at: now), at: now)
    } catch {
      spareFailed(nil, search.faults.error(error, of: address.url))
    }
  }

  private func open(
    _ address: WebAddress, _ file: FileSource?, for router: ResponseRouter, at now: MonotonicTime
  ) throws(NetworkError) -> StationConnection {
    search.connect(at: now)
    var http = search.plainRequest(for: address)
    // Titles in the stream would shift the byte offsets of a file, so ranges could not be used.
    http.wantsIcyMetadata = search.request.mode != .file
    if let port = output.titlePort { http.radioHeaders.append("x-audiocast-udpport: \(port)") }
    let part = FilePart(firstByte: addRange(&http, for: file))
    return try connections.open(http, part, for: router, at: now)
  }

  /// Requests the next part of a file, but a station as a whole. Returns the first byte of the part; nil for the whole.
  private func addRange(_ http: inout HttpRequest, for file: FileSource?) -> Int? {
    var firstByte: Int?
    if let file {
      firstByte = file.addRange(&http)
    } else if search.request.start > .zero, search.ranges == .parts, search.request.mode != .live {
      firstByte = 0
      http.byteCount = Int64(FileProgress.headPartByteCount)
    }
    guard let firstByte, search.ranges == .parts else { return firstByte }
    http.firstByte = Int64(firstByte)
    http.wantsIcyMetadata = false
    http.receiveBuffer = FileTransfer.receiveBuffer
    return firstByte
  }

  // MARK: Replacing the lead

  func replaceLead(by reception: StationConnection) {
    rateConnection(connections.lead, at: reception.lastData)
    connections.replaceLead(by: reception)
    report.record(reception.facts)
    connections.dropSpares()
  }

  private func rateConnection(_ reception: StationConnection?, at now: MonotonicTime) {
    guard let reception else { return }
    if ReconnectPolicy.wasGood(for: reception.flowingTime, of: now - reception.began) { search.restartEagerPhase() }
  }

  /// Cancels all other tries, since the silent lead delivers data again.
  func standDown(for reception: StationConnection) {
    connections.dropSpares()
    search.dropRetryAfter()
    if report.isInDoubt, reception.isAnnounced { report.reportConnected() }
    connections.cancelPlan()
    report.clearSpareFault()
  }

  func spareFailed(_ reception: StationConnection?, _ fault: PlaybackFault) {
    if let reception { connections.loseSpare(reception) }
    report.recordSpareFault(fault)
  }

  // MARK: Retries

  func plan(_ reason: PlaybackFault, at now: MonotonicTime) {
    let (until, attempt) = search.planTry(after: now)
    report.reportRetry(.reconnecting(attempt: attempt, delay: max(.zero, until - now), reason: reason))
    connections.plan(until)
  }

  /// Plans a spare for the silent lead. `isNext`: true if the previous try delivered nothing either.
  func planSpare(after silence: Duration, isNext: Bool, at now: MonotonicTime) {
    let fault = search.faults.silence(silence)
    if isNext, fault.category == .noNetwork { report.reportTemporary(fault) }
    plan(isNext ? fault : report.removeSpareFault() ?? fault, at: now)
  }

  /// Handles a failure before any audio: tries the next address, waits, or gives up.
  func continueSearch(after fault: PlaybackFault, mayPass: Bool, at now: MonotonicTime) {
    switch search.fail(mayPass: mayPass, at: now) {
    case .entry(let moment):
      report.reportFailure(fault)
      // In the next iteration: a thousand entries would otherwise nest on the stack.
      connections.plan(moment)
    case .round:
      report.reportFailure(fault)
      plan(fault, at: now)
    case .none: report.giveUp(fault)
    }
  }

  /// Handles the loss of a programme that has played. `heir` replaces the lost connection, else a retry is planned.
  /// After several losses a station is tried at another address, a file is not.
  func recover(
    from fault: PlaybackFault, of reception: StationConnection?, heir: StationConnection?, isFile: Bool,
    at now: MonotonicTime
  ) {
    rateConnection(reception, at: now)
    let losses = search.countLoss()
    if !connections.isBusy, !search.mayTry { return report.giveUp(fault) }
    report.send(.lost)
    if reception?.verdict != nil || fault.category == .noNetwork { report.reportTemporary(fault) }
    if let heir { return report.record(heir.facts) }
    if !isFile { search.selectNext(after: losses) }
    if !connections.isBusy { plan(fault, at: now) }
  }

  /// Handles a network change: a planned try starts at once. Returns true if the caller must replace the lead. A lead
  /// is replaced only if `isResumable`; otherwise a spare is planned.
  func handleNetworkChange(_ rules: ConnectionPlan.Rules, isResumable: Bool, at now: MonotonicTime) -> Bool {
    search.restartEagerPhase()
    if connections.hasten(to: search.earliestTry(after: now)) || !connections.isStale(at: now) { return false }
    if isResumable { return true }
    guard rules.allowsSpares, !connections.hasFreshSpare(at: now) else { return false }
    connections.dropSpares()
    plan(search.faults.changedNetwork, at: now)
    return false
  }
}
