import Blocks
import Framing
import Units

// Which connection is taken, made or left (R2.4), and what the machine's own network has to say.

extension Receiver {
  /// What holds for the connections now.
  var rules: Lines.Rules {
    Lines.Rules(
      allowsSpares: tries.hasPlayed && source.isLive && mayTry, dataTimeout: request.dataTimeout,
      isDoubtful: isDoubtful)
  }

  /// Lets `lines` know what the connections are like now.
  func noteLines() { for reception in receptions.values { lines.note(reception.line) } }

  /// Does what is due of them.
  func attendLines() {
    noteLines()
    while let step = lines.step(at: now, rules) {
      switch step {
      case .connect: return connect()
      case .connectSpare: return connectSpare()
      case .giveUpInDoubt: leaveForLink()
      case .giveUp(let silence):
        guard let current else { return closeLines() }
        if source.file == nil { current.flush() }
        output.settle()
        current.verdict = troubles.silent(silence)
        failed(current, troubles.silent(silence), mayPass: true)
      case .planSpare(let silence, let isNext):
        let trouble = troubles.silent(silence)
        if isNext, trouble.kind == .noNetwork { tellPassing(trouble) }
        plan(isNext ? trouble : outage.takeSpareTrouble() ?? trouble)
      }
      noteLines()
    }
  }

  private func connectSpare() {
    guard let address = candidates?.current.address else { return }
    do throws(NetworkError) {
      let reception = try open(address)
      leave(lines.connectSpare(reception.line, at: now))
    } catch {
      spareFailed(nil, troubles.error(error, of: address.url))
    }
  }

  /// Takes what comes of `reception` from now on, and lets go of all others.
  func replaceLead(by reception: Reception) {
    current?.flush()
    leave(lines.adopt(reception.id))
    facts = reception.facts ?? facts
    dropSpares()
  }

  /// A spare did not do; the silent connection gets another.
  func spareFailed(_ reception: Reception?, _ trouble: Trouble) {
    if let reception {
      lines.loseSpare(reception.id)
      leave(reception.id)
    }
    outage.spareFailed(trouble)
    if trouble.kind == .noNetwork || trouble.kind == .httpError { tellPassing(trouble) }
  }

  /// Lets go of all spares.
  func dropSpares() { for id in lines.dropSpares() { leave(id) } }

  /// Lets go of all connections, and plans none.
  func closeLines() { for id in lines.stop() { leave(id) } }

  /// The silent connection speaks again: nothing else is tried.
  func standDown(for reception: Reception) {
    dropSpares()
    if outage.isInDoubt, reception.isAnnounced, let facts { tellConnected(facts) }
    lines.unplan()
    outage.forgetSpare()
  }

  /// The machine's links, addresses or routes changed.
  func linkChanged(_ changes: LinkChanges) {
    guard lines.plan != nil || tries.hasPlayed else { return }
    let isTried = lines.plan != nil || lines.lead != nil && !source.hasEnd
    if changes.contains(.lost), isTried, !troubles.hasWay {
      tellPassing(troubles.noNetwork)
      // The connection may outlive it: then its next packet says so.
      outage.beginTry()
    }
    if changes.contains(.gained) {
      linkGained = lines.lead == nil ? nil : now
      hurry()
    }
  }

  /// Tries at once what waits, or what has been silent for a second.
  private func hurry() {
    tries.hurry()
    noteLines()
    if lines.hasten(to: tries.soonest(after: now)) || !lines.isStale(at: now) { return }
    if isResumable { return leaveForLink() }
    guard rules.allowsSpares, !lines.hasFreshSpare(at: now) else { return }
    dropSpares()
    plan(troubles.changedNetwork)
  }

  /// Makes a file's connection anew, which the change of the network may have broken.
  private func leaveForLink() {
    linkGained = nil
    failed(current, troubles.changedNetwork, mayPass: true)
  }

  /// Whether a file's connection may have been broken by a change of the network: what comes may be what the kernel
  /// had before.
  var isDoubtful: Bool {
    guard let linkGained, now - linkGained < Duration(milliseconds: 30_000) else { return false }
    return isResumable
  }

  /// Whether a file comes from a server, and is gone on with at its byte where its connection breaks.
  private var isResumable: Bool {
    source.file != nil && !sequence.isFollowing && candidates?.current.address.isFile != true && mayTry
  }
}
