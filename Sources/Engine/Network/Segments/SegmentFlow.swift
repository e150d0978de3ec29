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

  /// Returns false if the server must be paused. `place`: of the next segment.
  func admits(at place: SegmentSchedule.Place, _ now: MonotonicTime) -> Bool {
    let room = room(toResume: false, place, at: now)
    guard room != .ample else {
      throttle.endPause()
      return true
    }
    throttle.recordPause(room, ahead: output.ahead)
    output.recordPause()
    return false
  }

  /// Resumes a paused server if there is room. Returns true if a full ring of a station must now be reported.
  func resumeIfRoom(_ sound: SegmentFetch, at place: SegmentSchedule.Place, _ now: MonotonicTime) -> Bool {
    let room = room(toResume: true, place, at: now)
    throttle.recordCheck(room, ahead: output.ahead)
    if room == .ample { sound.resume(at: now) }
    return throttle.mustReportFull(room == .full && isLive, at: now)
  }

  var interval: Duration { throttle.interval }

  func release() { throttle.endPause() }

  func wait(for sound: SegmentFetch?, at place: SegmentSchedule.Place, _ now: MonotonicTime) -> NetWait {
    if output.seeksPlace { return .bytes }
    guard sound?.isPaused != true else { return throttle.lastRoom == .full ? .room : .sound }
    return output.canFree(BlockWriter.readRoom) || mayWrap(place, at: now) ? .bytes : .room
  }

  /// True if the ring may drop unplayed audio: near live, and as fast as real time passes, but not faster. After a
  /// rewind into the server's window, nothing is dropped: the server still has the later audio.
  private func mayWrap(_ place: SegmentSchedule.Place, at now: MonotonicTime) -> Bool {
    guard isLive, mayDrop, place != .early else { return false }
    // Segments arrive faster than real time, but at the start no audio may be dropped.
    return sink.lead(at: now).ticks <= output.buffered.ticks / 2
  }

  private var mayDrop: Bool { search.request.isContinuous || output.isRecorded }

  private func room(toResume: Bool, _ place: SegmentSchedule.Place, at now: MonotonicTime) -> RoomState {
    let count = BlockWriter.readRoom + (toResume ? 2 : 0)
    guard output.makeRoom(count) || mayWrap(place, at: now) && output.makeRoom(count, wraps: true) else { return .full }
    guard !isLive || place == .early || place == .near && !mayDrop, !output.seeksPlace else { return .ample }
    let most = toResume ? StreamTime(ticks: Self.maxAhead.ticks / 8 * 7) : Self.maxAhead
    return output.ahead >= most ? .satisfied : .ample
  }
}
