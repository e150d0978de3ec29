import Network
import Units

/// A snapshot of the programme, from which `Transport` decides.
struct ProgrammeSnapshot {
  var now: MonotonicTime
  /// The server's facts; nil before the response.
  var facts: StationFacts?
  /// The audible position; nil before the programme is audible.
  var audible: AudiblePosition?
  var start = StreamTime.zero
  /// Start and end of the buffer, and the undecoded part.
  var oldest = StreamTime.zero
  var written = StreamTime.zero
  var ahead = StreamTime.zero
  /// True if the ring dropped audio that was not decoded. Playback then continues at `oldest`.
  var hasOverwritten = false
  /// Audio in the sink, which will be played in any case.
  var inSink = StreamTime.zero
  var hasEnded = false
  /// Start of the audible file, and of the next file.
  var base = StreamTime.zero
  var border: StreamTime?
  /// The server's window of an endless HLS station; nil for any other programme.
  var window: ProgrammeWindow?
  var isSuspended = false
  var isRecorded = false

  /// True for a live station; false if unknown.
  var isLive: Bool { facts?.isLive == true }

  /// True for a live station, and while a file is not ruled out.
  var mayBeLive: Bool { facts?.isLive != false }

  /// True if any position of the file can be reached; without ranges, everything before it is read first.
  var goesAnywhere: Bool { facts?.isLive == false && facts?.duration != nil }

  /// True if any position of the file can be reached at once.
  var isFileSeekAllowed: Bool { goesAnywhere && facts?.isSeekable == true }

  /// The positions that can be requested: of a file, or of an HLS window; nil if none can.
  var reach: ClosedRange<StreamTime>? {
    if let window { return window.oldest...max(window.oldest, window.live) }
    guard goesAnywhere, let length = facts?.duration else { return nil }
    return base...max(base, base + max(.zero, length))
  }

  /// The oldest position that can be played: of the buffer, or of a station's window.
  var oldestToHear: StreamTime { min(oldest, window?.oldest ?? oldest) }

  var newestToHear: StreamTime { max(written, window?.live ?? written) }

  /// The live position if it is beyond the buffer, so that the station must be asked for it; else nil.
  var absentLive: StreamTime? { window.flatMap { written < $0.live ? $0.live : nil } }

  /// End of the audible file; nil until received.
  var end: StreamTime? { border ?? (hasEnded ? written : nil) }

  /// True if the next file is already decoded, before it is audible.
  var decodesNextFile: Bool { border.map { written - ahead >= $0 } ?? false }

  /// The oldest buffered position of a file, including the run-up for the decoder.
  var oldestPlace: StreamTime { oldest <= base ? base : oldest + DecodeLoop.runUp }

  /// True if a position is outside the buffer, and the station's window contains it or a nearer position.
  func isOutsideBuffer(_ place: StreamTime) -> Bool {
    place < oldest && oldestToHear < oldest || place > written && absentLive != nil
  }

  /// True if a position of a file is buffered, including the run-up for the decoder.
  func isBuffered(_ time: StreamTime) -> Bool {
    guard written > start else { return false }
    let isEnd = hasEnded && time >= written
    return isEnd || max(time, base) >= oldestPlace && time <= written
  }

  func inFile(_ time: StreamTime) -> StreamTime {
    guard facts?.isLive == false else { return time }
    return max(base, min(time, border ?? StreamTime(ticks: .max)))
  }
}
