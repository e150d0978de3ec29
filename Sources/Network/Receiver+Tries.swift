import Blocks
import Units

// How a connection begins, and what follows where it fails.

extension Receiver {
  func connect() {
    guard let address = candidates?.current.address else { return }
    if !isUnderWay { forgetSource() }
    tell(.connecting(url: troubles.shownURL))
    do throws(NetworkError) {
      try begin(address)
    } catch {
      failed(nil, troubles.error(error, of: address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Begins the only connection.
  func begin(_ address: WebAddress) throws(NetworkError) { lines.connect(try open(address).line) }

  /// Asks for what is at an address.
  func open(_ address: WebAddress) throws(NetworkError) -> Reception {
    tries.connect(at: now)
    var http = plainRequest(for: address)
    // Bytes of titles would be counted as the file's, and a part of it could not be asked for.
    http.wantsIcyMetadata = request.mode != .file
    if let port = output.titlePort { http.radioHeaders.append("x-audiocast-udpport: \(port)") }
    lastLine = lastLine.next
    let reception = Reception(self, lastLine, at: now)
    ask(&http, reception)
    reception.transfer = try engine.start(http, handler: reception)
    receptions[lastLine] = reception
    return reception
  }

  /// A request for the address that is being tried.
  func plainRequest(for address: WebAddress) -> HttpRequest {
    request.http(for: address, namedBy: candidates?.current.referral)
  }

  /// What holds for the addresses that an answer names.
  func referral(by reception: Reception, isFeed: Bool) -> Referral? {
    candidates?.current.referralOfAnswer(home: reception.transfer?.home, from: reception.source, isFeed: isFeed)
  }

  /// A connection, or an address before one came about, did not do: the next one, or a wait, or the end.
  func failed(_ reception: Reception?, _ trouble: PlaybackFault, mayPass passes: Bool) {
    if sequence.isFollowing { return abandonFollower() }
    // A list that a second connection still reads goes on counting.
    if reception?.bringsList == true { candidates?.budget.end(at: now) }
    let heir = lines.loseLead()
    leave(reception?.id)
    if isUnderWay {
      // What is no station, and of which no part can be asked for, cannot go on.
      if case .finite = source { return endInFailure(trouble) }
      return lost(trouble, isVerdict: reception?.verdict != nil, heir)
    }
    tries.fail(mayPass: passes)
    if tries.allowsEntry(within: request.patience, at: now), candidates?.next() == true {
      tell(.trouble(trouble, isFinal: false))
      // In the next round: each of a thousand entries would lie on the stack.
      let isLocal = candidates?.current.address.isFile == true
      return lines.plan(tries.nextEntry(isLocal: isLocal, at: now))
    }
    guard tries.allowsRound(within: request.patience, at: now), candidates?.restart() == true else {
      return endInFailure(trouble)
    }
    tell(.trouble(trouble, isFinal: false))
    plan(trouble)
  }

  /// The programme is given up: whoever plays what is held is told why, and that no more will come.
  func endInFailure(_ trouble: PlaybackFault) {
    tell(.trouble(trouble, isFinal: true))
    output.finish()
  }

  /// A station that has played is gone: `heir` takes its place, or it is tried again, if that is not planned.
  private func lost(_ trouble: PlaybackFault, isVerdict: Bool, _ heir: LineID?) {
    let losses = tries.lose()
    if !lines.isBusy, !mayTry { return endInFailure(trouble) }
    tell(.lost)
    if isVerdict || trouble.kind == .noNetwork { tellPassing(trouble) }
    if let heir { return facts = receptions[heir]?.facts ?? facts }
    if source.file == nil { candidates?.goOn(after: losses) }
    if !lines.isBusy { plan(trouble) }
  }

  /// Whether the station may be tried once more.
  var mayTry: Bool { tries.allowsMore(request.retry) }

  /// Plans the next try, and tells of it.
  func plan(_ reason: PlaybackFault) {
    let until = tries.next(after: now)
    tell(.reconnecting(attempt: tries.attempt, delay: max(.zero, until - now), reason: reason))
    lines.plan(until)
    outage.beginTry()
  }

  /// Tells that audio comes.
  func tellConnected(_ facts: StationFacts) {
    _ = outage.endDoubt()
    tell(.connected(facts))
  }

  /// Tells of trouble that may pass; that there is no network is told once.
  func tellPassing(_ trouble: PlaybackFault) {
    if outage.tells(trouble) { tell(.trouble(trouble, isFinal: false)) }
  }
}

// A name that leads nowhere (R4.3): a host that does not exist ends the tries, a name server that is silent does not.

extension Receiver {
  /// Asks whether the host exists that a connection was to go to, before anything of the station was heard.
  func askName(of reception: Reception) {
    let host = reception.transfer?.failedHost ?? candidates?.current.address.host ?? ""
    closeLines()
    names.ask(host, at: now)
  }

  /// Goes on once it is known.
  func attendNames() {
    guard let answer = names.answer(at: now) else { return }
    let error = answer == .absent ? NetworkError.hostNotFound : .nameServer
    failed(nil, troubles.error(error), mayPass: error.isWorthRetrying)
  }
}
