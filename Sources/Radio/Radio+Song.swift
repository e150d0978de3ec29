import Blocks
import Units

// "Keep that song" (N3): what is held of a title becomes a file, after the fact, while everything goes on.
extension Radio {
  /// Which song is meant.
  public enum Song: String, Sendable, CaseIterable {
    /// The one that is heard.
    case current
    /// The one before it.
    case previous
  }

  /// Saves a song from what is held, cut where its title began and ended; of one that goes on the rest as well. It is
  /// put into the recordings folder, named by its title; `songKept` tells when it is complete.
  ///
  /// Waits up to half a second for the disk.
  ///
  /// - Throws: Where there is no such song, where it is no longer held, and where its file is not to be had.
  @discardableResult
  public func keep(_ which: Song = .current) throws(RecordingError) -> KeptSong {
    let entry = try song(which)
    let held = engine.blocks
    let margin = settings.recording.margin
    let until = titles.entry(number: entry.number + 1).map { $0.at + margin }
    guard engine.ring.pointee.writtenEpoch == epoch, held.written > held.start else { throw .nothing }
    if let until, until <= held.oldest { throw .songGone }
    for case .song(_, entry.number) in recorder.takes.filter({ $0.epoch == epoch }).map(\.purpose) {
      throw .keptAlready
    }
    let from = max(held.oldest, entry.at - margin)
    var cursor = BlockCursor(engine.ring)
    let start = beginning(at: from)
    cursor.seek(to: start)
    guard let format = format(at: from) else { throw .nothing }
    let name = FileName.safe(entry.title)
    var song = KeptSong(
      path: name, title: entry.title, missing: max(0, (held.oldest - entry.at).seconds), goesOn: until == nil)
    let place = RecordingOrder("\(name).\(format.fileExtension)", reach: .folder)
    let take = try recorder.begin(
      .song(song, number: entry.number), recorder.order(place, isNew: true), cursor, epoch: epoch, isPlaced: true,
      waits: true)
    (take.until, take.start) = (until, start)
    attendRecording(upTo: held.written)
    song.path = take.path
    song.missing += take.lost.seconds
    return song
  }

  /// The title that is meant.
  private func song(_ which: Song) throws(RecordingError) -> TitleLog.Entry {
    guard phase != .stopped else { throw .nothing }
    guard let current = titles.entry(at: position) else { throw .noSong }
    switch which {
    case .current:
      guard !current.title.text.isEmpty else { throw .noSong }
      return current
    case .previous:
      var number = current.number - 1
      while let entry = titles.entry(number: number) {
        if !entry.title.text.isEmpty { return entry }
        number -= 1
      }
      throw .noSongBefore
    }
  }

  /// The packet to begin with where a title begins: within one of it, or what its sound needs before it.
  private func beginning(at border: StreamTime) -> StreamTime {
    let around = StreamTime(seconds: 1.5)
    let lead = LeadIn(
      BlockCursor(engine.ring), from: border - around, to: border + StreamTime(seconds: 0.2), scratch: recorder.scratch)
    return lead.beginning(at: border, back: 1, forth: 1) ?? border
  }

  /// Looks where the songs end that are being kept, and the parts of a recording that is split.
  func findSongsEnds() {
    for take in recorder.takes where take.until == nil && take.epoch == epoch {
      guard case .song(_, let number) = take.purpose, let next = titles.entry(number: number + 1) else { continue }
      take.until = next.at + settings.recording.margin
    }
  }

  // MARK: A file for each title

  /// Begins the files of a recording that gives each title its own.
  func splitRecording(upTo limit: StreamTime) {
    guard let session = recorder.session, session.order.splits, !session.isEnding, phase != .stopped else { return }
    let held = engine.blocks
    guard engine.ring.pointee.writtenEpoch == epoch, held.written > held.start else { return }
    if session.partCount == 0 {
      let now = session.order.resets || held.written - held.start < StreamTime(seconds: 5) ? held.start : held.written
      return beginPart(titles.entry(at: now), at: now)
    }
    var number = recorder.session?.number ?? 0
    while let next = titles.entry(number: number + 1), next.at < min(limit, held.written) {
      number += 1
      recorder.session?.number = number
      guard !next.title.text.isEmpty else { continue }
      recorder.session?.take?.until = next.at
      guard recorder.session?.isFlooded(by: next.at) == false else { return endSplit(.flood(session.path)) }
      beginPart(next, at: next.at)
      // The last file has its end, and no other follows.
      if recorder.session?.isEnding != false { return }
    }
  }

  /// Ends a recording with the files that are there.
  private func endSplit(_ failure: RecordingError) {
    recorder.session?.failure = failure
    recorder.session?.isEnding = true
  }

  private func beginPart(_ entry: TitleLog.Entry?, at border: StreamTime) {
    guard var session = recorder.session, let format = format(at: border) else { return }
    session.partCount += 1
    session.number = entry?.number ?? -1
    recorder.session = session
    let number = session.partCount < 10 ? "0\(session.partCount)" : "\(session.partCount)"
    let name = "\(number) \(entry.map { FileName.safe($0.title) } ?? FileName.safe(recorder.station))"
    let order = recorder.order("\(name).\(format.fileExtension)", in: session.order)
    var cursor = BlockCursor(engine.ring)
    cursor.seek(to: beginning(at: border))
    do throws(RecordingError) {
      recorder.session?.take = try recorder.begin(
        .part, order, cursor, epoch: epoch, isPlaced: true, waits: false)
    } catch {
      endSplit(error)
    }
  }
}
