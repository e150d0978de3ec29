import Network
import Units

// Recording what the station sends, as it sends it (R8), and keeping songs (N3): `Recorder` does both.
extension Radio {
  /// Which song is meant.
  public enum Song: String, Sendable, CaseIterable {
    /// The one that is heard.
    case current
    /// The one before it.
    case previous
  }

  /// What is being recorded; nil where nothing is. The control thread's.
  public var recording: Recording? { recorder.recording }

  /// Records from now on what the station sends, whatever the listener hears of it; while nothing is played, the next
  /// programme from its first packet on. `recordingStopped` tells of its end.
  ///
  /// Waits up to half a second for the disk; what it answers later ends the recording.
  ///
  /// - Throws: Where it cannot begin: the file is not to be had, or holds something that this does not go on from.
  public func record(_ order: RecordingOrder) throws(RecordingError) {
    tell(recorder.settle(recordingContext))
    try recorder.begin(order, recordingContext)
    if order.resets, phase != .stopped, let request = queue.request { begin(request) }
    perform(transport.endRest())
    attendRecording(upTo: engine.blocks.written)
  }

  /// Ends the recording with what has come; its event comes when all is on the disk. Without effect where none runs.
  public func endRecording() { tell(recorder.end(recordingContext)) }

  /// Saves a song from what is held, cut where its title began and ended; of one that goes on the rest as well. It is
  /// put into the recordings folder, named by its title; `songKept` tells when it is complete.
  ///
  /// Waits up to half a second for the disk.
  ///
  /// - Throws: Where there is no such song, where it is no longer held, and where its file is not to be had.
  @discardableResult
  public func keep(_ which: Song = .current) throws(RecordingError) -> KeptSong {
    let (song, told) = try recorder.keep(which, recordingContext)
    tell(told)
    return song
  }

  /// Takes what came, and tells what is complete.
  func attendRecording(upTo limit: StreamTime) {
    if recorder.isActive { tell(recorder.round(recordingContext, upTo: limit)) }
  }

  /// The programme is about to be dropped.
  func leaveRecorded(_ reason: RecordingError?) {
    if recorder.isActive { tell(recorder.programmeEnds(recordingContext, reason)) }
  }

  /// The last call of all.
  func finishRecording() { tell(recorder.finish(recordingContext)) }

  private var recordingContext: RecordingContext {
    RecordingContext(
      epoch: epoch, isPlaying: phase != .stopped, titles: titles, station: facts.map { $0.name ?? $0.url },
      position: position)
  }

  private func tell(_ events: [Event]) { for event in events { tell(event) } }
}
