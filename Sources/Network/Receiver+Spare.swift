import Blocks
import Framing
import Units

// A second connection beside a silent one (R2.4), and what the machine's own network has to say.

extension Receiver {
  /// So long a live connection is silent before it gets a spare: one that has brought sound may be held up for a
  /// moment, a new one is a try like any other, and followed by the next a second later (R4.1).
  func spareSilence(of reception: Reception) -> MonotonicTime {
    reception.isJoined ? MonotonicTime(milliseconds: 3_000) : Spares.pause
  }

  /// Whether a silent connection may get a spare.
  var mayHaveSpare: Bool { hasPlayed && source.isLive && mayTry }

  /// Plans a spare, unless the last one is awaited still, and tells why.
  func planSpare() {
    guard let current, mayHaveSpare, spares.newest == nil, nextTry == nil else { return }
    plan(spareTrouble ?? troubles.silent(now - current.lastData))
    spareTrouble = nil
  }

  func connectSpare() {
    guard let address = candidates?.current.address else { return }
    do throws(NetworkError) {
      let reception = try open(address)
      leave(spares.add(reception, at: now))
    } catch {
      spareFailed(nil, troubles.error(error, of: address.url))
    }
  }

  /// A spare that has brought no packet for a second is followed by another.
  func attendSpares() {
    for spare in spares.all where spare.isPaused { attendPause(of: spare) }
    guard let current, let spare = spares.newest, !spare.isPaused, nextTry == nil, mayHaveSpare,
      now - spare.began >= Spares.pause
    else { return }
    let trouble = troubles.silent(now - current.lastData)
    if trouble.kind == .noNetwork { tellPassing(trouble) }
    plan(trouble)
  }

  /// A spare did not do; the silent connection gets another.
  func spareFailed(_ reception: Reception?, _ trouble: Trouble?) {
    if let reception { spares.remove(reception) }
    spareTrouble = trouble
    if let trouble, trouble.kind == .noNetwork || trouble.kind == .httpError { tellPassing(trouble) }
  }

  /// Lets go of all spares.
  func dropSpares() {
    for spare in spares.all { leave(spare) }
    spares = Spares()
  }

  /// The silent connection speaks again: nothing else is tried.
  func standDown(for reception: Reception) {
    dropSpares()
    if isInDoubt, reception.isAnnounced, let facts { tellConnected(facts) }
    (nextTry, spareTrouble) = (nil, nil)
  }

  /// The machine's links, addresses or routes changed.
  func linkChanged(_ changes: LinkChanges) {
    guard nextTry != nil || hasPlayed else { return }
    let isTried = nextTry != nil || current != nil && !source.hasEnd
    if changes.contains(.lost), isTried, !troubles.hasWay { tellPassing(troubles.noNetwork) }
    if changes.contains(.gained) {
      linkGained = now
      hurry()
    }
  }

  /// Tries at once what waits, or what has been silent for a second.
  private func hurry() {
    policy.hurry()
    let soonest = max(notBefore, policy.soonest(after: now))
    if let nextTry {
      self.nextTry = min(nextTry, soonest)
    } else if let current, !current.isPaused, now - current.lastData > Self.linkPatience {
      if isResumable { return leaveForLink(current) }
      guard mayHaveSpare else { return }
      if let spare = spares.newest, now - spare.lastData <= Self.linkPatience { return }
      dropSpares()
      plan(troubles.changedNetwork)
    }
  }

  /// A connection that is silent for longer when the network has changed is not waited for.
  static let linkPatience = MonotonicTime(milliseconds: 1_000)

  /// Makes a file's connection anew, which the change of the network may have broken.
  func leaveForLink(_ reception: Reception) {
    linkGained = nil
    failed(reception, troubles.changedNetwork, mayPass: true)
  }

  /// Whether a file's connection may have been broken by a change of the network: what comes may be what the kernel
  /// had before.
  var isDoubtful: Bool {
    guard let linkGained, now - linkGained < MonotonicTime(milliseconds: 30_000) else { return false }
    return isResumable
  }

  /// Whether a file comes from a server, and is gone on with at its byte where its connection breaks.
  private var isResumable: Bool {
    source.file != nil && !sequence.isFollowing && candidates?.current.address.isFile != true && mayTry
  }
}
