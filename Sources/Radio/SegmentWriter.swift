import Blocks
import Units

/// Brings what is recorded and kept from the block ring to files. The control thread's.
///
/// It copies packets from the ring, where they are whole and joined, into the queue of the file thread. A disk that
/// does not keep up leaves them in the ring; those that were dropped there before it took them end the recording.
final class SegmentWriter {
  private let files: any FileWriting
  /// Stays as long as its files are written.
  private let engine: any EngineControl
  private(set) var takes: [Take] = []
  private var count: UInt32 = 0

  /// A control thread that waits for a disk waits no longer than this.
  static let patience = MonotonicTime(milliseconds: 500)

  init(_ engine: any EngineControl) {
    self.engine = engine
    files = engine.makeFileWriting()
  }

  deinit { files.finish(within: MonotonicTime(milliseconds: 1_000)) }

  /// Room for a packet out of the ring.
  var scratch: UnsafeMutableRawPointer { files.queue.pointee.scratch }

  // MARK: Beginning

  /// Begins a take, and waits a moment for its file.
  func begin(
    _ purpose: Take.Purpose, _ order: FileOrder, _ cursor: BlockCursor, epoch: UInt32?, isPlaced: Bool, waits: Bool
  ) throws(RecordingError) -> Take {
    count &+= 1
    let isSent: Bool
    do throws(ThreadError) { isSent = try files.open(count, order) } catch { throw RecordingError("\(error)") }
    guard isSent else { throw .slow(order.path) }
    let take = Take(count, purpose, path: order.path, cursor, epoch: epoch, isPlaced: isPlaced)
    takes.append(take)
    if waits { files.wait(count, Self.patience) { $0.path != nil || $0.isClosed } }
    look(at: take)
    guard let failure = take.failure else {
      publish()
      return take
    }
    forget(take)
    throw failure
  }

  /// How the file of a take fares.
  func report(of take: Take) -> FileReport { files.report(take.file) }

  /// Gives the file of a take a moment to be complete.
  func waitForEnd(of take: Take) { files.wait(take.file, Self.patience) { $0.isClosed } }

  /// Whether a file of the recording is still to be closed.
  var hasParts: Bool {
    takes.contains { take in if case .song = take.purpose { false } else { !take.isSilent } }
  }

  /// Gives up a take as if it had never been.
  private func forget(_ take: Take) {
    takes.removeAll { $0 === take }
    files.forget(take.file)
    publish()
  }

  // MARK: Each round

  /// Takes what came up to `limit`; the takes that are complete, file and all.
  func round(_ context: RecordingContext, upTo limit: StreamTime) -> [Take] {
    for take in takes {
      look(at: take)
      if !take.isOver { pump(take, upTo: limit, context) }
      if take.isOver { close(take) }
    }
    let complete = takes.filter { files.report($0.file).isClosed }
    for take in complete {
      look(at: take)
      forget(take)
    }
    publish()
    return complete
  }

  /// Whether anything is being recorded or kept.
  var isBusy: Bool { !takes.isEmpty }

  /// What its file tells of a take.
  private func look(at take: Take) {
    let report = files.report(take.file)
    take.fileByteCount = report.byteCount
    if report.isClosed {
      take.isOver = true
      take.failure = take.failure ?? report.failure
    } else if report.isOpen, !take.isOpen {
      take.isOpen = true
      if let path = report.path { take.path = path }
      take.existing = report.existing
      if report.existing != nil { take.join() }
    }
  }

  /// Says to the net thread that what the station sends is wanted.
  private func publish() {
    engine.receiveForRecording(takes.contains { !$0.isOver })
  }

  private func close(_ take: Take) {
    guard !take.isClosing, sendCue(take), let slot = files.queue.pointee.claim() else { return }
    (slot.kind, slot.file) = (.close, take.file)
    files.send()
    take.isClosing = true
  }

  // MARK: Programmes

  /// The programme that runs is about to be dropped: what has come of it is taken, and then its takes are over.
  func programmeEnds(_ context: RecordingContext, _ reason: RecordingError?) {
    for take in takes where take.epoch != nil && !take.isOver {
      // What still waits for its file's opening gets a moment for it.
      if !take.isOpen {
        files.wait(take.file, Self.patience) { $0.path != nil || $0.isClosed }
        look(at: take)
      }
      if !take.isOver, !drain(take, context) { take.failure = take.failure ?? .slow(take.path) }
      if case .recording = take.purpose { take.failure = take.failure ?? reason }
      take.isOver = true
      close(take)
    }
    publish()
  }

  /// Takes all that came, however much that is; false where the disk is too slow for it.
  private func drain(_ take: Take, _ context: RecordingContext) -> Bool {
    let end = now + Self.patience
    while !pump(take, upTo: StreamTime(ticks: .max), context) {
      guard now < end else { return false }
      files.waitForRoom(end - now)
    }
    return true
  }

  private var now: MonotonicTime { engine.now }

  /// Another programme begins; who waits for it gets its first packet.
  func programmeBegins(_ epoch: UInt32) {
    for take in takes where take.epoch == nil { (take.epoch, take.isPlaced) = (epoch, false) }
  }

  /// The last call.
  func finish(_ context: RecordingContext) -> [Take] {
    programmeEnds(context, nil)
    for take in takes where !take.isOver {
      take.isOver = true
      close(take)
    }
    for take in takes { files.wait(take.file, MonotonicTime(milliseconds: 3_000)) { $0.isClosed } }
    for take in takes where !files.report(take.file).isClosed { take.failure = take.failure ?? .slow(take.path) }
    let left = takes
    for take in left { look(at: take) }
    takes = []
    files.finish(within: MonotonicTime(milliseconds: 1_000))
    return left
  }

  // MARK: The way of the packets from the ring into the queue

  /// Takes what came of a take's programme before `limit`; false where the queue is full of what the disk has not
  /// taken.
  @discardableResult
  private func pump(_ take: Take, upTo limit: StreamTime, _ context: RecordingContext) -> Bool {
    guard take.isOpen, place(take) else { return true }
    _ = sendCue(take)
    var slot: FileQueue.Slot?
    defer { if slot?.byteCount ?? 0 > 0 { files.send() } }
    while !take.isOver {
      guard let open = slot ?? files.queue.pointee.claim() else {
        files.awaitRoom()
        return false
      }
      open.file = take.file
      slot = open
      let before = take.cursor
      guard let packet = take.cursor.next(into: scratch) else {
        if let until = take.until, engine.blocks.written >= until { take.isOver = true }
        return true
      }
      if packet.start >= limit, packet.epoch == take.epoch {
        take.cursor = before
        return true
      }
      guard belongs(packet, to: take) else { return true }
      let joint = take.fit(packet, scratch)
      if !open.append(UnsafeRawBufferPointer(start: scratch, count: packet.info.byteCount)) {
        take.cursor = before
        files.send()
        slot = nil
        continue
      }
      note(packet, of: take, context)
      take.count(packet, joint: joint)
    }
    return true
  }

  /// Finds the first packet of a take that waits for its programme; false while there is none.
  private func place(_ take: Take) -> Bool {
    if take.isPlaced { return true }
    guard let epoch = take.epoch, engine.ring.pointee.writtenEpoch == epoch else { return false }
    take.cursor = BlockCursor(engine.ring)
    take.isPlaced = true
    return true
  }

  /// Whether a packet is a take's; ends the take where it is not.
  private func belongs(_ packet: HeldPacket, to take: Take) -> Bool {
    forgive(packet, take)
    if packet.epoch != take.epoch {
      take.failure = take.failure ?? .slow(take.path)
    } else if let until = take.until, packet.start + packet.info.duration.share(1, of: 2) > until {
      // Its end: nothing is wrong.
    } else if take.cursor.hasLost {
      take.failure = take.failure ?? .slow(take.path)
    } else if let format = take.format, !format.fits(packet.info.format) {
      take.failure = take.failure ?? .changed(format, packet.info.format)
    } else if let old = take.existing?.format, take.format == nil, !old.fits(packet.info.format) {
      take.failure = take.failure ?? .otherFormat(take.path, old, packet.info.format)
    } else {
      take.format = packet.info.format
      return true
    }
    take.isOver = true
    return false
  }

  /// A song whose beginning is dropped while its file is opened begins a little later.
  private func forgive(_ packet: HeldPacket, _ take: Take) {
    guard case .song = take.purpose, !take.hasBegun, take.cursor.hasLost, packet.epoch == take.epoch else { return }
    take.cursor.hasLost = false
    take.lost = max(.zero, packet.start - take.start)
  }

  // MARK: Titles

  /// Writes to the cue sheet what begins with a packet.
  private func note(_ packet: HeldPacket, of take: Take, _ context: RecordingContext) {
    guard case .recording = take.purpose else { return }
    let entry = context.titles.entry(at: packet.start)
    let number = entry?.number ?? -1
    guard number != take.cueNumber else { return }
    let past = take.existing?.duration ?? .zero
    let isFirst = take.cueNumber == nil
    if isFirst, take.existing == nil {
      take.cueText += CueSheet.head(file: FileName.last(take.path), station: context.station ?? "")
    }
    // A title that was told late began before this packet.
    let since = entry.map { max(.zero, packet.start - $0.at) } ?? .zero
    let at = isFirst ? take.recorded : take.recorded - min(since, take.recorded)
    take.cueText += take.sheet.track(entry?.title, station: context.station ?? "", at: past + at)
    take.cueNumber = number
  }

  /// Sends what the cue sheet waits for; false while the queue is full.
  private func sendCue(_ take: Take) -> Bool {
    guard !take.cueText.isEmpty else { return true }
    guard let slot = files.queue.pointee.claim() else { return false }
    (slot.kind, slot.file) = (.cue, take.file)
    take.cueText.withUTF8 { text in
      _ = slot.append(
        UnsafeRawBufferPointer(start: text.baseAddress, count: min(text.count, FileQueue.payloadByteCount)))
    }
    files.send()
    take.cueText = ""
    return true
  }
}
