import Blocks
import System
import Units

/// Brings what is recorded and kept from the block ring to files. The control thread's.
///
/// It copies packets from the ring, where they are whole and joined, into the queue of the file thread. A disk that
/// does not keep up leaves them in the ring; those that were dropped there before it took them end the recording.
final class SegmentWriter {
  private let files: any FileWriting
  /// Stays as long as its files are written.
  private let engine: any EngineControl
  private(set) var segments: [RecordingSegment] = []
  private var count: UInt32 = 0

  /// A control thread that waits for a disk waits no longer than this.
  static let patience = Duration(milliseconds: 500)

  init(_ engine: any EngineControl) {
    self.engine = engine
    files = engine.makeFileWriting()
  }

  deinit { files.finish(within: Duration(milliseconds: 1_000)) }

  /// Room for a packet out of the ring.
  var scratch: UnsafeMutableRawPointer { files.queue.pointee.scratch }

  // MARK: Beginning

  /// Begins a segment, and waits a moment for its file.
  func begin(
    _ purpose: RecordingSegment.Purpose, _ order: FileOrder, _ cursor: BlockCursor, _ scope: RecordingSegment.Scope,
    waits: Bool
  ) throws(RecordingError) -> RecordingSegment {
    count &+= 1
    let isSent: Bool
    do throws(ThreadError) { isSent = try files.open(count, order) } catch { throw RecordingError("\(error)") }
    guard isSent else { throw .slow(order.path) }
    let segment = RecordingSegment(count, purpose, path: order.path, cursor, scope)
    segments.append(segment)
    if waits { files.wait(count, Self.patience) { $0.path != nil || $0.isClosed } }
    look(at: segment)
    guard let failure = segment.failure else {
      publish()
      return segment
    }
    forget(segment)
    throw failure
  }

  /// How the file of a segment fares.
  func report(of segment: RecordingSegment) -> FileReport { files.report(segment.file) }

  /// Gives the file of a segment a moment to be complete.
  func waitForEnd(of segment: RecordingSegment) { files.wait(segment.file, Self.patience) { $0.isClosed } }

  /// Whether a file of the recording is still to be closed.
  var hasParts: Bool {
    segments.contains { segment in
      switch segment.purpose {
      case .recording, .part: true
      case .song, .none: false
      }
    }
  }

  /// Gives up a segment as if it had never been.
  private func forget(_ segment: RecordingSegment) {
    segments.removeAll { $0 === segment }
    files.forget(segment.file)
    publish()
  }

  // MARK: Each round

  /// Takes what came up to `limit`; the segments that are complete, file and all.
  func round(_ context: RecordingContext, upTo limit: StreamTime) -> [RecordingSegment] {
    for segment in segments {
      look(at: segment)
      if !segment.isOver { pump(segment, upTo: limit, context) }
      if segment.isOver { close(segment) }
    }
    let complete = segments.filter { files.report($0.file).isClosed }
    for segment in complete {
      look(at: segment)
      forget(segment)
    }
    publish()
    return complete
  }

  /// Whether anything is being recorded or kept.
  var isBusy: Bool { !segments.isEmpty }

  /// What its file tells of a segment.
  private func look(at segment: RecordingSegment) { segment.hear(files.report(segment.file)) }

  /// Says to the net thread that what the station sends is wanted.
  private func publish() {
    engine.receiveForRecording(segments.contains { !$0.isOver })
  }

  private func close(_ segment: RecordingSegment) {
    guard segment.isToClose, sendCue(segment), let slot = files.queue.pointee.claim() else { return }
    (slot.kind, slot.file) = (.close, segment.file)
    files.send()
    segment.closes()
  }

  // MARK: Programmes

  /// The programme that runs is about to be dropped: what has come of it is taken, and then its segments are over.
  func programmeEnds(_ context: RecordingContext, _ reason: RecordingError?) {
    for segment in segments where segment.epoch != nil && !segment.isOver {
      // What still waits for its file's opening gets a moment for it.
      if segment.isOpening {
        files.wait(segment.file, Self.patience) { $0.path != nil || $0.isClosed }
        look(at: segment)
      }
      if !segment.isOver, !drain(segment, context) { segment.fail(.slow(segment.path)) }
      if case .recording = segment.purpose { segment.fail(reason) }
      segment.end()
      close(segment)
    }
    publish()
  }

  /// Takes all that came, however much that is; false where the disk is too slow for it.
  private func drain(_ segment: RecordingSegment, _ context: RecordingContext) -> Bool {
    let end = now + Self.patience
    while !pump(segment, upTo: StreamTime(ticks: .max), context) {
      guard now < end else { return false }
      files.waitForRoom(end - now)
    }
    return true
  }

  private var now: MonotonicTime { engine.now }

  /// Another programme begins; who waits for it gets its first packet.
  func programmeBegins(_ epoch: UInt32) {
    for segment in segments { segment.programmeBegins(epoch) }
  }

  /// The last call.
  func finish(_ context: RecordingContext) -> [RecordingSegment] {
    programmeEnds(context, nil)
    for segment in segments where !segment.isOver {
      segment.end()
      close(segment)
    }
    for segment in segments { files.wait(segment.file, Duration(milliseconds: 3_000)) { $0.isClosed } }
    for segment in segments where !files.report(segment.file).isClosed {
      segment.fail(.slow(segment.path))
    }
    let left = segments
    for segment in left { look(at: segment) }
    segments = []
    files.finish(within: Duration(milliseconds: 1_000))
    return left
  }

  // MARK: The way of the packets from the ring into the queue

  /// Takes what came of a segment's programme before `limit`; false where the queue is full of what the disk has not
  /// taken.
  @discardableResult
  private func pump(_ segment: RecordingSegment, upTo limit: StreamTime, _ context: RecordingContext) -> Bool {
    guard !segment.isOpening, segment.findPlace(in: engine.ring) else { return true }
    _ = sendCue(segment)
    var slot: FileQueue.Slot?
    defer { if slot?.byteCount ?? 0 > 0 { files.send() } }
    while !segment.isOver {
      guard let open = slot ?? files.queue.pointee.claim() else {
        files.awaitRoom()
        return false
      }
      open.file = segment.file
      slot = open
      let step = segment.take(upTo: limit, context, into: scratch, written: { engine.blocks.written }) {
        open.append($0)
      }
      switch step {
      case .taken: break
      case .nothing: return true
      case .noRoom:
        files.send()
        slot = nil
      }
    }
    return true
  }

  /// Sends what the cue sheet waits for; false while the queue is full.
  private func sendCue(_ segment: RecordingSegment) -> Bool {
    guard segment.hasCue else { return true }
    guard let slot = files.queue.pointee.claim() else { return false }
    (slot.kind, slot.file) = (.cue, segment.file)
    var cue = segment.takeCue()
    cue.withUTF8 { text in
      _ = slot.append(
        UnsafeRawBufferPointer(start: text.baseAddress, count: min(text.count, FileQueue.payloadByteCount)))
    }
    files.send()
    return true
  }
}
