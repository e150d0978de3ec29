import Blocks
import Units

/// Pauses the server of an HLS station if the ring is full or enough is buffered. Net thread only.
final class SegmentFlow {
  private let output: ProgrammeOutput
  private let search: StationSearch
  private let sink: SegmentOutput
  private let isLive: Bool
  private var throttle = Throttle()

  /// Maximum undecoded audio of a live station from its live start on.
  private static let maxAhead = StreamTime(seconds: 20)

  init(_ output: ProgrammeOutput, _ search: StationSearch, _ sink: SegmentOutput, isLive: Bool) {
    self.output = output
    self.search = search
    self.sink = sink
    self.isLive = isLive
  }

  /// Returns false if the server must be paused. `isBehindLive`: true if the next segment precedes the live start.
  func admits(isBehindLive: Bool, at now: MonotonicTime) -> Bool {
    let room = room(toResume: false, isBehindLive, at: now)
    guard room != .ample else {
      throttle.endPause()
      return true
    }
    throttle.recordPause(room, ahead: output.ahead)
    output.recordPause()
    return false
  }

  /// Resumes a paused server if there is room. Returns true if a full ring of a station must now be reported.
  func resumeIfRoom(_ sound: SegmentFetch, isBehindLive: Bool, at now: MonotonicTime) -> Bool {
    let room = room(toResume: true, isBehindLive, at: now)
    throttle.recordCheck(room, ahead: output.ahead)
    if room == .ample { sound.resume(at: now) }
    return throttle.mustReportFull(room == .full && isLive, at: now)
  }

  var interval: Duration { throttle.interval }

  func release() { throttle.endPause() }

  func wait(for sound: SegmentFetch?, at now: MonotonicTime) -> NetWait {
    if output.seeksPlace { return .bytes }
    guard sound?.isPaused != true else { return throttle.lastRoom == .full ? .room : .sound }
    return output.canFree(BlockWriter.readRoom) || mayWrap(at: now) ? .bytes : .room
  }

  /// True if the ring may drop unplayed audio. A full ring alone is not enough: segments arrive faster than real time.
  private func mayWrap(at now: MonotonicTime) -> Bool {
    isLive && (search.request.isContinuous || output.isRecorded) && sink.lead(at: now) <= .zero
  }

  private func room(toResume: Bool, _ isBehindLive: Bool, at now: MonotonicTime) -> RoomState {
    let count = BlockWriter.readRoom + (toResume ? 2 : 0)
    guard output.makeRoom(count) || mayWrap(at: now) && output.makeRoom(count, wraps: true) else { return .full }
    guard !isLive || isBehindLive, !output.seeksPlace else { return .ample }
    let most = toResume ? StreamTime(ticks: Self.maxAhead.ticks / 8 * 7) : Self.maxAhead
    return output.ahead >= most ? .satisfied : .ample
  }
}
