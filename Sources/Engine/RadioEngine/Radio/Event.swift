import Framing
import Recordings
import Rendering

/// An event of the radio (R5), for programs and screens.
///
/// Later versions may add events. A `switch` in another package needs `@unknown default`, although compilers before
/// Swift 6.2.3 do not require it.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum Event: Equatable, Sendable {
  /// The radio opens a connection.
  case connecting(url: String)
  /// The buffer fills; playback starts or resumes when `target` seconds are buffered.
  case buffering(held: Double, target: Double)
  /// Playback starts or resumes. `latency`: seconds since its request, or since the buffer ran empty. `behindLive`:
  /// seconds behind live; nil for a file.
  case playing(station: String?, latency: Double, behindLive: Double?)
  /// The radio stopped.
  case stopped(StopReason)
  /// The radio paused, or stays paused.
  case paused(StopReason)
  /// A seek reached `position` after a request for `requested`, both in seconds from the start of the file or station.
  case seekDone(position: Double, requested: Double)
  /// The facts about the station or file are known.
  case stationInfo(StationInfo)
  /// A title was received.
  case metadataReceived(Title)
  /// A title becomes audible, `at` seconds after the start of the file or station.
  case metadataChanged(Title, at: Double)
  /// An ad that the station announces becomes audible, or is over. `length`: announced seconds at the beginning, nil if
  /// unknown; seconds since the beginning at the end.
  case adBreak(isBeginning: Bool, kind: AdBreak.Kind, length: Double?)
  /// The connection is lost; the next attempt follows in `delay` seconds. `held` seconds are buffered.
  case reconnecting(attempt: Int, delay: Double, reason: String, held: Double)
  /// A new connection was joined to the buffer: `overlap` seconds were received twice and dropped, `lost` seconds are
  /// missing. `exact`: proven packet by packet. `estimated`: derived from arrival times.
  case stitched(overlap: Double, lost: Double, exact: Bool, estimated: Bool)
  /// A period came too late; `count`: underruns of the run so far.
  case underrun(held: Double, count: Int)
  /// The buffer ran empty; `count`: underruns of the run so far.
  case queueExhausted(held: Double, count: Int)
  /// The server responded with an HTTP error.
  case httpError(code: Int, url: String)
  /// The address has no content (404 or 410), or a local file is unreadable.
  case missingContent(url: String, message: String)
  /// The content cannot be played, or has changed.
  case badContent(url: String, message: String)
  /// The address is invalid, the connection is refused or not secure, or a playlist is unusable.
  case urlNotFound(url: String, message: String)
  /// The host is unknown or does not reply, or the data stopped.
  case timeoutExceeded(url: String, message: String)
  /// The machine has no network, or no route to the host.
  case noNetwork(url: String, message: String)
  /// The server does not support byte ranges, so a seek reads everything before its target.
  case readThrough(url: String, message: String)
  /// A list declares an unknown encoding, so its text is read as windows-1252.
  case unknownEncoding(url: String, message: String)
  /// The server sends an item of a list, or the next item becomes audible. `index`: number of the item, from 1 to
  /// `count`.
  case itemBegan(index: Int, count: Int, title: String?, url: String)
  /// The file of `Radio.follower` becomes audible without a gap.
  case followed(url: String)
  /// A file was played to its end. `heard`: seconds of the file that were played.
  case fileComplete(heard: Double)
  /// A recording of `bytes` bytes ended. `error`: the reason for an early end; nil if requested.
  case recordingStopped(path: String, bytes: Int, error: String?)
  /// The radio stored a song to keep, or failed. `error`: the reason for the failure; nil if the song is complete.
  case songKept(KeptSong, bytes: Int, error: String?)
  /// The taps receive audio in this format from now on.
  case tapCreated(TapFormat)
  /// The taps receive no more audio in this format.
  case tapDisposed(TapFormat)
  /// Playback is about to be suspended: another program needs the device, the device is gone, or the machine slept.
  case willSuspend
  /// The device is released; the buffer still fills.
  case suspended
  /// The suspension is over: a playing programme resumes, a paused one stays paused.
  case resumed
  /// The sound device or a pipe's reader is gone, another program uses the device, or the output file failed.
  case deviceLost(device: String, message: String)
  /// The sound device is available again, or a pipe has a reader.
  case deviceBack(device: String, message: String)
  /// Buffered audio was silent for 5 s without a pause, and is played now. `waits`: the wait of each thread.
  case rescued(held: Double, waits: ThreadWaits)
  /// Another source plays, because `from` is silent or the line is too slow for its bit rate. `reason`: a sentence.
  /// `exact`: joined sample by sample. `lost`: seconds without audio before the change.
  case failedOver(from: String, to: String, reason: String, exact: Bool, lost: Double)
  /// The listener's station plays again, `after` seconds away. `exact`: joined sample by sample.
  case cameBack(to: String, exact: Bool, after: Double)
  /// The source has transmitted only silence for `seconds`; `level` in dBFS.
  case deadAir(level: Double, seconds: Double)
  /// The last event of a run.
  case summary(Summary)

  /// The reason why a radio stopped or paused.
  public enum StopReason: String, Sendable {
    case user, timeout, interruption, end, error
  }
}
