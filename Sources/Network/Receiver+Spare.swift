import Blocks
import Framing
import Units

// A second connection beside a silent one (R2.4), and what the machine's own network has to say.

extension Receiver {
  /// A live connection that is silent for so long gets a spare beside it.
  static let spareAfter = MonotonicTime(milliseconds: 3_000)

  /// So long a spare may be silent before it is followed by another: where nothing answers at all, the first ones not
  /// long; where a server took the request, it answers when it can, and more requests would only keep it busy.
  func patience(with spare: Reception) -> MonotonicTime {
    MonotonicTime(milliseconds: spare.transfer?.isAsked == true ? 5_000 : Int64(min(3, 1 + spareCount)) * 1_000)
  }

  /// Whether a silent connection may get a spare.
  var mayHaveSpare: Bool { hasPlayed && facts?.isLive != false && mayTry }

  /// Plans a spare, unless there is one, and tells why.
  func planSpare() {
    guard let current, mayHaveSpare, spare == nil, nextTry == nil else { return }
    plan(spareTrouble?.message ?? silent(now - current.lastData).message)
    spareTrouble = nil
  }

  func connectSpare() {
    guard let address = candidates?.current.address else { return }
    spareCount += 1
    spare?.cancel()
    spare = nil
    do throws(NetworkError) {
      spare = try open(address)
    } catch {
      spareFailed(trouble(error, address.url))
    }
  }

  /// A spare that answers nothing is kept until the next one is tried: the network may be back before.
  func attend(spare: Reception) {
    if spare.isPaused { return attendPause(of: spare) }
    let silence = now - spare.lastData
    guard silence > patience(with: spare), nextTry == nil, mayHaveSpare else { return }
    let trouble = silent(silence)
    if trouble.kind == .noNetwork { tellPassing(trouble) }
    plan(trouble.message)
  }

  /// A spare did not do; the silent connection gets another.
  func spareFailed(_ trouble: Trouble?) {
    spare = nil
    spareTrouble = trouble
    if let trouble, trouble.kind == .noNetwork || trouble.kind == .httpError { tellPassing(trouble) }
  }

  /// The silent connection speaks again: nothing else is tried.
  func standDown(for reception: Reception) {
    spare?.cancel()
    if isInDoubt, reception.isAnnounced, let facts { tellConnected(facts) }
    (spare, nextTry, spareTrouble, spareCount) = (nil, nil, nil, 0)
  }

  /// The machine's links, addresses or routes changed.
  func linkChanged(_ changes: LinkChanges) {
    guard nextTry != nil || hasPlayed && facts?.isLive != false else { return }
    if changes.contains(.lost), current != nil || nextTry != nil, !hasWay { tellPassing(noNetwork) }
    if changes.contains(.gained) { hurry() }
  }

  /// Tries at once what waits, or what has been silent for a second.
  private func hurry() {
    policy.hurry()
    let soonest = max(notBefore, policy.soonest(after: now))
    let patience = MonotonicTime(milliseconds: 1_000)
    if let nextTry {
      self.nextTry = min(nextTry, soonest)
    } else if let current, !current.isPaused, mayHaveSpare, now - current.lastData > patience {
      if let spare, now - spare.lastData <= patience { return }
      spare?.cancel()
      spare = nil
      plan("The network has changed.")
    }
  }
}
