import Blocks
import Framing
import Units

/// The file that plays (R11): its download, its extra requests and its reports. Net thread only.
final class FileSource {
  private let transfer: FileTransfer
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  private var looks: FileLooks
  private var origin: Origin
  /// True after tags within the file have set a title.
  private var isTitled = false
  /// The last tags before the first audible packet.
  private var passedTags: StreamTags?
  /// True if `readThrough` was reported or is not needed.
  private var isToldThrough: Bool

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
    looks = FileLooks(engine)
    (self.search, self.report, self.output) = (search, report, output)
    isToldThrough = readsHead || search.request.start <= .zero
  }

  deinit {
    looks.forgetCount()
    looks.forgetTail()
  }

  var hasStarted: Bool { transfer.hasStarted }

  var isMapped: Bool { transfer.isMapped }

  var isAtHead: Bool { transfer.isAtHead }

  var left: StreamTime? { transfer.left }

  private var isFollowing: Bool { if case .following = origin { true } else { false } }

  // MARK: Requests

  /// Adds the next part to a request. Returns the first byte of that part.
  func ask(_ http: inout HttpRequest) -> Int {
    http.ifRange = transfer.validator
    http.byteCount = transfer.partByteCount.map { Int64($0) }
    return transfer.nextByte
  }

  func seek(to goal: StreamTime) -> Bool { transfer.seek(to: goal) }

  // MARK: Data

  /// Handles the response to a request from byte `asked` on. Returns nil to continue with the checks for any response.
  func answered(_ reception: StationConnection, _ head: HttpHead, asked: Int) -> HeadVerdict? {
    var skipped = 0
    switch transfer.answered(head, asked: asked) {
    case .any: return nil
    case .part(let skip): skipped = skip
    case .whole: tellReadThrough()
    case .turn(let turn):
      reception.turn(.file(turn))
      return .stop
    case .wrongPart:
      search.ask(by: .whole)
      reception.condemn(search.faults.wrongPart)
      return .stop
    }
    reception.receive(partBy: transfer.intake, skip: skipped, report.facts)
    return .go
  }

  private func tellReadThrough() {
    isToldThrough = true
    report.noteUnseekable()
    report.tell(search.faults.readsThrough)
  }

  /// Records new bytes. Returns true if another part must be requested.
  func received(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return false }
    transfer.advance(byteCount)
    transfer.readTag()
    return transfer.wantsOther && transfer.openWindow()
  }

  /// Processes a packet. Returns true for the first packet of a next file.
  func take(_ reception: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    // Not earlier: the bytes before could be a list.
    if !isToldThrough { tellReadThrough() }
    if let needed = output.blocksNeeded(for: info.byteCount) {
      reception.end(search.faults.fewBlocks(needed))
      return false
    }
    switch transfer.take(info, bytes) {
    case .passed: return false
    case .heard(let packet):
      put(packet, bytes, from: nil, reception)
      return false
    case .first(var packet, let time):
      let tags = passedTags
      passedTags = nil
      guard case .following(let token) = origin else {
        if transfer.isAnnounced, let tags { tell(tags, at: time) }
        put(packet, bytes, from: time, reception)
        return false
      }
      origin = .followed(token)
      transfer.follow(at: FilePlace(base: output.time - time, border: output.time))
      (packet.beginsFile, packet.followsGap) = (true, false)
      put(packet, bytes, from: nil, reception)
      return true
    }
  }

  /// Only the last tags before the first audible packet count; at the first start the file's own title is reported.
  func take(_ tags: StreamTags) {
    guard transfer.hasStarted else { return passedTags = tags }
    tell(tags, at: output.time)
  }

  /// An empty title is reported only if it clears another title.
  private func tell(_ tags: StreamTags, at time: StreamTime) {
    let title = StationTitle(tags)
    guard isTitled || transfer.title != nil || !title.text.isEmpty else { return }
    isTitled = true
    output.take(title, at: time)
  }

  private func put(
    _ packet: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, _ reception: StationConnection
  ) {
    _ = reception.join()
    output.take(ofFile: packet, bytes, from: start, at: reception.lastData)
    reception.mark()
    report.hear()
    if transfer.isAnnounced { report.goesOn() }
  }

  // MARK: Reports

  /// Reports the file once its duration is known, later a better duration. `isOver`: true if the file is complete.
  func announce(isOver: Bool, at now: MonotonicTime) {
    guard var told = report.facts else { return }
    switch transfer.announcement(isOver: isOver, isFollowing: isFollowing) {
    case nil: return
    case .length(let length): report.learned([.length(length)])
    case .begins(let duration, let place):
      told.duration = duration
      told.byteCount = transfer.byteCount ?? told.byteCount
      told.container = transfer.intake?.form ?? .packed
      if transfer.hasNoPlaces { told.isSeekable = false }
      search.play()
      report.begins(told, at: place, token: token)
      if let title = transfer.titleNotice { report.tell(title) }
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
  func lookAgain(at now: MonotonicTime) { if transfer.isAnnounced { readTail(at: now) } }

  private func readTail(at now: MonotonicTime) {
    guard transfer.restsOnItsEnd, let http = requestForLook() else { return }
    looks.readTail(of: transfer, by: http, at: now) { [weak self] bytes in
      guard let self else { return }
      looks.endTail()
      report.learned(transfer.learn(tail: bytes))
    }
  }

  func countPlace(at now: MonotonicTime) {
    guard !looks.hasCounted, let stretch = transfer.stretchToCount, let http = requestForLook() else { return }
    looks.count(transfer, stretch, by: http, at: now) { [weak self] time in
      guard let self, let notice = transfer.settle(at: time) else { return }
      report.tell(notice)
    } onEnd: { [weak self] in
      self?.looks.endCount()
    }
  }

  private func requestForLook() -> HttpRequest? {
    guard report.facts?.isSeekable == true, search.ranges == .parts, let address = search.address, !address.isFile
    else { return nil }
    return search.plainRequest(for: address)
  }

  func interruptLooks() {
    looks.forgetCount()
    looks.interruptTail()
  }

  func poll(at now: MonotonicTime) { looks.poll(at: now) }

  var due: MonotonicTime { looks.due }
}

// MARK: - End of a response

extension FileSource {
  func ended(
    _ reception: StationConnection, _ end: TransferEnd, isUnderWay: Bool, at now: MonotonicTime
  ) -> SourceOutcome {
    switch transfer.end(facts(of: reception, end, isUnderWay)) {
    case .openWindow: return transfer.openWindow() ? .askMore : .nothing
    case .endHead: return headEnded(reception)
    case .finish: return finish(reception, at: now)
    case .finishShort:
      report.failed(search.faults.closed(end))
      return finish(reception, at: now)
    case .giveUp(let cause): return .giveUp(fault(cause, reception, end))
    case .retry(let cause):
      let fault = fault(cause, reception, end)
      if cause == .closed { report.passing(fault) }
      return .failed(fault, mayPass: fault.cause != .fewBlocks)
    }
  }

  /// Processes the last packets and reports the complete file. If no packet leads to the goal, requests another part.
  private func finish(_ reception: StationConnection, at now: MonotonicTime) -> SourceOutcome {
    transfer.intake?.finish(reception)
    if transfer.endsAstray(), transfer.openWindow() { return .askMore }
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
    (told.isAnswered, told.hasBroughtNew) = (reception.intake != nil, reception.part.hasBroughtNew)
    return told
  }

  private func fault(_ cause: FileProgress.Cause, _ reception: StationConnection, _ end: TransferEnd) -> PlaybackFault {
    let faults = search.faults
    return switch cause {
    case .changed: faults.changedFile
    case .coded: faults.broken(.failed(.compressed))
    case .verdict: reception.verdict ?? faults.broken(end)
    case .broken: faults.broken(end)
    case .closed: faults.closed(end)
    }
  }

  private func headEnded(_ reception: StationConnection) -> SourceOutcome {
    switch (transfer.endHead(reception), transfer.intake?.phase) {
    case (.openWindow, _): transfer.openWindow() ? .askMore : .nothing
    case (.askMore, _): .askMore
    case (.askList, _): .askList
    case (.openList, .playlist(let kind)?): .list(kind, transfer.intake?.gathered ?? [])
    case (.refuse, .refused(let kind)?): .failed(search.faults.notPlayed(kind), mayPass: false)
    default: .failed(search.faults.noAudio, mayPass: false)
    }
  }
}
