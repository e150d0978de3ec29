import Blocks
import Units

/// How fast the segments of an HLS station may come: whether the next bytes find room, and how long a server waits. The
/// net thread's.
final class SegmentFlow {
  private let output: ProgrammeOutput
  private let search: StationSearch
  private let sink: SegmentOutput
  private let isLive: Bool
  private var throttle = Throttle()

  /// So much is held ahead of the sound, where what is live is further ahead or never comes.
  private static let mostAhead = StreamTime(seconds: 20)

  /// The flow through `sink` into `output` of a station, or of a finished list.
  init(_ output: ProgrammeOutput, _ search: StationSearch, _ sink: SegmentOutput, isLive: Bool) {
    (self.output, self.search, self.sink, self.isLive) = (output, search, sink, isLive)
  }

  /// Whether the next bytes are taken; else their server has to wait. `isBehindLive` where they are not live yet.
  func admits(isBehindLive: Bool, at now: MonotonicTime) -> Bool {
    let room = room(toResume: false, isBehindLive, at: now)
    guard room != .ample else {
      throttle.release()
      return true
    }
    throttle.hold(room, ahead: output.ahead)
    output.holdUp()
    return false
  }

  /// Sees whether the server that waits may go on; whether it is told now that the ring of a station has long been
  /// full.
  func poll(_ sound: SegmentFetch, isBehindLive: Bool, at now: MonotonicTime) -> Bool {
    let room = room(toResume: true, isBehindLive, at: now)
    throttle.look(room, ahead: output.ahead)
    if room == .ample { sound.resume(at: now) }
    return throttle.tellsFull(room == .full && isLive, at: now)
  }

  /// The time between two looks for room.
  var interval: Duration { throttle.interval }

  /// Nothing is asked for any more.
  func release() { throttle.release() }

  /// What the net thread waits for while `sound` is what it takes.
  func wait(for sound: SegmentFetch?, at now: MonotonicTime) -> NetWait {
    if output.seeksPlace { return .bytes }
    guard sound?.isPaused != true else { return throttle.shortage == .full ? .room : .sound }
    return output.canFree(BlockWriter.readRoom) || mayWrap(at: now) ? .bytes : .room
  }

  /// A ring that wraps drops what real time has pushed out, never what a server sent ahead of it: segments come faster
  /// than their sound, so that a full ring alone says nothing of the listener.
  private func mayWrap(at now: MonotonicTime) -> Bool {
    isLive && (search.request.isContinuous || output.isRecorded) && sink.lead(at: now) <= .zero
  }

  private func room(toResume: Bool, _ isBehindLive: Bool, at now: MonotonicTime) -> Room {
    let count = BlockWriter.readRoom + (toResume ? 2 : 0)
    guard output.makeRoom(count) || mayWrap(at: now) && output.makeRoom(count, wraps: true) else { return .full }
    guard !isLive || isBehindLive, !output.seeksPlace else { return .ample }
    let most = toResume ? StreamTime(ticks: Self.mostAhead.ticks / 8 * 7) : Self.mostAhead
    return output.ahead >= most ? .satisfied : .ample
  }
}
