import Units

/// Makes the connections of what is on: the first one, others beside one that is silent, and the next one where it was
/// lost. The net thread's.
///
/// Each moment is given by the caller.
final class Reconnector {
  private let connections: Connections
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput

  /// What makes `connections` to the addresses of `search`.
  init(_ connections: Connections, _ search: StationSearch, _ report: ProgrammeReport, _ output: ProgrammeOutput) {
    (self.connections, self.search, self.report, self.output) = (connections, search, report, output)
  }

  // MARK: Making them

  /// Begins the only connection, which brings a part of `file` or what is at the address.
  func connect(
    to address: WebAddress, _ file: FileSource?, for router: AnswerRouter, at now: MonotonicTime
  ) throws(NetworkError) {
    connections.begin(try open(address, file, for: router, at: now))
  }

  /// Begins another connection beside the silent one.
  func connectSpare(for router: AnswerRouter, at now: MonotonicTime) {
    guard let address = search.address else { return }
    do throws(NetworkError) {
      connections.beginSpare(try open(address, nil, for: router, at: now), at: now)
    } catch {
      spareFailed(nil, search.faults.error(error, of: address.url))
    }
  }

  /// Asks for what is at an address.
  private func open(
    _ address: WebAddress, _ file: FileSource?, for router: AnswerRouter, at now: MonotonicTime
  ) throws(NetworkError) -> Reception {
    search.connect(at: now)
    var http = search.plainRequest(for: address)
    // Bytes of titles would be counted as the file's, and a part of it could not be asked for.
    http.wantsIcyMetadata = search.request.mode != .file
    if let port = output.titlePort { http.radioHeaders.append("x-audiocast-udpport: \(port)") }
    let part = FilePart(firstByte: ask(&http, for: file))
    return try connections.open(http, part, for: router, at: now)
  }

  /// Asks for what of a file is wanted next, for a station as it always was; the byte that is to come first.
  private func ask(_ http: inout HttpRequest, for file: FileSource?) -> Int? {
    var firstByte: Int?
    if let file {
      firstByte = file.ask(&http)
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

  // MARK: One for another

  /// Takes what comes of `reception` from now on, and lets go of all others.
  func replaceLead(by reception: Reception) {
    leave(connections.lead, at: reception.lastData)
    connections.lead(by: reception)
    report.note(reception.facts)
    connections.dropSpares()
  }

  /// A connection is lost, or left for another one: after a good one no try is put off.
  private func leave(_ reception: Reception?, at now: MonotonicTime) {
    guard let reception else { return }
    if ReconnectPolicy.wasGood(for: reception.flowingTime, of: now - reception.began) { search.hurry() }
  }

  /// The silent connection speaks again: nothing else is tried.
  func standDown(for reception: Reception) {
    connections.dropSpares()
    search.serve()
    if report.isInDoubt, reception.isAnnounced { report.connected() }
    connections.unplan()
    report.forgetSpare()
  }

  /// A connection beside a silent one did not do, or could not be made; the silent one gets another.
  func spareFailed(_ reception: Reception?, _ fault: PlaybackFault) {
    if let reception { connections.loseSpare(reception) }
    report.spareFailed(fault)
  }

  // MARK: The next one

  /// Plans the next try, and tells of it.
  func plan(_ reason: PlaybackFault, at now: MonotonicTime) {
    let (until, attempt) = search.next(after: now)
    report.planned(.reconnecting(attempt: attempt, delay: max(.zero, until - now), reason: reason))
    connections.plan(until)
  }

  /// The one that leads has been silent for so long; `isNext` says whether another one was tried and brought nothing.
  func planSpare(after silence: Duration, isNext: Bool, at now: MonotonicTime) {
    let fault = search.faults.silent(silence)
    if isNext, fault.category == .noNetwork { report.passing(fault) }
    plan(isNext ? fault : report.takeSpareFault() ?? fault, at: now)
  }

  /// What was not heard yet failed: the next address, or a wait, or the end.
  func goOn(after fault: PlaybackFault, mayPass: Bool, at now: MonotonicTime) {
    switch search.fail(mayPass: mayPass, at: now) {
    case .entry(let moment):
      report.failed(fault)
      // In the next round: each of a thousand entries would lie on the stack.
      connections.plan(moment)
    case .round:
      report.failed(fault)
      plan(fault, at: now)
    case .none: report.gaveUp(fault)
    }
  }

  /// What has played is gone, with the connection that brought it, if there was one: `heir` takes its place, or it is
  /// tried again, if that is not planned; at another address in the end, unless it is a file.
  func recover(
    from fault: PlaybackFault, of reception: Reception?, heir: Reception?, isFile: Bool, at now: MonotonicTime
  ) {
    leave(reception, at: now)
    let losses = search.lose()
    if !connections.isBusy, !search.mayTry { return report.gaveUp(fault) }
    report.tell(.lost)
    if reception?.verdict != nil || fault.category == .noNetwork { report.passing(fault) }
    if let heir { return report.note(heir.facts) }
    if !isFile { search.goOn(after: losses) }
    if !connections.isBusy { plan(fault, at: now) }
  }

  /// The network has changed: what waits is tried at once; `mayBreak` says whether the connection may be left for
  /// that. Whether it is to be left.
  func hurry(_ rules: Lines.Rules, isResumable: Bool, at now: MonotonicTime) -> Bool {
    search.hurry()
    if connections.hasten(to: search.soonest(after: now)) || !connections.isStale(at: now) { return false }
    if isResumable { return true }
    guard rules.allowsSpares, !connections.hasFreshSpare(at: now) else { return false }
    connections.dropSpares()
    plan(search.faults.changedNetwork, at: now)
    return false
  }
}
