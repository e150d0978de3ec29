import Blocks
import Framing
import Units

/// Manages recordings and saved songs, and returns their events in order (R8, N3). Control thread only.
///
/// `SegmentWriter` moves the packets to the files; this type decides the purpose, start and end of each file.
package final class Recorder {
  private let source: any RecordingSource
  private let settings: RecordingSettings
  private let writer: SegmentWriter
  /// The running recording; its segments belong to the writer too.
  private var session: RecordingSession?
  /// The newest saved songs.
  private var saved: [SavedSong] = []

  private struct SavedSong: Equatable {
    var epoch: UInt32?
    var number: Int
  }

  private static let maxSavedCount = 256

  /// Creates a recorder without a recording. `files` writes the packets of `source`.
  package init(_ source: any RecordingSource, _ files: any FileWriting, _ settings: RecordingSettings) {
    self.source = source
    self.settings = settings
    writer = SegmentWriter(source, files)
  }

  private var blocks: BlockStatistics { source.ring.pointee.statistics }

  /// True while packets are on their way to files.
  package var isBusy: Bool { writer.isBusy }

  /// True while a recording runs, or packets are on their way to files.
  package var isActive: Bool { writer.isBusy || session != nil }

  /// The running recording; nil without one.
  package var recording: Recording? {
    guard let session, !session.isEnding else { return nil }
    return Recording(
      path: session.path, seconds: session.seconds + (session.segment?.recorded.seconds ?? 0),
      byteCount: session.byteCount + (session.segment?.byteCount ?? 0),
      freeByteCount: session.segment.flatMap { writer.report(of: $0).freeByteCount })
  }

  // MARK: A recording

  /// Waits briefly until an ending recording is on the disk.
  package func settle(_ context: RecordingContext) -> [RecordingEvent] {
    guard let session, session.isEnding else { return [] }
    if let segment = session.segment { writer.waitForEnd(of: segment) }
    return round(context, upTo: blocks.written)
  }

  /// Starts a recording; the next iteration copies its first packets.
  package func begin(_ order: RecordingOrder, _ context: RecordingContext) throws(RecordingError) {
    guard session == nil else { throw .busy }
    let start = order.resets ? nil : startHere(context)
    if let start, let format = format(at: start), !format.isRecordable { throw .notRecordable(format) }
    session = RecordingSession(order)
    do throws(RecordingError) {
      order.splits ? try check(order) : try open(order, context)
    } catch {
      session = nil
      throw error
    }
  }

  /// Ends the recording at the newest packet, and returns the events.
  package func end(_ context: RecordingContext) -> [RecordingEvent] {
    guard session?.isEnding == false else { return [] }
    session?.isEnding = true
    session?.segment?.end(at: blocks.written)
    return round(context, upTo: StreamTime(ticks: .max))
  }

  private func open(_ order: RecordingOrder, _ context: RecordingContext) throws(RecordingError) {
    var file = file(for: order)
    file.appends = order.appends
    let start = order.resets ? nil : startHere(context)
    var cursor = BlockCursor(source.ring)
    if let start { cursor.seek(to: start) }
    let isHere = context.isPlaying && !order.resets
    let scope: RecordingSegment.Scope =
      start != nil ? .found(context.epoch) : isHere ? .programme(context.epoch) : .nextProgramme
    let segment = try writer.begin(.recording, file, cursor, scope, waits: true)
    session?.segment = segment
    session?.path = segment.path
    guard let old = segment.existing?.format, let start, let new = format(at: start), !old.fits(new) else { return }
    segment.discard()
    _ = writer.round(context, upTo: .zero)
    throw .otherFormat(segment.path, old, new)
  }

  /// Throws if a folder's name would leave the allowed folder.
  private func check(_ order: RecordingOrder) throws(RecordingError) {
    if !order.isFree, FileName.parts(order.path) == nil { throw .outside(order.path) }
  }

  private func file(for order: RecordingOrder, isNew: Bool = false) -> FileOrder {
    FileOrder(
      path: order.path, folder: order.isFree ? nil : settings.folder, isPrivate: settings.isPrivate,
      isNew: isNew || order.isNew, floor: settings.floor, limit: settings.limit)
  }

  private func file(_ name: String, of order: RecordingOrder) -> FileOrder {
    FileOrder(
      path: order.isFree ? name : "\(order.path)/\(name)", folder: order.isFree ? order.path : settings.folder,
      isPrivate: settings.isPrivate && !order.isFree, isNew: true, floor: settings.floor,
      limit: order.isFree ? .none : settings.limit)
  }

  // MARK: A song

  /// Starts to save a song, copies its buffered part, and returns the events.
  package func keep(
    _ which: SongChoice, _ context: RecordingContext
  ) throws(RecordingError) -> (song: KeptSong, told: [RecordingEvent]) {
    let entry = try song(which, context)
    let held = blocks
    let until = context.titles.entry(number: entry.number + 1).map { $0.at + settings.margin }
    guard isWritten(context) else { throw .nothing }
    if let until, until <= held.oldest { throw .songGone }
    for case .song(_, entry.number) in writer.segments.filter({ $0.epoch == context.epoch }).map(\.purpose) {
      throw .keptAlready
    }
    guard !saved.contains(SavedSong(epoch: context.epoch, number: entry.number)) else { throw .keptAlready }
    let from = max(held.oldest, entry.at - settings.margin)
    var cursor = BlockCursor(source.ring)
    let start = beginning(at: from)
    cursor.seek(to: start)
    guard let format = format(at: from) else { throw .nothing }
    guard format.isRecordable else { throw .notRecordable(format) }
    let name = FileName.safe(entry.title)
    var song = KeptSong(
      path: name, title: entry.title, missing: max(0, (held.oldest - entry.at).seconds), goesOn: until == nil)
    let place = RecordingOrder("\(name).\(format.fileExtension)", reach: .folder)
    let segment = try writer.begin(
      .song(song, number: entry.number), file(for: place, isNew: true), cursor, .found(context.epoch),
      waits: true)
    segment.spans(from: start, to: until)
    let told = round(context, upTo: held.written)
    song.path = segment.path
    song.missing += segment.lost.seconds
    return (song, told)
  }

  private func song(_ which: SongChoice, _ context: RecordingContext) throws(RecordingError) -> TitleLog.Entry {
    guard context.isPlaying else { throw .nothing }
    guard let current = context.titles.entry(at: context.position) else { throw .noSong }
    switch which {
    case .current:
      guard !current.title.text.isEmpty else { throw .noSong }
      return current
    case .previous:
      var number = current.number - 1
      while let entry = context.titles.entry(number: number) {
        if !entry.title.text.isEmpty { return entry }
        number -= 1
      }
      throw .noSongBefore
    }
  }

  // MARK: Positions

  private func isWritten(_ context: RecordingContext) -> Bool {
    let held = blocks
    return source.ring.pointee.writtenEpoch == context.epoch && held.written > held.start
  }

  /// Returns a recording's start: the newest packet, or the earlier packets that it needs; nil without a packet.
  private func startHere(_ context: RecordingContext) -> StreamTime? {
    guard context.isPlaying, isWritten(context) else { return nil }
    let end = blocks.written
    let preroll = preroll(from: end - StreamTime(seconds: 2), to: end)
    return preroll.beginning(at: end, back: preroll.frames.count, forth: 0)
  }

  /// Returns the packet for the start of a title: within one packet of it, or an earlier packet that its audio needs.
  private func beginning(at border: StreamTime) -> StreamTime {
    let preroll = preroll(from: border - StreamTime(seconds: 1.5), to: border + StreamTime(seconds: 0.2))
    return preroll.beginning(at: border, back: 1, forth: 1) ?? border
  }

  private func preroll(from: StreamTime, to: StreamTime) -> BitReservoirPreroll {
    BitReservoirPreroll(BlockCursor(source.ring), from: from, to: to, scratch: writer.scratch)
  }

  private func format(at time: StreamTime) -> PacketFormat? {
    var cursor = BlockCursor(source.ring)
    cursor.seek(to: time)
    return cursor.next(into: writer.scratch)?.info.format
  }

  // MARK: Split recordings

  /// Starts the files of a split recording up to a time.
  private func split(_ context: RecordingContext, upTo limit: StreamTime) {
    guard let session, session.order.splits, !session.isEnding, context.isPlaying, isWritten(context) else { return }
    let held = blocks
    if session.partCount == 0 {
      let now = session.order.resets || held.written - held.start < StreamTime(seconds: 5) ? held.start : held.written
      return beginPart(context.titles.entry(at: now), at: now, context)
    }
    var number = session.number
    while let next = context.titles.entry(number: number + 1), next.at < min(limit, held.written) {
      number += 1
      self.session?.number = number
      guard !next.title.text.isEmpty else { continue }
      self.session?.segment?.ends(at: next.at)
      guard self.session?.isFlooded(by: next.at) == false else { return endSplit(.flood(session.path)) }
      beginPart(next, at: next.at, context)
      // The last file has its end, and no other follows.
      if self.session?.isEnding != false { return }
    }
  }

  private func endSplit(_ failure: RecordingError?) {
    session?.failure = failure
    session?.isEnding = true
  }

  private func beginPart(_ entry: TitleLog.Entry?, at border: StreamTime, _ context: RecordingContext) {
    guard var session, let format = format(at: border) else { return }
    guard format.isRecordable else { return endSplit(.notRecordable(format)) }
    session.partCount += 1
    session.number = entry?.number ?? -1
    self.session = session
    let number = session.partCount < 10 ? "0\(session.partCount)" : "\(session.partCount)"
    let name = "\(number) \(entry.map { FileName.safe($0.title) } ?? FileName.safe(context.station ?? ""))"
    var cursor = BlockCursor(source.ring)
    cursor.seek(to: beginning(at: border))
    do throws(RecordingError) {
      self.session?.segment = try writer.begin(
        .part, file("\(name).\(format.fileExtension)", of: session.order), cursor,
        .found(context.epoch), waits: false)
    } catch {
      endSplit(error)
    }
  }

  // MARK: Iterations

  /// Copies new packets, and returns the events of completed files. The caller reads `limit` before the titles, so that
  /// each packet's title is known.
  package func round(_ context: RecordingContext, upTo limit: StreamTime) -> [RecordingEvent] {
    guard isActive else { return [] }
    findEnds(of: context)
    split(context, upTo: limit)
    // The first packets wait for the station's name.
    return events(of: writer.round(context, upTo: context.station == nil ? .zero : limit))
  }

  private func findEnds(of context: RecordingContext) {
    for segment in writer.segments where segment.until == nil && segment.epoch == context.epoch {
      guard case .song(_, let number) = segment.purpose, let next = context.titles.entry(number: number + 1)
      else { continue }
      segment.ends(at: next.at + settings.margin)
    }
  }

  /// Ends recordings before the programme is dropped, with a reason.
  package func programmeEnds(_ context: RecordingContext, _ reason: RecordingError?) -> [RecordingEvent] {
    guard isActive else { return [] }
    if let session, session.order.splits, session.partCount > 0 { endSplit(reason) }
    writer.programmeEnds(context, reason)
    return events(of: writer.round(context, upTo: .zero))
  }

  /// Records the number of the next programme.
  package func programmeBegins(_ epoch: UInt32) { writer.programmeBegins(epoch) }

  /// Ends all files and the file thread, and returns the events.
  package func finish(_ context: RecordingContext) -> [RecordingEvent] {
    let left = writer.finish(context)
    session?.isEnding = true
    return events(of: left)
  }

  // MARK: Events

  private func events(of complete: [RecordingSegment]) -> [RecordingEvent] {
    var events: [RecordingEvent] = []
    for segment in complete {
      switch segment.purpose {
      case .song(var song, let number):
        if segment.failure == nil {
          if saved.count == Self.maxSavedCount { saved.removeFirst() }
          saved.append(SavedSong(epoch: segment.epoch, number: number))
        }
        (song.path, song.goesOn) = (segment.path, false)
        song.missing += segment.lost.seconds
        events.append(.songKept(song, bytes: segment.fileByteCount, error: segment.failure?.description))
      case .recording, .part: completed(segment)
      case .none: break
      }
    }
    if let session, session.isEnding, session.segment == nil, !writer.hasParts {
      self.session = nil
      events.append(
        .recordingStopped(path: session.path, bytes: session.byteCount, error: session.failure?.description))
    }
    return events
  }

  private func completed(_ segment: RecordingSegment) {
    session?.byteCount += segment.fileByteCount
    session?.seconds += segment.recorded.seconds
    if session?.segment === segment { session?.segment = nil }
    guard let session else { return }
    if case .part = segment.purpose, segment.failure == nil, !session.isEnding { return }
    self.session?.failure = session.failure ?? segment.failure
    self.session?.isEnding = true
  }
}
