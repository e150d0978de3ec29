import Http
import Units

/// Makes the connections of a programme: the first, spares while the lead is silent, and retries after a loss.
/// Net thread only.
final class Reconnector {
  private let connections: Connections
  private let context: ProgrammeContext
  /// Target of the redirect that led to the last lost connection, with the redirecting address. Preferred for one
  /// retry, since the time of other servers may differ.
  private var edge: (from: WebAddress, to: HttpRequest)?
  /// Number of spares since the lead fell silent.
  private var spareCount = 0

  init(_ context: ProgrammeContext, _ connections: Connections) {
    self.context = context
    self.connections = connections
  }

  private var search: StationSearch { context.search }

  private var report: ProgrammeReport { context.report }

  // MARK: Connecting

  /// Starts the only connection, for a part of a file or for the whole address.
  func connect(
    to candidate: Candidates.Candidate, for client: any ConnectionClient, at now: MonotonicTime
  ) throws(NetworkError) {
    spareCount = 0
    connections.begin(try open(candidate, for: client, at: now))
  }

  /// True if an address allows a spare.
  var allowsSpare: Bool { search.mayTry && nextSpare != nil }

  private var nextSpare: (number: Int, candidate: Candidates.Candidate)? {
    // A lead without audio is already a try of the current address.
    let number = max(spareCount, connections.lead?.isJoined == true ? 0 : 1)
    return search.nextSpare(number) { connections.hasSpare(to: $0.address) }
  }

  func connectSpare(for client: any ConnectionClient, at now: MonotonicTime) {
    guard let (number, candidate) = nextSpare else { return }
    spareCount = number + 1
    if search.hasAlternatives || connections.second != nil { connections.makeRoom(onHost: candidate.address.host) }
    do throws(NetworkError) {
      connections.beginSpare(try open(candidate, for: client, at: now), at: now)
      // Only a second connection to the same address shows whether its server allows two.
      if search.isCurrent(candidate) { search.observe { $0.recordSpare(at: now) } }
    } catch {
      spareFailed(nil, search.faults(of: candidate).error(error, of: candidate.address.url))
    }
  }

  private func open(
    _ candidate: Candidates.Candidate, for client: any ConnectionClient, at now: MonotonicTime
  ) throws(NetworkError) -> StationConnection {
    search.retries.recordTry(at: now)
    var http = search.plainRequest(to: candidate)
    if let edge = edge.take(), edge.from == candidate.address, search.hasPlayed { http.follow(edge.to) }
    // Titles in the stream would shift the byte offsets of a file, so ranges could not be used.
    http.wantsIcyMetadata = search.request.mode != .file
    if let port = context.output.titlePort { http.radioHeaders.append("x-audiocast-udpport: \(port)") }
    let part = FilePart(firstByte: addRange(&http, for: client))
    return try connections.open(http, part, to: candidate, for: client, at: now)
  }

  /// Requests the next part of a file, but a station as a whole. Returns the first byte of the part; nil for the whole.
  private func addRange(_ http: inout HttpRequest, for client: any ConnectionClient) -> Int? {
    var firstByte = client.addRange(&http)
    if firstByte == nil, search.request.start > .zero, search.ranges == .parts, search.request.mode != .live {
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

  func replaceLead(by connection: StationConnection) {
    rateConnection(connections.lead, at: connection.lastData)
    connections.replaceLead(by: connection)
    search.observe { $0.recordLoss() }
    search.select(connection.candidate)
    spareCount = 0
    report.record(connection.facts)
    connections.dropSpares()
  }

  private func rateConnection(_ connection: StationConnection?, at now: MonotonicTime) {
    guard let connection, !connection.isRepeating else { return }
    if connection.wasGood(at: now) { search.retries.restartEagerPhase() }
  }

  /// Cancels all other tries, since the silent lead delivers data again.
  func standDown(for connection: StationConnection) {
    connections.dropSpares()
    spareCount = 0
    search.observe { $0.recordData() }
    search.retries.dropRetryAfter()
    if report.isInDoubt, connection.isAnnounced { report.reportConnected() }
    connections.cancelPlan()
    report.clearSpareFault()
  }

  func spareFailed(_ connection: StationConnection?, _ fault: PlaybackFault) {
    if let connection { connections.loseSpare(connection) }
    if let connection, search.isCurrent(connection.candidate) { search.observe { $0.recordRefusal(fault.status) } }
    report.recordSpareFault(fault)
  }

  // MARK: Retries

  func plan(_ reason: PlaybackFault, at now: MonotonicTime) {
    let until = search.retries.planTry(after: now)
    let (attempt, delay) = (search.retries.attempt, max(.zero, until - now))
    report.reportRetry(.reconnecting(attempt: attempt, delay: delay, reason: reason))
    connections.plan(until)
  }

  /// Plans a spare for the silent lead. `isNext`: true if the previous try delivered nothing either.
  func planSpare(after silence: Duration, isNext: Bool, at now: MonotonicTime) {
    let fault = search.faults.silence(silence)
    if isNext, fault.category == .noNetwork { report.reportTemporary(fault) }
    plan(isNext ? fault : report.removeSpareFault() ?? fault, at: now)
  }

  /// Delay before the next address of a station that is received in advance.
  private static let standbyDelay = Duration(milliseconds: 1_000)

  /// Handles a failure before any audio: tries the next address, waits, or gives up.
  func continueSearch(after fault: PlaybackFault, mayPass: Bool, at now: MonotonicTime) {
    switch search.fail(mayPass: mayPass, isPaused: context.output.isPaused, at: now) {
    case .entry(let moment):
      report.reportFailure(fault)
      // In the next iteration: a thousand entries would otherwise nest on the stack.
      connections.plan(context.output.isHeard ? moment : max(moment, now + Self.standbyDelay))
    case .round:
      report.reportFailure(fault)
      plan(fault, at: now)
    case .none: report.giveUp(fault)
    }
  }

  /// Handles the loss of a programme that has played. `heir` replaces the lost connection, else a retry is planned.
  /// After several losses a station is tried at another address, a file is not.
  func recover(
    from fault: PlaybackFault, of connection: StationConnection?, heir: StationConnection?, continuesAtByte: Bool,
    at now: MonotonicTime
  ) {
    rateConnection(connection, at: now)
    search.observe { fault.cause == .disconnected ? $0.recordEnd(at: now) : $0.recordLoss() }
    let losses = search.retries.countLoss()
    if !connections.isBusy, !search.mayTry { return report.giveUp(fault) }
    report.send(.lost)
    if connection?.verdict != nil || fault.category == .noNetwork { report.reportTemporary(fault) }
    if let heir {
      search.select(heir.candidate)
      return report.record(heir.facts)
    }
    if !continuesAtByte, connection?.isJoined == true, let address = search.address,
      let target = connection?.transfer?.redirectedRequest
    {
      edge = (address, target)
    }
    if !continuesAtByte { search.selectNext(after: losses) }
    if !connections.isBusy { plan(fault, at: now) }
  }

  /// Handles a network change: a planned try starts at once. Returns true if the caller must replace the lead. A lead
  /// is replaced only if `isResumable`; otherwise a spare is planned.
  func handleNetworkChange(_ rules: ConnectionPlan.Rules, isResumable: Bool, at now: MonotonicTime) -> Bool {
    search.retries.restartEagerPhase()
    if connections.hasten(to: search.retries.earliestTry(after: now)) || !connections.isStale(at: now) { return false }
    if isResumable { return true }
    guard rules.allowsSpares, !connections.hasFreshSpare(at: now) else { return false }
    connections.dropSpares()
    plan(search.faults.fault(.networkChanged), at: now)
    return false
  }
}
