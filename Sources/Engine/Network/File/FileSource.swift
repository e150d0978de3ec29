import Blocks
import Framing
import Http
import Units

/// The file that plays (R11): its download, its extra requests and its reports. Net thread only.
final class FileSource {
  private let transfer: FileTransfer
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  private var sideRequests: FileSideRequests
  private var origin: Origin
  /// True after tags within the file have set a title.
  private var isTitled = false
  /// The last tags before the first audible packet.
  private var passedTags: StreamTags?
  /// True if `readThrough` was reported or is not needed.
  private var hasReportedReadThrough: Bool

  private enum Origin: Equatable {
    case tuned
    /// A next file with its token, before its first packet is in the ring.
    case following(Int)
    case followed(Int)
  }

  /// `head`: of the first response. `token`: nil unless the file follows another.
  init(
    _ head: HttpHead, of reception: StationConnection, token: Int?, _ engine: HttpEngine, _ search: StationSearch,
    _ report: ProgrammeReport, _ output: ProgrammeOutput
  ) {
    let readsHead = reception.part.firstByte != nil && head.isPartial
    let tail = search.isLocal ? search.address.map { LocalFile.tail(of: $0, FileTransfer.oggTailByteCount) } : nil
    transfer = FileTransfer(
      head, reception.intake, readsHead: readsHead, goal: max(.zero, search.request.start), localTail: tail)
    origin = token.map { .following($0) } ?? .tuned
    sideRequests = FileSideRequests(engine)
    (self.search, self.report, self.output) = (search, report, output)
    hasReportedReadThrough = readsHead || search.request.start <= .zero
  }

  deinit {
    sideRequests.resetCount()
    sideRequests.resetTail()
  }

  var hasStarted: Bool { transfer.hasStarted }

  var isMapped: Bool { transfer.isMapped }

  var isAtHead: Bool { transfer.isAtHead }

  var left: StreamTime? { transfer.left }

  private var isFollowing: Bool { if case .following = origin { true } else { false } }

  // MARK: Requests

  /// Adds the next part to a request. Returns the first byte of that part.
  func addRange(_ http: inout HttpRequest) -> Int {
    http.ifRange = transfer.validator
    http.byteCount = transfer.partByteCount.map { Int64($0) }
    return transfer.nextByte
  }

  func seek(to goal: StreamTime) -> Bool { transfer.seek(to: goal) }

  // MARK: Data

  /// Handles the response to a request from byte `asked` on. Returns nil to continue with the checks for any response.
  func handleHead(_ reception: StationConnection, _ head: HttpHead, asked: Int) -> HeadVerdict? {
    var skipped = 0
    switch transfer.evaluateHead(head, asked: asked) {
    case .any: return nil
    case .part(let skip): skipped = skip
    case .whole: reportReadThrough()
    case .turn(let turn):
      reception.recordTurn(.file(turn))
      return .stop
    case .wrongPart:
      search.ask(by: .whole)
      reception.setVerdict(search.faults.wrongPart)
      return .stop
    }
    reception.receive(partBy: transfer.intake, skip: skipped, report.facts)
    return .go
  }

  private func reportReadThrough() {
    hasReportedReadThrough = true
    report.markUnseekable()
    report.send(search.faults.readThroughNotice)
  }

  /// Records new bytes. Returns true if another part must be requested.
  func recordBytes(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return false }
    transfer.advance(byteCount)
    transfer.readTag()
    return transfer.wantsOtherPart && transfer.openWindow()
  }

  /// Processes a packet. Returns true for the first packet of a next file.
  func accept(_ reception: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    // Reported only now, because the bytes before the first packet could be a list.
    if !hasReportedReadThrough { reportReadThrough() }
    if let needed = output.blocksNeeded(for: info.byteCount) {
      reception.end(search.faults.tooFewBlocks(needed))
      return false
    }
    switch transfer.accept(info, bytes) {
    case .dropped: return false
    case .audible(let packet):
      write(packet, bytes, from: nil, reception)
      return false
    case .first(var packet, let time):
      let tags = passedTags
      passedTags = nil
      guard case .following(let token) = origin else {
        if transfer.isAnnounced, let tags { reportTitle(tags, at: time) }
        write(packet, bytes, from: time, reception)
        return false
      }
      origin = .followed(token)
      transfer.setPlace(at: FilePlace(base: output.time - time, border: output.time))
      (packet.beginsFile, packet.followsGap) = (true, false)
      write(packet, bytes, from: nil, reception)
      return true
    }
  }

  /// Only the last tags before the first audible packet count; at the first start the file's own title is reported.
  func accept(_ tags: StreamTags) {
    guard transfer.hasStarted else { return passedTags = tags }
    reportTitle(tags, at: output.time)
  }

  /// An empty title is reported only if it clears another title.
  private func reportTitle(_ tags: StreamTags, at time: StreamTime) {
    let title = StationTitle(tags)
    guard isTitled || transfer.title != nil || !title.text.isEmpty else { return }
    isTitled = true
    output.accept(title, at: time)
  }

  private func write(
    _ packet: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, _ reception: StationConnection
  ) {
    _ = reception.markJoined()
    output.accept(ofFile: packet, bytes, from: start, at: reception.lastData)
    reception.recordPacket()
    report.recordPacket()
    if transfer.isAnnounced { report.reportResumed() }
  }

  // MARK: Reports

  /// Reports the file once its duration is known, later a better duration. `isOver`: true if the file is complete.
  func announce(isOver: Bool, at now: MonotonicTime) {
    guard var told = report.facts else { return }
    switch transfer.announcement(isOver: isOver, isFollowing: isFollowing) {
    case nil: return
    case .length(let length): report.reportUpdates([.length(length)])
    case .begins(let duration, let place):
      told.duration = duration
      told.byteCount = transfer.byteCount ?? told.byteCount
      told.container = transfer.intake?.form ?? .packed
      if transfer.hasNoPlaces { told.isSeekable = false }
      search.recordPlaying()
      report.reportStart(told, at: place, token: token)
      if let title = transfer.titleNotice { report.send(title) }
      readTail(at: now)
    }
  }

  private var token: Int {
    switch origin {
    case .tuned: 0
    case .following(let token), .followed(let token): token
    }
  }

  // MARK: Extra requests

  /// Repeats an interrupted request for the end, after a seek.
  func retryTailRequest(at now: MonotonicTime) { if transfer.isAnnounced { readTail(at: now) } }

  private func readTail(at now: MonotonicTime) {
    guard transfer.restsOnItsEnd, let http = sideRequest() else { return }
    sideRequests.readTail(of: transfer, by: http, at: now) { [weak self] bytes in
      guard let self else { return }
      sideRequests.endTail()
      report.reportUpdates(transfer.evaluateTail(tail: bytes))
    }
  }

  func startCount(at now: MonotonicTime) {
    guard !sideRequests.hasCounted, let stretch = transfer.stretchToCount, let http = sideRequest() else { return }
    sideRequests.startCount(transfer, stretch, by: http, at: now) { [weak self] time in
      guard let self, let notice = transfer.correct(at: time) else { return }
      report.send(notice)
    } onEnd: { [weak self] in
      self?.sideRequests.endCount()
    }
  }

  private func sideRequest() -> HttpRequest? {
    guard report.facts?.isSeekable == true, search.ranges == .parts, let address = search.address, !address.isFile
    else { return nil }
    return search.plainRequest(for: address)
  }

  func cancelSideRequests() {
    sideRequests.resetCount()
    sideRequests.interruptTail()
  }

  func poll(at now: MonotonicTime) { sideRequests.poll(at: now) }

  var due: MonotonicTime { sideRequests.due }
}

// MARK: - End of a response

extension FileSource {
  func handleEnd(
    _ reception: StationConnection, _ end: TransferEnd, isUnderWay: Bool, at now: MonotonicTime
  ) -> SourceOutcome {
    switch transfer.end(facts(of: reception, end, isUnderWay)) {
    case .openWindow: return transfer.openWindow() ? .requestNextPart : .nothing
    case .endHead: return handleHeadEnd(reception)
    case .finish: return finish(reception, at: now)
    case .finishShort:
      report.reportFailure(search.faults.closedConnection(end))
      return finish(reception, at: now)
    case .giveUp(let cause): return .giveUp(fault(cause, reception, end))
    case .retry(let cause):
      let fault = fault(cause, reception, end)
      if cause == .closed { report.reportTemporary(fault) }
      return .failed(fault, mayPass: fault.cause != .fewBlocks)
    }
  }

  /// Processes the last packets and reports the complete file. If the goal is unreachable from this part, requests
  /// another part.
  private func finish(_ reception: StationConnection, at now: MonotonicTime) -> SourceOutcome {
    transfer.intake?.finish(reception)
    if transfer.handleLastByte(), transfer.openWindow() { return .requestNextPart }
    announce(isOver: true, at: now)
    return .whole
  }

  private func facts(of reception: StationConnection, _ end: TransferEnd, _ isUnderWay: Bool) -> FileProgress.End {
    var told = FileProgress.End(isUnderWay: isUnderWay)
    if case .file(let turn) = reception.part.turn { told.turn = turn }
    told.verdict = reception.verdict.map { verdict in
      if verdict.status == 404 || verdict.status == 410 { return .gone }
      return verdict.category == .badContent ? .badContent : .other
    }
    if case .failed(let error) = end { told.close = error.isWorthRetrying || error == .cancelled ? .passing : .final }
    (told.isAnswered, told.hasNewBytes) = (reception.intake != nil, reception.part.hasNewBytes)
    return told
  }

  private func fault(_ cause: FileProgress.Cause, _ reception: StationConnection, _ end: TransferEnd) -> PlaybackFault {
    let faults = search.faults
    return switch cause {
    case .changed: faults.changedFile
    case .coded: faults.brokenConnection(.failed(.compressed))
    case .verdict: reception.verdict ?? faults.brokenConnection(end)
    case .broken: faults.brokenConnection(end)
    case .closed: faults.closedConnection(end)
    }
  }

  private func handleHeadEnd(_ reception: StationConnection) -> SourceOutcome {
    switch (transfer.endHead(reception), transfer.intake?.phase) {
    case (.openWindow, _): transfer.openWindow() ? .requestNextPart : .nothing
    case (.requestMore, _): .requestNextPart
    case (.requestList, _): .requestList
    case (.openList, .playlist(let kind)?): .list(kind, transfer.intake?.gathered ?? [])
    case (.refuse, .refused(let kind)?): .failed(search.faults.unplayable(kind), mayPass: false)
    default: .failed(search.faults.noAudio, mayPass: false)
    }
  }
}
