import Blocks
import Units

/// Limits the pace of transfers: checks the room for the next bytes and pauses servers. Net thread only.
final class FlowControl {
  private let context: ProgrammeContext
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

  init(_ context: ProgrammeContext, _ hold: HoldRule) {
    self.context = context
    self.hold = hold
  }

  private var output: ProgrammeOutput { context.output }

  func apply(_ hold: HoldRule) { self.hold = hold }

  // MARK: Room

  private func blocks(for connection: StationConnection, toResume: Bool) -> Int {
    let room = output.room(beside: connection.incompleteByteCount)
    // A small ring with long packets may never have more free blocks than `room`.
    return toResume ? max(room, min(room + 2, output.maxFree)) : room
  }

  /// Checks the room for the next bytes of a connection. Resuming needs more room than a read.
  func room(for connection: StationConnection, of programme: Programme, toResume: Bool, at now: MonotonicTime)
    -> RoomState
  {
    guard makeRoom(blocks(for: connection, toResume: toResume), for: connection, at: now) else { return .full }
    // While the stitch is pending, the whole burst is wanted.
    guard connection.bringsAudio, !output.seeksPlace, !connection.isRepeating else { return .ample }
    let most = maxAhead(for: connection, of: programme)
    let limit = toResume ? StreamTime(ticks: most.ticks / 8 * 7) : most
    let isAhead = output.ahead >= limit && (!connection.isTakenForLive || connection.deliveryLead(at: now) >= limit)
    return isAhead ? .satisfied : .ample
  }

  private func maxAhead(for connection: StationConnection, of programme: Programme) -> StreamTime {
    if connection.isTakenForLive {
      let mayBeFile = connection.facts?.mayBeFile == true && !programme.isStation
      return max(hold.limit(isLive: true, mayBeFile: mayBeFile), context.search.request.liveAhead)
    }
    // Without ranges, a broken connection may end the file. Therefore as much is buffered as for a station.
    if connection.isSentOnce { return hold.limit(isLive: true, mayBeFile: true) }
    let isNearNext = programme.leftBeforeNext.map { $0 < Self.fastTail } ?? false
    return isNearNext ? max(hold.limit(isLive: false), Self.fastTail) : hold.limit(isLive: false)
  }

  /// True if the ring may drop unplayed audio: as fast as real time passes, but not faster.
  private func mayWrap(for connection: StationConnection, at now: MonotonicTime) -> Bool {
    (context.search.request.isContinuous || output.isRecorded) && connection.isTakenForLive
      && connection.deliveryLead(at: now) < output.buffered
  }

  private func makeRoom(_ count: Int, for connection: StationConnection, at now: MonotonicTime) -> Bool {
    isWrapping = false
    if output.makeRoom(count) { return true }
    guard mayWrap(for: connection, at: now) else { return false }
    isWrapping = true
    return output.makeRoom(count, wraps: true)
  }

  /// True if staged packets fill the ring, so that no more packets can arrive. More waiting then does not improve the
  /// stitch.
  func isJoinFull(of connection: StationConnection?) -> Bool {
    guard output.seeksPlace, let connection else { return false }
    return output.maxFree < blocks(for: connection, toResume: connection.isPaused)
  }

  // MARK: Pauses

  func pause(_ connection: StationConnection, _ room: RoomState, of programme: Programme) {
    connection.recordPause()
    throttle.recordPause(room, ahead: min(output.ahead, maxAhead(for: connection, of: programme)))
    output.recordPause()
    if room == .satisfied, connection.isTakenForLive { output.throttle() }
  }

  /// Resumes a paused server if there is room. Returns true if a full ring of a station must now be reported.
  func poll(_ connection: StationConnection, of programme: Programme, isLive: Bool, at now: MonotonicTime) -> Bool {
    connection.recordActivity(at: now)
    let room = room(for: connection, of: programme, toResume: true, at: now)
    throttle.recordCheck(room, ahead: output.ahead)
    if room == .ample { connection.resume() }
    return throttle.mustReportFull(room == .full && isLive, at: now)
  }

  func release() { throttle.endPause() }

  var interval: Duration { throttle.interval }

  func wait(for connection: StationConnection, at now: MonotonicTime) -> NetWait {
    guard connection.isPaused else {
      guard connection.bringsAudio else { return .answer }
      if isWrapping { return .wrap }
      // A caller that waits for more audio must learn now that the next bytes will not fit: they may never arrive.
      if output.seeksPlace || output.canFree(blocks(for: connection, toResume: false)) { return .bytes }
      return mayWrap(for: connection, at: now) ? .wrap : .room
    }
    // Staged packets are published within a moment.
    if output.seeksPlace { return .bytes }
    return throttle.lastRoom == .full ? .room : .sound
  }
}
