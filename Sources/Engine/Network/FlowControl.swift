import Blocks
import Units

/// How fast a transfer may come: whether the next bytes find room, and how long a server waits. The net thread's.
final class FlowControl {
  private let output: ProgrammeOutput
  private let search: StationSearch
  private var hold: HoldRule
  private var throttle = Throttle()
  /// Whether the last read dropped what was not heard.
  private var isWrapping = false

  /// What the pace of a connection depends on, beside what it brings.
  struct Programme {
    /// Whether it is known to be a station, and not a file that looks like one.
    var isStation: Bool
    /// What of the file sounds behind the packets that came, where another one follows; nil where none does.
    var leftBeforeNext: StreamTime?
  }

  /// So long before a file ends its rest comes at once, so that there is time for the next one to answer.
  private static let lead = StreamTime(seconds: 20)

  /// The flow into `output` of what `search` asks for; `hold` says how far it may run ahead of the sound.
  init(_ output: ProgrammeOutput, _ search: StationSearch, _ hold: HoldRule) {
    (self.output, self.search, self.hold) = (output, search, hold)
  }

  /// How far it may run ahead of the sound from now on.
  func use(_ hold: HoldRule) { self.hold = hold }

  // MARK: Room

  /// So many blocks must be free for a read, and for a server that waits to go on.
  private func blocks(for reception: Reception, toResume: Bool) -> Int {
    let room = output.room(beside: reception.heldByteCount)
    // In a small ring with long packets no more than the room itself may ever be free.
    return toResume ? max(room, min(room + 2, output.mostFree)) : room
  }

  /// Whether a connection's next bytes may come; one that waits needs a little more room to go on.
  func room(for reception: Reception, of programme: Programme, toResume: Bool, at now: MonotonicTime) -> Room {
    guard makeRoom(blocks(for: reception, toResume: toResume), for: reception, at: now) else { return .full }
    // A burst is wanted whole while its place is sought.
    guard reception.bringsAudio, !output.seeksPlace else { return .ample }
    let most = most(for: reception, of: programme)
    let limit = toResume ? StreamTime(ticks: most.ticks / 8 * 7) : most
    let isAhead = output.ahead >= limit && (!reception.isTakenForLive || reception.lead(at: now) >= limit)
    return isAhead ? .satisfied : .ample
  }

  /// What is taken ahead of the decoder before the server is slowed down.
  private func most(for reception: Reception, of programme: Programme) -> StreamTime {
    if reception.isTakenForLive {
      let mayBeFile = reception.facts?.mayBeFile == true && !programme.isStation
      return max(hold.limit(isLive: true, mayBeFile: mayBeFile), search.request.liveAhead)
    }
    // A break in it may be its end: as much is held as of a station.
    if reception.isSentOnce { return hold.limit(isLive: true, mayBeFile: true) }
    let isNearNext = programme.leftBeforeNext.map { $0 < Self.lead } ?? false
    return isNearNext ? max(hold.limit(isLive: false), Self.lead) : hold.limit(isLive: false)
  }

  /// A ring that wraps drops what real time has pushed out, never what a server sent ahead of it.
  private func mayWrap(for reception: Reception, at now: MonotonicTime) -> Bool {
    (search.request.isContinuous || output.isRecorded) && reception.isTakenForLive
      && reception.lead(at: now) < output.held
  }

  private func makeRoom(_ count: Int, for reception: Reception, at now: MonotonicTime) -> Bool {
    isWrapping = false
    if output.makeRoom(count) { return true }
    guard mayWrap(for: reception, at: now) else { return false }
    isWrapping = true
    return output.makeRoom(count, wraps: true)
  }

  /// Whether the packets that wait for their place take so much of the ring that no further ones can come, whatever is
  /// heard meanwhile: then their place is as well known as it will ever be.
  func isJoinFull(of reception: Reception?) -> Bool {
    guard output.seeksPlace, let reception else { return false }
    return output.mostFree < blocks(for: reception, toResume: reception.isPaused)
  }

  // MARK: Waiting

  /// Lets the server wait.
  func pause(_ reception: Reception, _ room: Room, of programme: Programme) {
    reception.markPause()
    throttle.hold(room, ahead: min(output.ahead, most(for: reception, of: programme)))
    output.holdUp()
    if room == .satisfied, reception.isTakenForLive { output.throttle() }
  }

  /// Sees whether a server that waits may go on; whether it is told now that the ring of a station has long been full.
  func poll(_ reception: Reception, of programme: Programme, isLive: Bool, at now: MonotonicTime) -> Bool {
    reception.wake(at: now)
    let room = room(for: reception, of: programme, toResume: true, at: now)
    throttle.look(room, ahead: output.ahead)
    if room == .ample { reception.resume() }
    return throttle.tellsFull(room == .full && isLive, at: now)
  }

  /// Bytes are taken, or nothing is asked for any more.
  func release() { throttle.release() }

  /// The time between two looks for room.
  var interval: Duration { throttle.interval }

  /// What the net thread waits for while `reception` is what it takes.
  func wait(for reception: Reception, at now: MonotonicTime) -> NetWait {
    guard reception.isPaused else {
      guard reception.bringsAudio else { return .answer }
      if isWrapping { return .wrap }
      // Whoever waits for more to be held is told now that the next bytes would find no room: they may never come.
      if output.seeksPlace || output.canFree(blocks(for: reception, toResume: false)) { return .bytes }
      return mayWrap(for: reception, at: now) ? .wrap : .room
    }
    // What waits for its place is published in a moment.
    if output.seeksPlace { return .bytes }
    return throttle.shortage == .full ? .room : .sound
  }
}
