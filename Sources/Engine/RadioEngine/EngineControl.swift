import Blocks
import Network
import Units

/// The engine's threads as the control thread sees them.
///
/// Only this type uses the `StatusBoard` and its memory orders. Orders return at once; the last of several applies.
/// Used by the control thread only.
protocol EngineControl: OutputControl {
  // MARK: Time and waiting

  /// The time on the monotonic clock.
  var now: MonotonicTime { get }
  /// How long the machine has slept since it started.
  var slept: Duration { get }
  /// Anonymous memory of this process, in KiB.
  var residentKibibytes: Int { get }
  /// A descriptor that becomes readable when a thread sends a notice.
  var descriptor: Int32 { get }
  /// True if the memory is locked.
  var isLocked: Bool { get }

  /// Waits for a notice, for `other` to become readable, or for `timeout`.
  func wait(_ timeout: Duration, watching other: Int32)
  /// Ends the threads; may be called twice.
  func stop()

  // MARK: Programmes

  /// Begins a programme; every thread drops the previous one. Sound waits while `isPaused` is true, and ends after
  /// `limit`.
  func begin(_ request: StationRequest, _ epoch: UInt32, isPaused: Bool, limit: StreamTime?, hold: HoldRule)
  /// Restarts a programme at the file position of `request`. `number` files preceded it. Plays at most `limit`, if
  /// given.
  func beginAgain(_ request: StationRequest, _ epoch: UInt32, number: Int, limit: StreamTime?)
  func endProgramme()
  /// Sets the next file of the programme (`NetThread.follow`).
  func follow(_ request: StationRequest?, token: Int)
  var openedList: FileList? { get }

  func rest()
  /// Reconnects a station after `rest`.
  func connectAgain()
  func renewConnections()
  func askForTitles(_ isWanted: Bool)

  /// Changes the current request until another programme begins.
  func adjust(_ change: RequestChange)
  /// Sets how far a download may run ahead of the sound.
  func use(_ hold: HoldRule)

  /// Passes the net thread's next notice and its programme to `hear`; false if there is none.
  func nextNetNotice(_ hear: (UInt32, NetNotice) -> Void) -> Bool
  /// Passes the decode thread's next notice and its programme to `hear`; false if there is none.
  func nextDecodeNotice(_ hear: (UInt32, DecodeNotice) -> Void) -> Bool
  /// Notices that were lost because the queue was full.
  var missedNotices: Int { get }

  // MARK: Sound

  func pause(_ isPaused: Bool)
  /// Seeks to a buffered place, to the exact sample if `isExact` is true. `number` is the seek's number.
  func seek(to place: StreamTime, number: UInt32, isExact: Bool)
  /// Wakes the render thread after a change.
  func callRenderThread()
  func rescue()
  /// Sets the gain, in the units of `Gain`.
  func setGain(_ gain: Int32)

  /// Sets the duration to buffer before a programme starts.
  func gatherBeforeStart(_ hold: StreamTime)
  /// The duration to buffer after starvation.
  var refillHold: StreamTime { get set }
  /// The target buffer of a live station; zero disables drift compensation.
  var driftAim: StreamTime { get set }
  /// The delay of a pipe's reader beyond the sink's buffer; zero for a card.
  var readerDelay: StreamTime { get }
  /// Keeps the buffer unchanged after a listener shifted time.
  func keepDistance(_ isKept: Bool)
  /// Receives a station for a recording even if nobody listens.
  func receiveForRecording(_ isRecorded: Bool)

  // MARK: Facts

  /// The audible place of a programme; nil before its first sound.
  func heard(of epoch: UInt32) -> HeardPlace?
  var finishedEpoch: UInt32 { get }
  /// When the programme's first frame reached the sink.
  var firstSound: MonotonicTime { get }
  var isSounding: Bool { get }
  /// Late periods since the start.
  var underruns: Int { get }
  /// Underruns of the card since the start.
  var xruns: Int { get }
  /// Programme frames written to the sink since the start.
  var playedFrames: Int64 { get }
  /// The audible position in the station's bytes.
  var byteOffset: Int { get }
  /// The current wait of each thread.
  var waits: ThreadWaits { get }
  /// The rounds of each thread.
  var heartbeats: Heartbeats { get }
  var networkChanges: UInt32 { get }

  // MARK: The blocks

  /// The state of the block ring and the decoder's position in it.
  var blocks: BlockStatistics { get }
  func hasReceivedAll(of epoch: UInt32) -> Bool
  /// The block ring, for copying packets out.
  var ring: UnsafePointer<BlockRing> { get }
  /// Creates the file writer, whose thread starts with its first file.
  func makeFileWriting() -> any FileWriting
}

struct HeardPlace: Equatable {
  var seek: UInt32
  var at: StreamTime
  /// The duration written to the sink.
  var played: StreamTime
}

extension EngineControl {
  /// The duration that the sink has yet to play.
  var inSink: StreamTime { StreamTime(frames: FrameCount(cardDelay), at: outputRate) }

  /// Adds the delay of a pipe's reader, whose sound cannot be decoded again.
  func beyondReader(_ held: StreamTime) -> StreamTime { held + readerDelay }
}
