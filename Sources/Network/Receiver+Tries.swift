import Blocks
import Units

// How a connection begins, and what follows where it fails.

extension Receiver {
  func connect() {
    guard let address = candidates?.current.address else { return }
    if !isUnderWay { forgetSource() }
    tell(.connecting(url: troubles.shownURL))
    do throws(NetworkError) {
      current = try open(address)
    } catch {
      failed(nil, troubles.error(error, of: address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Asks for what is at an address.
  func open(_ address: WebAddress) throws(NetworkError) -> Reception {
    policy.tries(at: now)
    notBefore = .zero
    var http = plainRequest(for: address)
    // Bytes of titles would be counted as the file's, and a part of it could not be asked for.
    http.wantsIcyMetadata = request.mode != .file
    if let port = feeds.port { http.radioHeaders.append("x-audiocast-udpport: \(port)") }
    lastLine = lastLine.next
    let reception = Reception(self, lastLine, at: now)
    ask(&http, reception)
    reception.transfer = try engine.start(http, handler: reception)
    return reception
  }

  /// A request for the address that is being tried, with all that the listener set and that may go there.
  func plainRequest(for address: WebAddress) -> HttpRequest {
    let referral = candidates?.current.referral
    var http = HttpRequest(url: address.url, userAgent: request.userAgent)
    http.credentials = address.credentials
    if referral?.entrusts(address) != false {
      http.headers = request.headers
      http.query = request.query
      http.credentials = address.credentials ?? request.credentials
    }
    http.allowsLocalFile = address.isFile
    http.reach = referral?.reach ?? .anywhere
    return http
  }

  /// What holds for the addresses that an answer names.
  func referral(by reception: Reception, isFeed: Bool) -> Referral? {
    guard let current = candidates?.current else { return nil }
    let (home, source) = (reception.transfer?.home, reception.source ?? current.address)
    if let before = current.referral {
      return Referral(behind: before, at: current.address, home: home, isFeed: isFeed)
    }
    return Referral(of: current.address, home: home, from: source, isFeed: isFeed)
  }

  /// Takes the packets of `reception` from now on, and lets go of the connection that was.
  func adopt(_ reception: Reception) {
    let old = current
    spares.remove(reception)
    nextTry = nil
    if old !== reception {
      old?.flush()
      leave(old)
    }
    current = reception
    facts = reception.facts ?? facts
  }

  /// A connection, or an address before one came about, did not do: the next one, or a wait, or the end.
  func failed(_ reception: Reception?, _ trouble: Trouble, mayPass passes: Bool) {
    if sequence.isFollowing { return abandonFollower() }
    // A list that a second connection still reads goes on counting.
    if reception?.bringsList == true { candidates?.budget.end(at: now) }
    leave(reception)
    current = nil
    if isUnderWay {
      // What is no station, and of which no part can be asked for, cannot go on.
      if case .finite = source { return endInFailure(trouble) }
      return lost(trouble, isVerdict: reception?.verdict != nil)
    }
    mayPass = mayPass || passes
    if candidates?.next() == true {
      tell(.trouble(trouble, isFinal: false))
      // In the next round: each of a thousand entries would lie on the stack. The first ones are tried at once, the
      // others, and a list that has failed once, no faster than anything else is.
      quickTries += 1
      let isQuick = candidates?.current.address.isFile == true || quickTries <= Self.mostQuickTries
      return nextTry = policy.attempt == 0 && isQuick ? now : policy.soonest(after: now)
    }
    // A server that wants to be left alone for longer is given up now.
    guard mayPass, max(now, notBefore) - began < request.patience, candidates?.restart() == true else {
      return endInFailure(trouble)
    }
    tell(.trouble(trouble, isFinal: false))
    plan(trouble)
  }

  /// So many entries of lists may fail before they are tried once a second; files of this machine cost nothing.
  private static let mostQuickTries = 32

  /// The programme is given up: whoever plays what is held is told why, and that no more will come.
  func endInFailure(_ trouble: Trouble) {
    tell(.trouble(trouble, isFinal: true))
    finish()
  }

  /// No more comes of the programme. Who waits for packets is called: what is held is all that there is.
  func finish() {
    splicer.finish()
    if splicer.writer.isAwaited { raise(.packets) }
  }

  /// A station that has played is gone: it is tried again, if it is not yet.
  private func lost(_ trouble: Trouble, isVerdict: Bool) {
    losses += 1
    if spares.isEmpty, nextTry == nil, !mayTry { return endInFailure(trouble) }
    tell(.lost)
    if isVerdict || trouble.kind == .noNetwork { tellPassing(trouble) }
    if let spare = spares.all.first { return adopt(spare) }
    if source.file == nil { candidates?.goOn(after: losses) }
    if nextTry == nil { plan(trouble) }
  }

  /// Whether the station may be tried once more.
  var mayTry: Bool { if case .times(let most) = request.retry { policy.attempt < most } else { true } }

  /// Plans the next try, and tells of it.
  func plan(_ reason: Trouble) {
    let until = policy.next(after: now, notBefore: notBefore)
    tell(.reconnecting(attempt: policy.attempt, delay: max(.zero, until - now), reason: reason))
    (nextTry, isInDoubt) = (until, true)
  }

  /// Tells that audio comes.
  func tellConnected(_ facts: StationFacts) {
    isInDoubt = false
    tell(.connected(facts))
  }

  /// Tells of trouble that may pass; that there is no network is told once.
  func tellPassing(_ trouble: Trouble) {
    if trouble.kind == .noNetwork {
      if hasToldNoNetwork { return }
      hasToldNoNetwork = true
    }
    tell(.trouble(trouble, isFinal: false))
  }
}

// A name that leads nowhere (R4.3): a host that does not exist ends the tries, a name server that is silent does not.

extension Receiver {
  /// Asks whether the host exists that a connection was to go to, before anything of the station was heard.
  func askName(of reception: Reception) {
    let host = reception.transfer?.failedHost ?? candidates?.current.address.host ?? ""
    leave(reception)
    current = nil
    names.ask(host, at: now)
  }

  /// Goes on once it is known.
  func attendNames() {
    guard let answer = names.answer(at: now) else { return }
    let error = answer == .absent ? NetworkError.hostNotFound : .nameServer
    failed(nil, troubles.error(error), mayPass: error.isWorthRetrying)
  }
}
