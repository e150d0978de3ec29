import Blocks
import Units

/// Limits the pace of transfers: checks the room for the next bytes and pauses servers. Net thread only.
final class FlowControl {
  private let output: ProgrammeOutput
  private let search: StationSearch
  private var hold: HoldRule
  private var throttle = Throttle()
  /// True if the last read dropped audio that was not played.
  private var isWrapping = false

  struct Programme {
    var isStation: Bool
    /// Duration of the file after the received packets; nil if no file follows.
    var leftBeforeNext: StreamTime?
  }

  /// Duration of a file's last part that is received at full speed. The next server then has time to respond.
  private static let fastTail = StreamTime(seconds: 20)

  init(_ output: ProgrammeOutput, _ search: StationSearch, _ hold: HoldRule) {
    (self.output, self.search, self.hold) = (output, search, hold)
  }

  func apply(_ hold: HoldRule) { self.hold = hold }

  // MARK: Room

  private func blocks(for reception: StationConnection, toResume: Bool) -> Int {
    let room = output.room(beside: reception.incompleteByteCount)
    // A small ring with long packets may never have more free blocks than `room`.
    return toResume ? max(room, min(room + 2, output.maxFree)) : room
  }

  /// Checks the room for the next bytes of a connection. Resuming needs more room than a read.
  func room(for reception: StationConnection, of programme: Programme, toResume: Bool, at now: MonotonicTime)
    -> RoomState
  {
    guard makeRoom(blocks(for: reception, toResume: toResume), for: reception, at: now) else { return .full }
    // While the stitch is pending, the whole burst is wanted.
    guard reception.bringsAudio, !output.seeksPlace else { return .ample }
    let most = maxAhead(for: reception, of: programme)
    let limit = toResume ? StreamTime(ticks: most.ticks / 8 * 7) : most
    let isAhead = output.ahead >= limit && (!reception.isTakenForLive || reception.deliveryLead(at: now) >= limit)
    return isAhead ? .satisfied : .ample
  }

  private func maxAhead(for reception: StationConnection, of programme: Programme) -> StreamTime {
    if reception.isTakenForLive {
      let mayBeFile = reception.facts?.mayBeFile == true && !programme.isStation
      return max(hold.limit(isLive: true, mayBeFile: mayBeFile), search.request.liveAhead)
    }
    // Without ranges, a broken connection may end the file. Therefore as much is buffered as for a station.
    if reception.isSentOnce { return hold.limit(isLive: true, mayBeFile: true) }
    let isNearNext = programme.leftBeforeNext.map { $0 < Self.fastTail } ?? false
    return isNearNext ? max(hold.limit(isLive: false), Self.fastTail) : hold.limit(isLive: false)
  }

  /// True if the ring may drop unplayed audio: as fast as real time passes, but not faster.
  private func mayWrap(for reception: StationConnection, at now: MonotonicTime) -> Bool {
    (search.request.isContinuous || output.isRecorded) && reception.isTakenForLive
      && reception.deliveryLead(at: now) < output.buffered
  }

  private func makeRoom(_ count: Int, for reception: StationConnection, at now: MonotonicTime) -> Bool {
    isWrapping = false
    if output.makeRoom(count) { return true }
    guard mayWrap(for: reception, at: now) else { return false }
    isWrapping = true
    return output.makeRoom(count, wraps: true)
  }

  /// True if staged packets fill the ring, so that no more packets can arrive. More waiting then does not improve the
  /// stitch.
  func isJoinFull(of reception: StationConnection?) -> Bool {
    guard output.seeksPlace, let reception else { return false }
    return output.maxFree < blocks(for: reception, toResume: reception.isPaused)
  }

  // MARK: Pauses

  func pause(_ reception: StationConnection, _ room: RoomState, of programme: Programme) {
    reception.recordPause()
    throttle.recordPause(room, ahead: min(output.ahead, maxAhead(for: reception, of: programme)))
    output.recordPause()
    if room == .satisfied, reception.isTakenForLive { output.throttle() }
  }

  /// Resumes a paused server if there is room. Returns true if a full ring of a station must now be reported.
  func poll(_ reception: StationConnection, of programme: Programme, isLive: Bool, at now: MonotonicTime) -> Bool {
    reception.recordActivity(at: now)
    let room = room(for: reception, of: programme, toResume: true, at: now)
    throttle.recordCheck(room, ahead: output.ahead)
    if room == .ample { reception.resume() }
    return throttle.mustReportFull(room == .full && isLive, at: now)
  }

  func release() { throttle.endPause() }

  var interval: Duration { throttle.interval }

  func wait(for reception: StationConnection, at now: MonotonicTime) -> NetWait {
    guard reception.isPaused else {
      guard reception.bringsAudio else { return .answer }
      if isWrapping { return .wrap }
      // A caller that waits for more audio must learn now that the next bytes will not fit: they may never arrive.
      if output.seeksPlace || output.canFree(blocks(for: reception, toResume: false)) { return .bytes }
      return mayWrap(for: reception, at: now) ? .wrap : .room
    }
    // Staged packets are published within a moment.
    if output.seeksPlace { return .bytes }
    return throttle.lastRoom == .full ? .room : .sound
  }
}
