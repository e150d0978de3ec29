import Blocks
import Units

// How fast a transfer may come.

extension Receiver {
  /// Whether a connection's next bytes may come; one that waits needs a little more room to go on.
  func room(for reception: Reception, toResume: Bool) -> Room {
    guard makeRoom(toResume ? Self.blocksToResume : Self.blocksToRead, for: reception) else { return .full }
    let isLive = reception.facts?.isLive != false
    // A burst is wanted whole while its place is sought.
    guard reception.intake?.phase == .audio, !output.seeksPlace else { return .ample }
    let most = most(for: reception)
    let limit = toResume ? StreamTime(ticks: most.ticks / 8 * 7) : most
    let isAhead = output.ahead >= limit && (!isLive || reception.lead(at: now) >= limit)
    return isAhead ? .satisfied : .ample
  }

  /// So many blocks must be free for a read, and for a server that waits to go on.
  private static let blocksToRead = BlockWriter.readRoom
  private static let blocksToResume = BlockWriter.readRoom + 2

  /// What is taken ahead of the decoder before the server is slowed down.
  private func most(for reception: Reception) -> StreamTime {
    if reception.facts?.isLive != false {
      let mayBeFile = reception.facts?.mayBeFile == true && !evidence.isStation
      return max(hold.limit(isLive: true, mayBeFile: mayBeFile), request.liveAhead)
    }
    return isNearFollower ? max(hold.limit(isLive: false), Self.lead) : hold.limit(isLive: false)
  }

  /// So long before a file ends its rest comes at once, so that there is time for the next one to answer.
  private static let lead = StreamTime(seconds: 20)

  private var isNearFollower: Bool {
    guard sequence.hasNext, let left = source.file?.left else { return false }
    return left < Self.lead
  }

  /// A ring that wraps drops what real time has pushed out, never what a server sent ahead of it.
  private func mayWrap(for reception: Reception) -> Bool {
    (request.isContinuous || output.isRecorded) && reception.facts?.isLive != false
      && reception.lead(at: now) < output.held
  }

  private func makeRoom(_ count: Int, for reception: Reception) -> Bool {
    isWrapping = false
    if output.makeRoom(count) { return true }
    guard mayWrap(for: reception) else { return false }
    isWrapping = true
    return output.makeRoom(count, wraps: true)
  }

  /// Whether the packets that wait for their place take so much of the ring that no further ones can come, whatever is
  /// heard meanwhile: then their place is as well known as it will ever be.
  var isJoinFull: Bool {
    guard output.seeksPlace, let current else { return false }
    return output.mostFree < (current.isPaused ? Self.blocksToResume : Self.blocksToRead)
  }

  /// What the net thread waits for.
  var wait: NetWait {
    guard let current else {
      switch lines.state {
      case .resting: return .listener
      case .waiting: return .nextTry
      case .idle, .on: return names.isAsking ? .nameServer : .order
      }
    }
    guard current.isPaused else {
      guard current.intake?.phase == .audio else { return .answer }
      if isWrapping { return .wrap }
      // Whoever waits for more to be held is told now that the next bytes would find no room: they may never come.
      if output.seeksPlace || output.canFree(Self.blocksToRead) { return .bytes }
      return mayWrap(for: current) ? .wrap : .room
    }
    // What waits for its place is published in a moment.
    if output.seeksPlace { return .bytes }
    return throttle.shortage == .full ? .room : .sound
  }

  /// Lets the server wait.
  func pause(_ reception: Reception, _ room: Room) {
    reception.markPause()
    throttle.hold(room, ahead: min(output.ahead, most(for: reception)))
    output.holdUp()
    guard room == .satisfied else { return }
    if reception.facts?.isLive != false { output.throttle() } else { countPlace() }
  }

  /// Sees whether a server that waits may go on; a ring that is full for long is told of.
  func attendPause(of reception: Reception) {
    reception.lastData = now
    let room = room(for: reception, toResume: true)
    throttle.look(room, ahead: output.ahead)
    if room == .ample { reception.transfer?.resume() }
    if throttle.tellsFull(room == .full && source.isLive, at: now) { tell(.full) }
  }
}
