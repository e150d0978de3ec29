import Blocks
import System
import Units

/// Copies recorded packets from the block ring to the queue of the file thread. Control thread only.
///
/// A slow disk leaves packets in the ring, where they are whole and stitched. A drop there ends the recording.
final class SegmentWriter {
  private let files: any FileWriting
  /// Retained until all files are written.
  private let source: any RecordingSource
  private(set) var segments: [RecordingSegment] = []
  private var count: UInt32 = 0

  /// Maximum time that the control thread waits for a disk.
  static let patience = Duration(milliseconds: 500)

  init(_ source: any RecordingSource, _ files: any FileWriting) {
    self.source = source
    self.files = files
  }

  deinit { files.finish(within: Duration(milliseconds: 1_000)) }

  var scratch: UnsafeMutableRawPointer { files.queue.pointee.scratch }

  // MARK: Start

  /// Starts a segment, and waits briefly for its file.
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
    checkFile(at: segment)
    guard let failure = segment.failure else {
      publish()
      return segment
    }
    forget(segment)
    throw failure
  }

  func report(of segment: RecordingSegment) -> FileReport { files.report(segment.file) }

  func waitForEnd(of segment: RecordingSegment) { files.wait(segment.file, Self.patience) { $0.isClosed } }

  /// True while a file of the recording is open.
  var hasParts: Bool {
    segments.contains { segment in
      switch segment.purpose {
      case .recording, .part: true
      case .song, .none: false
      }
    }
  }

  private func forget(_ segment: RecordingSegment) {
    segments.removeAll { $0 === segment }
    files.removeReport(segment.file)
    publish()
  }

  // MARK: Iterations

  /// Copies packets up to `limit`; returns the segments whose files are complete.
  func round(_ context: RecordingContext, upTo limit: StreamTime) -> [RecordingSegment] {
    for segment in segments {
      checkFile(at: segment)
      if !segment.isOver { pump(segment, upTo: limit, context) }
      if segment.isOver { close(segment) }
    }
    let complete = segments.filter { files.report($0.file).isClosed }
    for segment in complete {
      checkFile(at: segment)
      forget(segment)
    }
    publish()
    return complete
  }

  var isBusy: Bool { !segments.isEmpty }

  private func checkFile(at segment: RecordingSegment) { segment.process(files.report(segment.file)) }

  /// Reports to the net thread whether the station's data is needed.
  private func publish() {
    source.receiveForRecording(segments.contains { !$0.isOver })
  }

  private func close(_ segment: RecordingSegment) {
    guard segment.isToClose, sendCue(segment) else { return }
    guard files.queue.pointee.claim(.close, of: segment.file) != nil else { return }
    files.send()
    segment.closes()
  }

  // MARK: Programmes

  /// Copies the rest of the current programme before it is dropped, and ends its segments.
  func programmeEnds(_ context: RecordingContext, _ reason: RecordingError?) {
    for segment in segments where segment.epoch != nil && !segment.isOver {
      if segment.isOpening {
        files.wait(segment.file, Self.patience) { $0.path != nil || $0.isClosed }
        checkFile(at: segment)
      }
      if !segment.isOver, !drain(segment, context) { segment.fail(.slow(segment.path)) }
      if case .recording = segment.purpose { segment.fail(reason) }
      segment.end()
      close(segment)
    }
    publish()
  }

  /// Copies all packets; false if the disk is too slow.
  private func drain(_ segment: RecordingSegment, _ context: RecordingContext) -> Bool {
    let end = now + Self.patience
    while !pump(segment, upTo: StreamTime(ticks: .max), context) {
      guard now < end else { return false }
      files.waitForRoom(end - now)
    }
    return true
  }

  private var now: MonotonicTime { source.now }

  func programmeBegins(_ epoch: UInt32) {
    for segment in segments { segment.programmeBegins(epoch) }
  }

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
    for segment in left { checkFile(at: segment) }
    segments = []
    files.finish(within: Duration(milliseconds: 1_000))
    return left
  }

  // MARK: From the ring to the queue

  /// Copies a segment's packets before `limit`; false if the queue is full because of a slow disk.
  @discardableResult
  private func pump(_ segment: RecordingSegment, upTo limit: StreamTime, _ context: RecordingContext) -> Bool {
    guard !segment.isOpening, segment.findPlace(in: source.ring) else { return true }
    _ = sendCue(segment)
    var slot: FileQueue.Slot?
    defer { if slot?.byteCount ?? 0 > 0 { files.send() } }
    while !segment.isOver {
      guard let open = slot ?? files.queue.pointee.claim(.packets, of: segment.file) else {
        files.requestRoomNotice()
        return false
      }
      slot = open
      let step = segment.copyPacket(upTo: limit, context, into: scratch, written: { written }) {
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

  /// End of the ring.
  private var written: StreamTime { source.ring.pointee.statistics.written }

  /// Queues the text of the cue sheet; false if the queue is full.
  private func sendCue(_ segment: RecordingSegment) -> Bool {
    guard segment.hasCue else { return true }
    guard let slot = files.queue.pointee.claim(.cue, of: segment.file) else { return false }
    var cue = segment.removeCue()
    cue.withUTF8 { text in
      _ = slot.append(
        UnsafeRawBufferPointer(start: text.baseAddress, count: min(text.count, FileQueue.payloadByteCount)))
    }
    files.send()
    return true
  }
}
