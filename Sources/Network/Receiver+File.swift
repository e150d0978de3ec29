import Blocks
import Framing
import Units

// Files (R11): what is asked for, and what comes of the answers.

extension Receiver {
  /// Whether sound of the programme is in the ring, so that what breaks is gone on with.
  var isUnderWay: Bool { tries.hasPlayed || source.file?.hasStarted == true }

  /// Asks for what of a file is wanted next; for a station as it always was.
  func ask(_ http: inout HttpRequest, _ reception: Reception) {
    if let file = source.file {
      reception.part.firstByte = file.nextByte
      http.ifRange = file.validator
      http.byteCount = file.partByteCount.map { Int64($0) }
    } else if request.start > .zero, ranges == .parts, request.mode != .live {
      reception.part.firstByte = 0
      http.byteCount = Int64(FileProgress.headPartByteCount)
    }
    guard let firstByte = reception.part.firstByte, ranges == .parts else { return }
    http.firstByte = Int64(firstByte)
    http.wantsIcyMetadata = false
    http.receiveBuffer = FileTransfer.receiveBuffer
  }

  /// Looks at the head of an answer that may be a file's; nil where it is as any other.
  func fileHead(_ reception: Reception, _ head: HttpHead) -> HeadVerdict? {
    guard let asked = reception.part.firstByte else { return nil }
    guard let file = source.file else {
      // The first answer of all: a server that knows no parts, or has none of this, is asked for the whole.
      let isWrong = head.isPartial ? head.contentRangeStart != 0 : head.status < 400 && isLive(head)
      guard head.status == 416 || isWrong else { return nil }
      ranges = .whole
      reception.part.turn = .anew
      return .stop
    }
    switch file.answered(head, asked: asked) {
    case .any: return nil
    case .part(let skip): reception.part.skip = skip
    case .whole: tellReadThrough()
    case .turn(let turn):
      reception.part.turn = .file(turn)
      return .stop
    case .wrongPart:
      ranges = .whole
      reception.verdict = troubles.wrongPart
      return .stop
    }
    reception.intake = file.intake
    reception.facts = facts
    return .go
  }

  /// The first answer is a file's.
  func beginFile(_ reception: Reception, _ head: HttpHead) {
    let readsHead = reception.part.firstByte != nil && head.isPartial
    let address = candidates?.current.address
    let tail = address?.isFile == true ? address.map { LocalFile.tail(of: $0, TrailingTags.tailByteCount) } : nil
    source = .file(
      FileTransfer(
        head, reception.intake, readsHead: readsHead, goal: max(.zero, request.start), localTail: tail))
    if !readsHead, request.start > .zero { tellReadThrough() }
  }

  private func tellReadThrough() {
    facts?.isSeekable = false
    tell(troubles.readsThrough)
  }

  /// So many bytes came of a file that were not there.
  func advance(_ file: FileTransfer, _ byteCount: Int) {
    file.advance(byteCount)
    file.readTag()
    if file.isHeadKnown { openWindow(of: file) }
  }

  /// Takes a packet of a file.
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, of file: FileTransfer, _ reception: Reception) {
    var packet: PacketInfo
    var start: StreamTime?
    switch file.take(info, bytes) {
    case .passed: return
    case .heard(let info): packet = info
    case .first(let info, let time):
      packet = info
      if sequence.join() {
        // Right behind what is held.
        file.follow(at: FilePlace(base: output.time - time, border: output.time))
        (packet.beginsFile, packet.followsGap) = (true, false)
      } else {
        start = time
      }
    }
    reception.isJoined = true
    output.take(ofFile: packet, bytes, from: start, at: reception.lastData)
    reception.mark(at: reception.lastData)
    outage.hear()
    if file.isAnnounced, outage.endDoubt() { tell(.resumed) }
  }

  // MARK: What is told

  /// Tells of a file when its length is known.
  func announce(_ file: FileTransfer, isOver: Bool) {
    guard var told = facts else { return }
    switch file.announcement(isOver: isOver, isFollowing: sequence.isFollowing) {
    case nil: return
    case .length(let length): tell([.length(length)])
    case .begins(let duration, let place):
      told.duration = duration
      told.byteCount = file.byteCount ?? told.byteCount
      tries.play()
      _ = outage.endDoubt()
      facts = told
      tell(place.map { .followed(told, at: $0, token: sequence.token) } ?? .connected(told))
      if let title = file.titleNotice { tell(title) }
      readTail(of: file)
    }
  }

  /// Tells what became known of a file.
  private func tell(_ notices: [NetNotice]) {
    for notice in notices {
      if case .length(let length) = notice { facts?.duration = length }
      tell(notice)
    }
  }

  /// Asks for a file's last bytes where its length rests on where it ends.
  private func readTail(of file: FileTransfer) {
    guard file.restsOnItsEnd, let http = requestForLook() else { return }
    looks.readTail(of: file, by: http, at: now) { [unowned self] bytes in
      looks.endTail()
      tell(file.learn(tail: bytes))
    }
  }

  /// Begins to count, where the window began by a guess.
  func countPlace() {
    guard !looks.hasCounted, let file = source.file, let stretch = file.stretchToCount, let http = requestForLook()
    else { return }
    looks.count(file, stretch, by: http, at: now) { [unowned self] time in
      if let notice = file.settle(at: time) { tell(notice) }
    } onEnd: { [unowned self] in
      looks.endCount()
    }
  }

  /// A request for a part of the file beside its download; nil where none can be had.
  private func requestForLook() -> HttpRequest? {
    guard facts?.isSeekable == true, ranges == .parts, let address = candidates?.current.address, !address.isFile
    else { return nil }
    return plainRequest(for: address)
  }

  // MARK: Places

  /// Begins the window that holds the goal, when it is known well enough where that lies.
  private func openWindow(of file: FileTransfer) { if file.openWindow() { reopen() } }

  /// Asks for the rest, or for the whole, at once.
  func reopen() {
    guard let address = candidates?.current.address else { return }
    closeLines()
    do throws(NetworkError) {
      try begin(address)
    } catch {
      failed(nil, troubles.error(error, of: address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Goes to another place of a file: what was held is forgotten.
  func seek(_ seek: FileSeek) {
    guard seek.number == sequence.number, !sequence.isFollowing, let file = source.file, file.isMapped else {
      tune(seek.request, epoch: seek.epoch)
      return sequence = FileSequence(number: seek.number)
    }
    stop()
    sequence.seek()
    restart(epoch: seek.epoch)
    if file.seek(to: seek.request.start) { reopen() }
    if file.isAnnounced { readTail(of: file) }
  }

  // MARK: The end of an answer

  /// An answer of a file is over, or its part of one.
  func fileEnded(_ reception: Reception, _ end: TransferEnd, of file: FileTransfer) {
    switch file.end(fileEnd(reception, end)) {
    case .openWindow: openWindow(of: file)
    case .endHead: headEnded(reception, of: file)
    case .finish: finish(file, reception)
    case .finishShort:
      tell(.trouble(troubles.closed(end), isFinal: false))
      finish(file, reception)
    case .giveUp(let cause): giveUp(reception, trouble(cause, reception, end))
    case .retry(let cause):
      let trouble = trouble(cause, reception, end)
      if cause == .closed { tellPassing(trouble) }
      failed(reception, trouble, mayPass: true)
    }
  }

  private func fileEnd(_ reception: Reception, _ end: TransferEnd) -> FileProgress.End {
    var told = FileProgress.End(isUnderWay: isUnderWay)
    if case .file(let turn) = reception.part.turn { told.turn = turn }
    told.verdict = reception.verdict.map { verdict in
      if verdict.status == 404 || verdict.status == 410 { return .gone }
      return verdict.kind == .badContent ? .badContent : .other
    }
    if case .failed(let error) = end { told.close = error.isWorthRetrying || error == .cancelled ? .passing : .final }
    (told.isAnswered, told.hasBroughtNew) = (reception.intake != nil, reception.part.hasBroughtNew)
    return told
  }

  private func trouble(_ cause: FileProgress.Cause, _ reception: Reception, _ end: TransferEnd) -> PlaybackFault {
    switch cause {
    case .changed: troubles.changedFile
    case .coded: troubles.broken(.failed(.compressed))
    case .verdict: reception.verdict ?? troubles.broken(end)
    case .broken: troubles.broken(end)
    case .closed: troubles.closed(end)
    }
  }

  /// A part of the head came.
  private func headEnded(_ reception: Reception, of file: FileTransfer) {
    let reaction = file.endHead(reception)
    switch (reaction, file.intake?.phase) {
    case (.openWindow, _): openWindow(of: file)
    case (.askMore, _): reopen()
    case (.askList, _):
      forgetSource()
      ranges = .whole
      reopen()
    case (.openList, .playlist(let kind)?):
      forgetSource()
      ranges = .parts
      open(reception, kind, file.intake?.gathered ?? [])
    case (.refuse, .refused(let kind)?): failed(reception, troubles.notPlayed(kind), mayPass: false)
    default: failed(reception, troubles.noAudio, mayPass: false)
    }
  }

  /// The last byte is there.
  private func finish(_ file: FileTransfer, _ reception: Reception) {
    file.intake?.finish(reception)
    announce(file, isOver: true)
    closeLines()
    if sequence.isFollowing || !isUnderWay {
      return failed(reception, troubles.noAudio, mayPass: false)
    }
    tell(.complete)
    perform(sequence.end())
  }

  /// What is held plays to its end.
  private func giveUp(_ reception: Reception, _ trouble: PlaybackFault) {
    if sequence.isFollowing { return abandonFollower() }
    closeLines()
    endInFailure(trouble)
  }
}

// MARK: One file after the other

extension Receiver {
  /// Says what follows.
  func follow(_ next: Follow) { perform(sequence.follow(next)) }

  /// What was to follow cannot: the programme is over.
  func abandonFollower() {
    closeLines()
    source = .finite
    perform(sequence.abandon())
  }

  /// Does what the order of the files says.
  func perform(_ action: FileSequence.Action) {
    switch action {
    case .nothing: break
    case .finish:
      closeLines()
      output.finish()
    case .ask(let request, let address):
      closeLines()
      looks.forgetCount()
      looks.forgetTail()
      self.request = request
      candidates = Candidates(address, request.referral, budget: candidates?.budget)
      (source, ranges) = (.finite, .parts)
      connect()
    }
  }
}
