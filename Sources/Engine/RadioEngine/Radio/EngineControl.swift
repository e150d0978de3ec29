import Blocks
import Network
import Recordings
import Units

/// The threads of the engine, as the control thread sees them. Control thread only.
///
/// On the control side, only the implementation accesses the `StatusBoard`. A method with an order does not wait for
/// the thread. A later order replaces an earlier order that still waits.
protocol EngineControl: RecordingSource {
  var output: any OutputControl { get }

  // MARK: Time and waiting

  /// Time that the machine has slept since its start.
  var slept: Duration { get }
  /// Anonymous memory of the process, in KiB.
  var residentKibibytes: Int { get }
  /// Descriptor that becomes readable when a thread sends a notice.
  var descriptor: Int32 { get }
  var isLocked: Bool { get }

  /// Waits for a notice, for `other` to become readable, or for `timeout`.
  func wait(_ timeout: Duration, watching other: Int32)
  /// Stops the threads. May be called twice.
  func stop()

  // MARK: Programmes

  /// Starts a programme and drops the previous one. Playback waits while `isPaused` is true, and ends after `limit`.
  func begin(_ request: StationRequest, _ epoch: UInt32, isPaused: Bool, limit: StreamTime?, hold: HoldRule)
  /// Restarts a file at the start position in `request`, as the programme `epoch`. `number`: number of the programme's
  /// files before this file. `limit`: maximum duration to play from there.
  func beginAgain(_ request: StationRequest, _ epoch: UInt32, number: Int, limit: StreamTime?)
  func endProgramme()
  /// Sets the next file of the programme (`NetThread.follow`).
  func follow(_ request: StationRequest?, token: Int)

  /// Closes the connection of a live station, without dropping the buffer.
  func closeConnection()
  /// Reconnects a station after `closeConnection`.
  func reconnect()
  func renewConnections()
  func pollTitles(_ isWanted: Bool)

  /// Changes the current request. The change lasts until another programme starts.
  func adjust(_ change: RequestChange)
  /// Sets how far a download may be ahead of playback.
  func use(_ hold: HoldRule)
  /// Sets the rule for a second connection, also for the heard station.
  func use(_ rule: SecondSourceRule)
  /// Sets the stations to receive in advance.
  func prefetch(_ rule: PrefetchRule)

  /// Removes and returns the thread's next notice with its programme; nil if no notice waits.
  func nextNetNotice() -> (epoch: UInt32, notice: NetNotice)?
  func nextDecodeNotice() -> (epoch: UInt32, notice: DecodeNotice)?
  /// Notices dropped because a queue was full.
  var missedNotices: Int { get }

  // MARK: Playback

  func pause(_ isPaused: Bool)
  /// Seeks to a buffered position, to the exact sample if `isExact` is true.
  func seek(to place: StreamTime, number: UInt32, isExact: Bool)
  func wakeRenderThread()
  /// Plays the buffer before its goal is reached, and restarts a parked or idle render thread.
  func rescue()
  /// Measures how long the programme is below a mean square of 24-bit samples; 0 to measure nothing.
  func watchQuiet(below meanSquare: Int64)
  /// Starts or stops the tone while no programme plays.
  func playTone(_ isOn: Bool)
  /// Starts or stops the tone of an alarm, which precedes the other.
  func playAlarmTone(_ isOn: Bool)
  /// Sets the gain, in the units of `Gain`.
  func setGain(_ gain: Int32)

  func gatherBeforeStart(_ hold: StreamTime)
  /// Duration to buffer after an underrun.
  var refillHold: StreamTime { get set }
  /// Goal for the audio of a live station that is received but not yet audible, including the sink's audio. Zero
  /// disables drift compensation.
  var driftAim: StreamTime { get set }

  /// Adopts the rates of the current sink. Returns the stream time from which audio was decoded at a rate that the sink
  /// cannot play; nil without such audio.
  func followRates() -> StreamTime?

  /// Makes drift compensation keep the current distance from live, after the listener shifted time.
  func keepDistance(_ isKept: Bool)

  // MARK: Facts

  /// Returns the audible position of a programme; nil before its first audio.
  func audiblePosition(of epoch: UInt32) -> AudiblePosition?
  var finishedEpoch: UInt32 { get }
  /// Time when the newest programme's first frame was written to the sink; zero before any frame.
  var firstSound: MonotonicTime { get }
  var isSounding: Bool { get }
  /// Periods that came too late, since the start.
  var underruns: Int { get }
  /// Underruns of the card or of a paced sink, since the start.
  var xruns: Int { get }
  /// Frames of programmes written to the sink since the start.
  var playedFrames: Int64 { get }
  /// Offset of the last rendered packet in the station's bytes.
  var byteOffset: Int { get }
  var waits: ThreadWaits { get }
  var heartbeats: Heartbeats { get }
  /// Increases when the machine gains a link, address, route or name server.
  var networkChanges: UInt32 { get }

  /// Duration for which the programme has been quiet, and its last mean square.
  var loopMilliseconds: Int64 { get }
  var quiet: (milliseconds: Int64, meanSquare: Int64) { get }
  /// True if the station of `PrefetchRule.firstChoice` is received without an interruption.
  var isFirstChoiceReady: Bool { get }
  /// True if that station is at an announced ad.
  var isFirstChoiceAtAd: Bool { get }

  /// Removes and returns the times of day in responses by HTTPS.
  func removeServerTimes() -> [ServerTime]

  // MARK: The blocks

  var blocks: BlockStatistics { get }

  func hasReceivedAll(of epoch: UInt32) -> Bool
  /// Creates the file writer, whose thread starts with its first file.
  func makeFileWriting() -> any FileWriting
}

extension EngineControl {
  var inSink: StreamTime { StreamTime(frames: FrameCount(output.cardDelay), at: output.rate) }

  /// Adds the delay of a pipe's reader to a buffer goal. Audio in the reader's buffer cannot be decoded again.
  func addingReaderDelay(_ held: StreamTime) -> StreamTime { held + output.readerDelay }
}
