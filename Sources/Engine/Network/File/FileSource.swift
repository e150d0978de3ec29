import Blocks
import Framing
import Http
import Units

/// The file that plays (R11): its download, its extra requests and its reports. Net thread only.
final class FileSource: ProgrammeSource {
  let handler: ConnectionHandler
  private let transfer: FileTransfer
  private let extras: FileExtras
  private var origin: Origin
  /// True after tags within the file have set a title.
  private var isTitled = false
  /// The last title from tags before the first audible packet.
  private var passedTitle: StationTitle?
  /// True if `readThrough` was reported or is not needed.
  private var hasReportedReadThrough: Bool

  private enum Origin: Equatable {
    case tuned
    /// A next file with its token, before its first packet is in the ring.
    case following(Int)
    case followed(Int)
  }

  /// `head`: of the first response.
  init(_ head: HttpHead, of connection: StationConnection, _ handler: ConnectionHandler) {
    self.handler = handler
    let search = handler.context.search
    let readsHead = connection.part.firstByte != nil && head.isPartial
    let tail = search.isLocal ? search.address.map { LocalFile.tail(of: $0, FileTransfer.oggTailByteCount) } : nil
    transfer = FileTransfer(
      head, connection.intake, readsHead: readsHead, goal: max(.zero, search.request.start), localTail: tail)
    origin = handler.sequence.isFollowing ? .following(handler.sequence.token) : .tuned
    hasReportedReadThrough = readsHead || search.request.start <= .zero
    if !search.allowsPartSearch { transfer.skipFirstSearch() }
    extras = FileExtras(handler.context, transfer)
    extras.target = connection.transfer?.redirectedRequest
  }

  var isLive: Bool { false }

  var hasEnd: Bool { true }

  var continuesAtByte: Bool { true }

  var needsAudio: Bool { true }

  var hasStarted: Bool { transfer.hasStarted }

  var left: StreamTime? { transfer.left }

  private var isFollowing: Bool { if case .following = origin { true } else { false } }

  // MARK: Requests

  /// Adds the next part to a request. Returns the first byte of that part.
  func addRange(_ http: inout HttpRequest) -> Int? {
    if let target = extras.target { http.follow(target) }
    http.ifRange = transfer.validator
    http.byteCount = transfer.partByteCount.map { Int64($0) }
    return transfer.nextByte
  }

  var allowsSeek: Bool { !handler.sequence.isFollowing && transfer.isMapped }

  func seek(to goal: StreamTime) {
    if transfer.seek(to: goal) { handler.perform(.reopen, nil) }
    // Repeats interrupted requests.
    if transfer.isAnnounced { extras.read() }
  }

  // MARK: Data

  func handleHead(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict {
    handler.recordHead(connection, head)
    if extras.target != nil, (400..<500).contains(head.status), head.status != 416 {
      // The address of the redirect has expired.
      extras.target = nil
      connection.recordTurn(.requestAgain)
      return .stop
    }
    extras.target = connection.transfer?.redirectedRequest ?? extras.target
    let verdict = connection.part.firstByte.flatMap { evaluateHead(connection, head, asked: $0) }
    return verdict ?? handler.handleHead(connection, head, isLive: false)
  }

  /// Handles the response to a request from byte `asked` on. Returns nil to continue with the checks for any response.
  private func evaluateHead(_ connection: StationConnection, _ head: HttpHead, asked: Int) -> HeadVerdict? {
    var skipped = 0
    switch transfer.evaluateHead(head, asked: asked) {
    case .any: return nil
    case .part(let skip): skipped = skip
    case .whole: reportReadThrough()
    case .turn(.changed) where transfer.beginRejoin(in: head):
      connection.recordTurn(.requestAgain)
      return .stop
    case .turn(let turn):
      connection.recordTurn(.file(turn))
      return .stop
    case .wrongPart:
      search.ask(by: .whole)
      connection.setVerdict(search.faults.fault(.otherPart))
      return .stop
    }
    connection.receive(partBy: transfer.intake, skip: skipped, report.facts)
    return .go
  }

  private func openWindow() -> Bool {
    defer { if let isWhole = transfer.isFirstSearchWhole { search.recordPartSearch(isWhole: isWhole) } }
    return transfer.openWindow()
  }

  private func reportReadThrough() {
    hasReportedReadThrough = true
    report.markUnseekable()
    report.send(search.faults.readThroughNotice)
  }

  func admission(of connection: StationConnection) -> Admission {
    // A probe waits for 3 s at most, so a full ring must not delay its bytes.
    let isProbe = transfer.isProbing && handler.isLead(connection)
    let admission = handler.admission(of: connection, left: left, needsRoom: !isProbe)
    if case .pause(hasEnough: true) = admission, !connection.isTakenForLive { extras.startCount() }
    return admission
  }

  func handleBytes(_ connection: StationConnection, byteCount: Int) {
    guard let intake = connection.intake else { return }
    if handler.isLead(connection), recordBytes(byteCount) { return handler.perform(.reopen, connection) }
    if transfer.isProbing, handler.isLead(connection) { return }
    guard connection.bringsAudio else { return handler.handleBytes(connection) }
    announce(isOver: false)
    handler.recordDelivery(by: intake)
  }

  /// Records new bytes. Returns true if another part must be requested.
  private func recordBytes(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return false }
    transfer.advance(byteCount)
    transfer.readTag()
    extras.searchLocalParts()
    return transfer.wantsOtherPart && openWindow()
  }

  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    guard handler.isLead(connection) else { return handler.stream.accept(connection, info, bytes, title) }
    if let title { accept(title) }
    // Reported only now, because the bytes before the first packet could be a list.
    if !hasReportedReadThrough { reportReadThrough() }
    if let needed = output.blocksNeeded(for: info.byteCount) {
      return connection.end(search.faults.fault(.fewBlocks(needed: needed)))
    }
    let result = transfer.accept(info, bytes)
    if let stitch = transfer.removeStitch() { report.send(.stitched(stitch)) }
    switch result {
    case .dropped: break
    case .audible(let packet): write(packet, bytes, from: nil, connection)
    case .first(var packet, let time):
      let title = passedTitle.take()
      guard case .following(let token) = origin else {
        if transfer.isAnnounced, let title { reportTitle(title, at: time) }
        return write(packet, bytes, from: time, connection)
      }
      origin = .followed(token)
      transfer.setPlace(at: FilePlace(base: output.time - time, border: output.time))
      packet.beginsFile = true
      packet.followsGap = false
      write(packet, bytes, from: nil, connection)
      _ = handler.advance { $0.recordPacket() }
    }
  }

  /// Only the last tags before the first audible packet count; at the first start the file's own title is reported.
  private func accept(_ title: StationTitle) {
    guard title.origin == .tags, title.ad == nil else { return output.accept(title) }
    guard transfer.hasStarted else { return passedTitle = title }
    reportTitle(title, at: output.time)
  }

  /// An empty title is reported only if it clears another title, which may be the file's own.
  private func reportTitle(_ title: StationTitle, at time: StreamTime) {
    guard isTitled || transfer.tags.title != nil || !title.text.isEmpty else { return }
    isTitled = true
    output.accept(StationTitle(text: title.text), at: time)
  }

  private func write(
    _ packet: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, _ connection: StationConnection
  ) {
    _ = connection.markJoined()
    output.accept(ofFile: packet, bytes, from: start, at: connection.lastData)
    connection.recordPacket()
    report.recordPacket()
    if transfer.isAnnounced { report.reportResumed() }
  }

  // MARK: Reports

  /// Reports the file once its duration is known, later a better duration. `isOver`: true if the file is complete.
  private func announce(isOver: Bool) {
    guard var told = report.facts else { return }
    switch transfer.announcement(isOver: isOver, isFollowing: isFollowing) {
    case nil: return
    case .length(let length): report.reportUpdates([.length(length)])
    case .begins(let duration, let place):
      told.duration = duration
      told.byteCount = transfer.byteCount ?? told.byteCount
      told.container = transfer.intake?.form ?? .packed
      if transfer.hasNoPlaces { told.isSeekable = false }
      search.retries.recordPlaying()
      report.reportStart(told, at: place, token: token)
      if let title = transfer.titleNotice { report.send(title) }
      extras.read()
    }
  }

  private var token: Int {
    switch origin {
    case .tuned: 0
    case .following(let token), .followed(let token): token
    }
  }

  // MARK: Extra requests

  func interrupt() { extras.interrupt() }

  func poll() {
    guard extras.poll() else { return }
    // Without a connection, the programme has failed or waits for its next try.
    guard handler.hasLead else { return extras.interrupt() }
    transfer.endFirstSearch()
    if openWindow() { handler.perform(.reopen, nil) }
  }

  var due: MonotonicTime { extras.due }
}

// MARK: - End of a response

extension FileSource {
  func handleEnd(_ connection: StationConnection, _ end: TransferEnd) {
    guard let end = handler.confirm(end, of: connection, isUnderWay: isUnderWay) else { return }
    if connection.intake == nil, connection.part.turn == nil { extras.target = nil }
    if case .requestAgain = connection.part.turn, handler.isLead(connection) {
      return handler.perform(.reopen, connection)
    }
    guard handler.isLead(connection), isFilePart(connection) else {
      if let outcome = refusedWindow(connection) { return handler.perform(outcome, connection) }
      return handler.handleEnd(connection, end, isLive: false)
    }
    handler.perform(outcome(of: connection, end), connection)
  }

  /// Returns the outcome if a server refuses the window after the requests of a search: a limit of requests soon
  /// allows a try without a search.
  private func refusedWindow(_ connection: StationConnection) -> SourceOutcome? {
    guard handler.isLead(connection), !isUnderWay, transfer.isFirstSearchWhole != nil, let verdict = connection.verdict,
      verdict.status == 429 || verdict.status == 503
    else { return nil }
    search.recordPartSearch(isWhole: false)
    return .failed(verdict, mayPass: true)
  }

  /// Returns false for a response that may be a list, or that must be requested as a whole.
  private func isFilePart(_ connection: StationConnection) -> Bool {
    if case .requestWhole = connection.part.turn { return false }
    if connection.part.turn != nil || isUnderWay || connection.bringsAudio { return true }
    return transfer.isAtHead || transfer.isProbing
  }

  private func outcome(of connection: StationConnection, _ end: TransferEnd) -> SourceOutcome {
    switch transfer.end(facts(of: connection, end)) {
    case .openWindow: return openWindow() ? .reopen : .nothing
    case .endHead: return handleHeadEnd(connection)
    case .finish: return finish(connection)
    case .finishShort:
      report.reportFailure(search.faults.closedConnection(end))
      return finish(connection)
    case .giveUp(let cause): return .giveUp(fault(cause, connection, end))
    case .retry(let cause):
      let fault = fault(cause, connection, end)
      if cause == .closed { report.reportTemporary(fault) }
      return .failed(fault, mayPass: fault.cause != .fewBlocks)
    }
  }

  /// Processes the last packets and reports the complete file. If the goal is unreachable from this part, requests
  /// another part.
  private func finish(_ connection: StationConnection) -> SourceOutcome {
    transfer.intake?.finish(connection)
    if transfer.handleLastByte(), openWindow() { return .reopen }
    announce(isOver: true)
    return .whole
  }

  private func facts(of connection: StationConnection, _ end: TransferEnd) -> FileProgress.End {
    var told = FileProgress.End(isUnderWay: isUnderWay)
    if case .file(let turn) = connection.part.turn { told.turn = turn }
    told.verdict = connection.verdict.map { verdict in
      if verdict.status == 404 || verdict.status == 410 { return .gone }
      return verdict.category == .badContent ? .badContent : .other
    }
    if case .failed(let error) = end { told.close = error.isWorthRetrying || error == .cancelled ? .passing : .final }
    told.isAnswered = connection.intake != nil
    told.hasNewBytes = connection.part.hasNewBytes
    return told
  }

  private func fault(_ cause: FileProgress.Cause, _ connection: StationConnection, _ end: TransferEnd) -> PlaybackFault
  {
    let faults = search.faults
    return switch cause {
    case .changed: faults.fault(.fileChanged)
    case .coded: faults.brokenConnection(.failed(.compressed))
    case .verdict: connection.verdict ?? faults.brokenConnection(end)
    case .broken: faults.brokenConnection(end)
    case .closed: faults.closedConnection(end)
    }
  }

  private func handleHeadEnd(_ connection: StationConnection) -> SourceOutcome {
    switch (transfer.endHead(connection), transfer.intake?.phase) {
    case (.openWindow, _): openWindow() ? .reopen : .nothing
    case (.requestMore, _): .reopen
    case (.requestList, _): .requestList
    case (.openList, .playlist(let kind)?): .list(kind, transfer.intake?.gathered ?? [])
    case (.refuse, .refused(let kind)?): .failed(search.faults.fault(.notPlayed(kind)), mayPass: false)
    default: .failed(search.faults.fault(.noAudio), mayPass: false)
    }
  }
}
