import Blocks
import Framing
import Listings
import Units

// What comes of an answer: its head, its bytes, its end.

extension Receiver {
  func receivedHead(_ reception: Reception, _ head: HttpHead) -> HeadVerdict {
    reception.lastData = now
    reception.source = try? WebAddress(head.effectiveURL, allowsFile: true)
    output.answered(by: reception.transfer?.remoteAddress, hasTitles: head.icy.metaint != nil)
    if let verdict = fileHead(reception, head) { return verdict }
    if sequence.isFollowing, head.status >= 400 || isLive(head) || head.icy.metaint != nil { return .stop }
    guard head.status < 400 else {
      tries.refused(forSeconds: head.retryAfter(at: engine.clock.wallSeconds()) ?? 0, at: now)
      reception.verdict = troubles.refusal(head.status)
      return .stop
    }
    let kind = candidates?.isRoot == true ? request.kind : .automatic
    let path = reception.source?.path
    // What has played stays what it was: an error page is no file.
    let isKnown = tries.hasPlayed && !sequence.isFollowing
    let isLive = isKnown ? source.isLive : isLive(head)
    reception.intake = StreamIntake(kind: kind, head: head, path: path, followsGap: isKnown)
    let trace = AnswerTrace(head)
    reception.trace = trace
    let mayBeFile = request.mode == .automatic && self.isLive(head) && trace.isFinite && trace.isLengthTold
    reception.facts = StationFacts(head, of: candidates?.current, isLive: isLive, mayBeFile: mayBeFile)
    guard leads(reception) else { return .go }
    facts = reception.facts
    guard !isKnown else { return .go }
    source = isLive ? .live : .finite
    // A part of what has titles in it could not be asked for.
    if !isLive, head.icy.metaint == nil { beginFile(reception, head) }
    return .go
  }

  /// Whether a connection's next bytes are taken, left for later, or end it.
  func admission(of reception: Reception) -> Reception.Admission {
    reception.lastData = now
    guard reception.intake != nil else { return .pause }
    let room = room(for: reception, toResume: false)
    guard room == .ample else {
      pause(reception, room)
      return .pause
    }
    throttle.release()
    // What came before may have been a whole list, however slowly it came; that is known only when more comes.
    guard reception.isSpent else { return .take }
    return .end(reception.bringsList ? troubles.tooSlow : troubles.noAudio)
  }

  /// A connection's bytes were taken, of which so many were not there yet.
  func received(_ reception: Reception, byteCount: Int) {
    guard let intake = reception.intake else { return }
    if let file = source.file, leads(reception) {
      if byteCount > 0 { advance(file, byteCount) }
      guard leads(reception) else { return }
    }
    settle(reception, intake)
    if intake.delivered > ReconnectPolicy.proof {
      tries.succeed()
      candidates?.budget = ListBudget()
    }
    output.callReader()
  }

  func ended(_ reception: Reception, _ end: TransferEnd) {
    var end = end
    if end == .failed(.hostNotFound) {
      // What was heard exists.
      guard isUnderWay || sequence.isFollowing || !leads(reception) else { return askName(of: reception) }
      end = .failed(.nameServer)
    }
    if leads(reception) {
      if case .anew = reception.part.turn { return reopen() }
      if let file = source.file, reception.part.turn != nil || isOf(file, reception) {
        return fileEnded(reception, end, of: file)
      }
    }
    if !leads(reception) {
      guard case .playlist = reception.intake?.phase else {
        return spareFailed(
          reception, reception.verdict ?? (reception.intake == nil ? troubles.broken(end) : troubles.closed(end)))
      }
      // The station has moved into a list; what is silent has no part in it.
      replaceLead(by: reception)
    }
    if reception.verdict == nil { reception.finish() }
    output.settle()
    if let verdict = reception.verdict {
      return failed(reception, verdict, mayPass: verdict.kind == .timeoutExceeded || verdict.status >= 500)
    }
    guard let intake = reception.intake else {
      let isPassing = if case .failed(let error) = end { error.isWorthRetrying } else { true }
      return failed(reception, troubles.broken(end), mayPass: isPassing)
    }
    settle(reception, intake)
    if let verdict = reception.verdict { return failed(reception, verdict, mayPass: false) }
    switch intake.phase {
    case .playlist(let kind): open(reception, kind, intake.gathered)
    case .audio: audioEnded(reception, end)
    case .empty: failed(reception, troubles.closed(end), mayPass: true)
    default: failed(reception, troubles.noAudio, mayPass: false)
    }
  }

  /// Whether an answer is taken for a station's.
  func isLive(_ head: HttpHead) -> Bool {
    request.isLive(head, isLocal: candidates?.current.address.isFile == true)
  }

  /// Whether what comes of it is a file's: sound, or more of its head.
  private func isOf(_ file: FileTransfer, _ reception: Reception) -> Bool {
    isUnderWay || file.isAtHead || reception.intake?.phase == .audio
  }

  /// Acts on what an answer turned out to be.
  private func settle(_ reception: Reception, _ intake: StreamIntake) {
    switch intake.phase {
    case .audio:
      if let file = source.file { return announce(file, isOver: false) }
      guard leads(reception), intake.delivered > .zero, !reception.isAnnounced, let facts else { return }
      reception.isAnnounced = true
      tries.play()
      candidates?.markPlayed()
      if let trace = reception.trace { evidence.begin(trace) }
      tellConnected(facts)
    case .playlist(.feed):
      if let trouble = feedInFeed { return reception.end(trouble) }
      guard intake.isFeedComplete else { return }
      if !leads(reception) { replaceLead(by: reception) }
      open(reception, .feed, [])
      reception.cancel()
    case .playlist: if let trouble = excess(of: reception) { reception.end(trouble) }
    case .refused(let kind):
      reception.end(troubles.notPlayed(kind))
    case .unknown: reception.end(troubles.noAudio)
    default: break
    }
  }

  private func audioEnded(_ reception: Reception, _ end: TransferEnd) {
    guard !source.isLive || end == .complete && wasFile(reception) else {
      return failed(reception, troubles.closed(end), mayPass: true)
    }
    // The programme is whole: nothing is tried beside it any more.
    closeLines()
    // Nothing is known of where its bytes lie, so that no part of it can be asked for.
    if case .failed = end { return endInFailure(troubles.broken(end)) }
    tell(.complete)
    perform(sequence.end())
  }

  /// Whether what was taken for a station turns out to have been a file, now that its answer is whole (R1.5): then that
  /// is told. Its server gives no parts, so nothing is known of it but what came.
  private func wasFile(_ reception: Reception) -> Bool {
    guard request.mode == .automatic, let trace = reception.trace, let intake = reception.intake,
      evidence.isFile(trace, sound: intake.delivered, in: reception.flowingTime), var told = facts
    else { return false }
    source = .finite
    (told.isLive, told.duration) = (false, intake.delivered)
    facts = told
    tellConnected(told)
    return true
  }

  /// Whether what is taken for a station comes as a file does, so that to connect anew would begin it again.
  func comesAsFile(_ reception: Reception) -> Bool {
    guard request.mode == .automatic, let trace = reception.trace, let intake = reception.intake else { return false }
    return evidence.comesAsFile(trace, sound: intake.delivered, in: reception.flowingTime)
  }
}

// What lies in the bytes: packets and titles.

extension Receiver {
  func take(_ reception: Reception, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if leads(reception), let file = source.file { return take(info, bytes, of: file, reception) }
    if !leads(reception) {
      replaceLead(by: reception)
    } else if !reception.isOver, !lines.isSettled || outage.isInDoubt && reception.isAnnounced {
      standDown(for: reception)
    }
    outage.hear()
    if !reception.isJoined {
      reception.isJoined = true
      outage.forgetSpare()
      output.join()
    }
    tellWaitingTitle(of: reception)
    // The last one may be taken only when its connection was silent for long.
    output.take(info, bytes, at: reception.lastData)
    reception.mark(at: reception.lastData)
    reception.mayTellTitle = true
    tellWaitingTitle(of: reception)
  }

  /// Tells a title that waited for a packet, unless another was told of the same place.
  private func tellWaitingTitle(of reception: Reception) {
    guard reception.mayTellTitle, let title = reception.waitingTitle else { return }
    (reception.waitingTitle, reception.mayTellTitle) = (nil, false)
    output.take(title)
  }

  func take(_ reception: Reception, metadata block: Span<UInt8>) {
    guard let title = output.title(in: block) else { return }
    // A packet has one title: of others that come before the next packet the last one is told behind that.
    guard reception.isJoined, reception.mayTellTitle else { return reception.waitingTitle = title }
    reception.mayTellTitle = false
    output.take(title)
  }
}
