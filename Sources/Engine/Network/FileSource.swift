import Blocks
import Framing
import Units

/// A file that is on (R11): its download, what is looked at beside that, and what is told of it. The net thread's.
final class FileSource {
  private let transfer: FileTransfer
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  /// What is looked at beside the download.
  private var looks: FileLooks
  private var origin: Origin
  /// Whether its tags told a title behind its first moment.
  private var isTitled = false
  /// What tags said before the first packet that is heard.
  private var passedTags: StreamTags?
  /// Whether it was said, or need not be, that all before the place asked for is read.
  private var isToldThrough: Bool

  /// How it came to be on.
  private enum Origin: Equatable {
    /// It was tuned to.
    case tuned
    /// It is to follow another file, and is known by that number to who asked for it; nothing of it is in the ring.
    case following(Int)
    /// It followed, and sounds behind the other one.
    case followed(Int)
  }

  /// A file whose first answer, of `reception`, began with `head`; `token` is what it is known by where it follows
  /// another one.
  init(
    _ head: HttpHead, of reception: Reception, token: Int?, _ engine: HttpEngine, _ search: StationSearch,
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

  /// Whether sound of it is in the ring.
  var hasStarted: Bool { transfer.hasStarted }

  /// Whether it is known where its seconds lie.
  var isMapped: Bool { transfer.isMapped }

  /// Whether a part of its head is read.
  var isAtHead: Bool { transfer.isAtHead }

  /// What sounds behind the packets that came; nil while that is not known.
  var left: StreamTime? { transfer.left }

  private var isFollowing: Bool { if case .following = origin { true } else { false } }

  // MARK: What is asked for

  /// Asks for what of it is wanted next; the first byte of that.
  func ask(_ http: inout HttpRequest) -> Int {
    http.ifRange = transfer.validator
    http.byteCount = transfer.partByteCount.map { Int64($0) }
    return transfer.nextByte
  }

  /// Goes to another place of it; whether that is to be asked for now.
  func seek(to goal: StreamTime) -> Bool { transfer.seek(to: goal) }

  // MARK: What comes

  /// Looks at the head of an answer to a request for what follows from the byte `asked` on; nil where it is as any
  /// other's.
  func answered(_ reception: Reception, _ head: HttpHead, asked: Int) -> HeadVerdict? {
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

  /// So many bytes came that were not there; whether another part of it is asked for now.
  func received(_ byteCount: Int) -> Bool {
    guard byteCount > 0 else { return false }
    transfer.advance(byteCount)
    transfer.readTag()
    return transfer.wantsOther && transfer.openWindow()
  }

  /// Takes a packet; whether it is the first one of a file that follows.
  func take(_ reception: Reception, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) -> Bool {
    // Not before: what came may have been a list.
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
      // Right behind what is held.
      transfer.follow(at: FilePlace(base: output.time - time, border: output.time))
      (packet.beginsFile, packet.followsGap) = (true, false)
      put(packet, bytes, from: nil, reception)
      return true
    }
  }

  /// Takes what the tags within it say of the packets that come next: of its first ones it is told as a whole, and of
  /// what is passed over on the way to a place that is sought nothing.
  func take(_ tags: StreamTags) {
    guard transfer.hasStarted else { return passedTags = tags }
    tell(tags, at: output.time)
  }

  /// Tells the title of tags at a time; one that is missing only where another one of them would stay.
  private func tell(_ tags: StreamTags, at time: StreamTime) {
    let title = StationTitle(tags)
    guard isTitled || transfer.title != nil || !title.text.isEmpty else { return }
    isTitled = true
    output.take(title, at: time)
  }

  private func put(
    _ packet: PacketInfo, _ bytes: UnsafeRawBufferPointer, from start: StreamTime?, _ reception: Reception
  ) {
    _ = reception.join()
    output.take(ofFile: packet, bytes, from: start, at: reception.lastData)
    reception.mark()
    report.hear()
    if transfer.isAnnounced { report.goesOn() }
  }

  // MARK: What is told

  /// Tells of it when its length is known; `isOver` says whether all of it came.
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

  // MARK: Looks beside its download

  /// Looks at its end again, at another place of it.
  func lookAgain(at now: MonotonicTime) { if transfer.isAnnounced { readTail(at: now) } }

  /// Asks for its last bytes where its length rests on where it ends.
  private func readTail(at now: MonotonicTime) {
    guard transfer.restsOnItsEnd, let http = requestForLook() else { return }
    looks.readTail(of: transfer, by: http, at: now) { [weak self] bytes in
      guard let self else { return }
      looks.endTail()
      report.learned(transfer.learn(tail: bytes))
    }
  }

  /// Begins to count, where the window began by a guess.
  func countPlace(at now: MonotonicTime) {
    guard !looks.hasCounted, let stretch = transfer.stretchToCount, let http = requestForLook() else { return }
    looks.count(transfer, stretch, by: http, at: now) { [weak self] time in
      guard let self, let notice = transfer.settle(at: time) else { return }
      report.tell(notice)
    } onEnd: { [weak self] in
      self?.looks.endCount()
    }
  }

  /// A request for a part of it beside its download; nil where none can be had.
  private func requestForLook() -> HttpRequest? {
    guard report.facts?.isSeekable == true, search.ranges == .parts, let address = search.address, !address.isFile
    else { return nil }
    return search.plainRequest(for: address)
  }

  /// Calls the looks off: the count for good, that at the end until `lookAgain`.
  func interruptLooks() {
    looks.forgetCount()
    looks.interruptTail()
  }

  /// Calls off what has taken too long.
  func poll(at now: MonotonicTime) { looks.poll(at: now) }

  /// When a look has taken too long.
  var due: MonotonicTime { looks.due }
}

// MARK: - The end of an answer

extension FileSource {
  /// An answer is over, or its part of one; `isUnderWay` says whether sound of the programme is in the ring.
  func ended(
    _ reception: Reception, _ end: TransferEnd, isUnderWay: Bool, at now: MonotonicTime
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

  /// All of it came: its last packets are taken, and what is still to be told is. Where none of them leads to what is
  /// to be heard, another part is asked for.
  private func finish(_ reception: Reception, at now: MonotonicTime) -> SourceOutcome {
    transfer.intake?.finish(reception)
    if transfer.endsAstray(), transfer.openWindow() { return .askMore }
    announce(isOver: true, at: now)
    return .whole
  }

  private func facts(of reception: Reception, _ end: TransferEnd, _ isUnderWay: Bool) -> FileProgress.End {
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

  private func fault(_ cause: FileProgress.Cause, _ reception: Reception, _ end: TransferEnd) -> PlaybackFault {
    let faults = search.faults
    return switch cause {
    case .changed: faults.changedFile
    case .coded: faults.broken(.failed(.compressed))
    case .verdict: reception.verdict ?? faults.broken(end)
    case .broken: faults.broken(end)
    case .closed: faults.closed(end)
    }
  }

  /// A part of the head came.
  private func headEnded(_ reception: Reception) -> SourceOutcome {
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
