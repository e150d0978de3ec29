import Blocks
import Network
import Units

// Recording what the station sends, as it sends it (R8).
extension Radio {
  /// What is being recorded; nil where nothing is. The control thread's.
  public var recording: Recording? {
    guard let session = recorder.session, !session.isEnding else { return nil }
    let report = session.take.map { recorder.thread.report($0.file) }
    return Recording(
      path: session.path, seconds: session.seconds + (session.take?.recorded.seconds ?? 0),
      byteCount: session.byteCount + (session.take?.byteCount ?? 0), freeByteCount: report?.freeByteCount)
  }

  /// Records from now on what the station sends, whatever the listener hears of it; while nothing is played, the next
  /// programme from its first packet on. `recordingStopped` tells of its end.
  ///
  /// Waits up to half a second for the disk; what it answers later ends the recording.
  ///
  /// - Throws: Where it cannot begin: the file is not to be had, or holds something that this does not go on from.
  public func record(_ order: RecordingOrder) throws(RecordingError) {
    if let session = recorder.session, session.isEnding { awaitEnd(of: session) }
    guard recorder.session == nil else { throw .busy }
    recorder.session = RecordingSession(order)
    do throws(RecordingError) {
      order.splits ? try check(order) : try open(order)
    } catch {
      recorder.session = nil
      throw error
    }
    if order.resets, phase != .stopped, let request = queue.request { begin(request) }
    if shift.isResting {
      shift.isResting = false
      engine.connectAgain()
    }
    attendRecording(upTo: engine.blocks.written)
  }

  /// Ends the recording with what has come; its event comes when all is on the disk. Without effect where none runs.
  public func endRecording() { endSession(nil) }

  /// Gives a recording that ends a moment to get onto the disk.
  private func awaitEnd(of session: RecordingSession) {
    if let take = session.take { recorder.thread.wait(take.file, Recorder.patience) { $0.isClosed } }
    attendRecording(upTo: engine.blocks.written)
  }

  private func endSession(_ failure: RecordingError?) {
    guard recorder.session?.isEnding == false else { return }
    recorder.session?.isEnding = true
    recorder.session?.failure = failure
    if let take = recorder.session?.take, !take.isOver {
      take.until = take.isPlaced ? engine.blocks.written : take.until
      if !take.isPlaced { take.isOver = true }
    }
    attendRecording(upTo: StreamTime(ticks: .max))
  }

  private func open(_ order: RecordingOrder) throws(RecordingError) {
    var file = recorder.order(order)
    file.appends = order.appends
    let start = order.resets ? nil : startHere()
    var cursor = BlockCursor(engine.ring)
    if let start { cursor.seek(to: start) }
    let isHere = phase != .stopped && !(order.resets && queue.request != nil)
    let take = try recorder.begin(
      .recording, file, cursor, epoch: isHere ? epoch : nil, isPlaced: start != nil, waits: true)
    recorder.session?.take = take
    recorder.session?.path = take.path
    guard let old = take.existing?.format, let start, let new = format(at: start), !old.fits(new) else { return }
    (take.isOver, take.isSilent) = (true, true)
    _ = recorder.round(upTo: .zero)
    throw .otherFormat(take.path, old, new)
  }

  /// A name for a folder that does not lead out of where it may lie.
  private func check(_ order: RecordingOrder) throws(RecordingError) {
    if !order.isFree, FileName.parts(order.path) == nil { throw .outside(order.path) }
  }

  /// Where a recording of the programme that runs begins: with the newest packet, or so much before it as its sound
  /// needs; nil where the programme has no packet yet.
  private func startHere() -> StreamTime? {
    let held = engine.blocks
    guard phase != .stopped, engine.ring.pointee.writtenEpoch == epoch, held.written > held.start else { return nil }
    let lead = LeadIn(
      BlockCursor(engine.ring), from: held.written - StreamTime(seconds: 2), to: held.written,
      scratch: recorder.scratch)
    return lead.beginning(at: held.written, back: lead.frames.count, forth: 0)
  }

  /// What the packet that sounds at a time is.
  func format(at time: StreamTime) -> PacketFormat? {
    var cursor = BlockCursor(engine.ring)
    cursor.seek(to: time)
    return cursor.next(into: recorder.scratch)?.info.format
  }

  // MARK: Each round

  /// Takes what came, and tells what is complete. `limit` was looked up before the titles were read, so that each
  /// packet's title is known.
  func attendRecording(upTo limit: StreamTime) {
    guard recorder.isBusy || recorder.session != nil else { return }
    (recorder.titles, recorder.station) = (titles, facts?.name ?? facts?.url ?? "")
    findSongsEnds()
    splitRecording(upTo: limit)
    // A programme's first packets wait until it is known what it is called.
    tell(recorder.round(upTo: facts == nil ? .zero : limit))
  }

  /// The programme is about to be dropped.
  func leaveRecorded(_ reason: RecordingError?) {
    guard recorder.isBusy || recorder.session != nil else { return }
    (recorder.titles, recorder.station) = (titles, facts?.name ?? facts?.url ?? "")
    if let session = recorder.session, session.order.splits, session.partCount > 0 {
      recorder.session?.isEnding = true
      recorder.session?.failure = reason
    }
    recorder.programmeEnds(reason)
    tell(recorder.round(upTo: .zero))
  }

  /// The last call of all.
  func finishRecording() {
    let left = recorder.finish()
    recorder.session?.isEnding = true
    tell(left)
  }

  private func tell(_ complete: [Take]) {
    for take in complete where !take.isSilent {
      switch take.purpose {
      case .song(var song, _):
        (song.path, song.goesOn) = (take.path, false)
        song.missing += take.lost.seconds
        tell(.songKept(song, bytes: take.fileByteCount, error: take.failure?.description))
      case .recording, .part: completed(take)
      }
    }
    if let session = recorder.session, session.isEnding, session.take == nil, !recorder.hasParts {
      tellStopped(session, session.failure)
    }
  }

  /// One file of the recording is complete.
  private func completed(_ take: Take) {
    recorder.session?.byteCount += take.fileByteCount
    recorder.session?.seconds += take.recorded.seconds
    let isLast = recorder.session?.take === take
    if isLast { recorder.session?.take = nil }
    guard let session = recorder.session else { return }
    let failure = session.failure ?? take.failure
    if case .part = take.purpose, take.failure == nil, !session.isEnding { return }
    recorder.session?.failure = failure
    recorder.session?.isEnding = true
  }

  private func tellStopped(_ session: RecordingSession, _ failure: RecordingError?) {
    recorder.session = nil
    tell(.recordingStopped(path: session.path, bytes: session.byteCount, error: failure?.description))
  }
}
