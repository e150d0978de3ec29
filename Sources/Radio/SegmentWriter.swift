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
    _ purpose: RecordingSegment.Purpose, _ order: FileOrder, _ cursor: BlockCursor, epoch: UInt32?, isPlaced: Bool,
    waits: Bool
  ) throws(RecordingError) -> RecordingSegment {
    count &+= 1
    let isSent: Bool
    do throws(ThreadError) { isSent = try files.open(count, order) } catch { throw RecordingError("\(error)") }
    guard isSent else { throw .slow(order.path) }
    let segment = RecordingSegment(count, purpose, path: order.path, cursor, epoch: epoch, isPlaced: isPlaced)
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
    segments.contains { segment in if case .song = segment.purpose { false } else { !segment.isSilent } }
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
  private func look(at segment: RecordingSegment) {
    let report = files.report(segment.file)
    segment.fileByteCount = report.byteCount
    if report.isClosed {
      segment.isOver = true
      segment.failure = segment.failure ?? report.failure
    } else if report.isOpen, !segment.isOpen {
      segment.isOpen = true
      if let path = report.path { segment.path = path }
      segment.existing = report.existing
      if report.existing != nil { segment.join() }
    }
  }

  /// Says to the net thread that what the station sends is wanted.
  private func publish() {
    engine.receiveForRecording(segments.contains { !$0.isOver })
  }

  private func close(_ segment: RecordingSegment) {
    guard !segment.isClosing, sendCue(segment), let slot = files.queue.pointee.claim() else { return }
    (slot.kind, slot.file) = (.close, segment.file)
    files.send()
    segment.isClosing = true
  }

  // MARK: Programmes

  /// The programme that runs is about to be dropped: what has come of it is taken, and then its segments are over.
  func programmeEnds(_ context: RecordingContext, _ reason: RecordingError?) {
    for segment in segments where segment.epoch != nil && !segment.isOver {
      // What still waits for its file's opening gets a moment for it.
      if !segment.isOpen {
        files.wait(segment.file, Self.patience) { $0.path != nil || $0.isClosed }
        look(at: segment)
      }
      if !segment.isOver, !drain(segment, context) { segment.failure = segment.failure ?? .slow(segment.path) }
      if case .recording = segment.purpose { segment.failure = segment.failure ?? reason }
      segment.isOver = true
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
    for segment in segments where segment.epoch == nil { (segment.epoch, segment.isPlaced) = (epoch, false) }
  }

  /// The last call.
  func finish(_ context: RecordingContext) -> [RecordingSegment] {
    programmeEnds(context, nil)
    for segment in segments where !segment.isOver {
      segment.isOver = true
      close(segment)
    }
    for segment in segments { files.wait(segment.file, Duration(milliseconds: 3_000)) { $0.isClosed } }
    for segment in segments where !files.report(segment.file).isClosed {
      segment.failure = segment.failure ?? .slow(segment.path)
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
    guard segment.isOpen, place(segment) else { return true }
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
      let before = segment.cursor
      guard let packet = segment.cursor.next(into: scratch) else {
        if let until = segment.until, engine.blocks.written >= until { segment.isOver = true }
        return true
      }
      if packet.start >= limit, packet.epoch == segment.epoch {
        segment.cursor = before
        return true
      }
      guard belongs(packet, to: segment) else { return true }
      let joint = segment.fit(packet, scratch)
      if !open.append(UnsafeRawBufferPointer(start: scratch, count: packet.info.byteCount)) {
        segment.cursor = before
        files.send()
        slot = nil
        continue
      }
      note(packet, of: segment, context)
      segment.count(packet, joint: joint)
    }
    return true
  }

  /// Finds the first packet of a segment that waits for its programme; false while there is none.
  private func place(_ segment: RecordingSegment) -> Bool {
    if segment.isPlaced { return true }
    guard let epoch = segment.epoch, engine.ring.pointee.writtenEpoch == epoch else { return false }
    segment.cursor = BlockCursor(engine.ring)
    segment.isPlaced = true
    return true
  }

  /// Whether a packet is a segment's; ends the segment where it is not.
  private func belongs(_ packet: HeldPacket, to segment: RecordingSegment) -> Bool {
    forgive(packet, segment)
    if packet.epoch != segment.epoch {
      segment.failure = segment.failure ?? .slow(segment.path)
    } else if let until = segment.until, packet.start + packet.info.duration.share(1, of: 2) > until {
      // Its end: nothing is wrong.
    } else if segment.cursor.hasLost {
      segment.failure = segment.failure ?? .slow(segment.path)
    } else if let format = segment.format, !format.fits(packet.info.format) {
      segment.failure = segment.failure ?? .changed(format, packet.info.format)
    } else if let old = segment.existing?.format, segment.format == nil, !old.fits(packet.info.format) {
      segment.failure = segment.failure ?? .otherFormat(segment.path, old, packet.info.format)
    } else {
      segment.format = packet.info.format
      return true
    }
    segment.isOver = true
    return false
  }

  /// A song whose beginning is dropped while its file is opened begins a little later.
  private func forgive(_ packet: HeldPacket, _ segment: RecordingSegment) {
    guard case .song = segment.purpose, !segment.hasBegun, segment.cursor.hasLost, packet.epoch == segment.epoch else {
      return
    }
    segment.cursor.hasLost = false
    segment.lost = max(.zero, packet.start - segment.start)
  }

  // MARK: Titles

  /// Writes to the cue sheet what begins with a packet.
  private func note(_ packet: HeldPacket, of segment: RecordingSegment, _ context: RecordingContext) {
    guard case .recording = segment.purpose else { return }
    let entry = context.titles.entry(at: packet.start)
    let number = entry?.number ?? -1
    guard number != segment.cueNumber else { return }
    let past = segment.existing?.duration ?? .zero
    let isFirst = segment.cueNumber == nil
    if isFirst, segment.existing == nil {
      segment.cueText += CueSheet.head(file: FileName.last(segment.path), station: context.station ?? "")
    }
    // A title that was told late began before this packet.
    let since = entry.map { max(.zero, packet.start - $0.at) } ?? .zero
    let at = isFirst ? segment.recorded : segment.recorded - min(since, segment.recorded)
    segment.cueText += segment.sheet.track(entry?.title, station: context.station ?? "", at: past + at)
    segment.cueNumber = number
  }

  /// Sends what the cue sheet waits for; false while the queue is full.
  private func sendCue(_ segment: RecordingSegment) -> Bool {
    guard !segment.cueText.isEmpty else { return true }
    guard let slot = files.queue.pointee.claim() else { return false }
    (slot.kind, slot.file) = (.cue, segment.file)
    segment.cueText.withUTF8 { text in
      _ = slot.append(
        UnsafeRawBufferPointer(start: text.baseAddress, count: min(text.count, FileQueue.payloadByteCount)))
    }
    files.send()
    segment.cueText = ""
    return true
  }
}
