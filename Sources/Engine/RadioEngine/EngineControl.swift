import Blocks
import Network
import Units

/// The threads behind a radio, as the control thread sees them: orders go down as verbs, facts come up as values.
///
/// Nothing else of the control side knows the `StatusBoard`; the memory orders are in here. An order does not wait for
/// its thread, and the last of several holds. The control thread's alone.
protocol EngineControl: OutputControl {
  // MARK: Time and waiting

  /// The moment on the monotonic clock.
  var now: MonotonicTime { get }
  /// How long the machine has slept since it was started.
  var slept: Duration { get }
  /// Anonymous memory of this process, in KiB.
  var residentKibibytes: Int { get }
  /// A descriptor that can be read when a thread told something.
  var descriptor: Int32 { get }
  /// Whether the memory is locked.
  var isLocked: Bool { get }

  /// Waits until a thread tells something, until `other` can be read, or until `timeout` has passed.
  func wait(_ timeout: Duration, watching other: Int32)
  /// Ends the threads; safe to call twice.
  func stop()

  // MARK: Programmes

  /// Begins a programme: every thread forgets what it holds of the one before. The sound waits while `isPaused`, and
  /// ends after `limit`.
  func begin(_ request: StationRequest, _ epoch: UInt32, isPaused: Bool, limit: StreamTime?, hold: HoldRule)
  /// Begins a programme anew at the place of a file where `request` starts. `number` files of the programme came before
  /// it; no more than `limit` of it is heard, if that is given.
  func beginAgain(_ request: StationRequest, _ epoch: UInt32, number: Int, limit: StreamTime?)
  /// Ends the programme: silence, and no connection.
  func endProgramme()
  /// Says which file follows in the programme (`NetThread.follow`).
  func follow(_ request: StationRequest?, token: Int)
  /// The list that was opened last.
  var openedList: FileList? { get }

  /// Closes a live station's connection and keeps what is held.
  func rest()
  /// Connects a station that rests.
  func connectAgain()
  /// Makes the connections anew, since the machine slept.
  func renewConnections()
  /// Begins or ends asking for titles beside the stream.
  func askForTitles(_ isWanted: Bool)

  /// Changes the request of what was tuned to, until another programme begins.
  func adjust(_ change: RequestChange)
  /// Says how far a download may run ahead of the sound from now on.
  func use(_ hold: HoldRule)

  /// Hears the next thing that the net thread told, with its programme; false where there is none.
  func nextNetNotice(_ hear: (UInt32, NetNotice) -> Void) -> Bool
  /// Hears the next thing that the decode thread told, with its programme; false where there is none.
  func nextDecodeNotice(_ hear: (UInt32, DecodeNotice) -> Void) -> Bool
  /// Notices that found no room.
  var missedNotices: Int { get }

  // MARK: Sound

  /// Pauses the sound or lets it go on, and calls the render thread.
  func pause(_ isPaused: Bool)
  /// Goes to a place that is held, or to the very sample there. `number` is the seek's.
  func seek(to place: StreamTime, number: UInt32, isExact: Bool)
  /// Calls the render thread, for which something changed while it rests.
  func callRenderThread()
  /// Plays what is held, however little it is.
  func rescue()
  /// The gain from now on, as `Gain` says.
  func setGain(_ gain: Int32)

  /// So much is held before a programme sounds.
  func gatherBeforeStart(_ hold: StreamTime)
  /// So much is held before it sounds again after it starved.
  var refillHold: StreamTime { get set }
  /// How much of a live station is to be held and not yet heard; zero where the sound is not steered.
  var driftAim: StreamTime { get set }
  /// What the sink holds beyond what it was given room for: a pipe's reader plays that much later; zero for a card.
  var readerDelay: StreamTime { get }
  /// Whether the listener shifted time, so that what is held stays as it is.
  func keepDistance(_ isKept: Bool)
  /// Whether what the station sends is recorded, and so received though nobody listens.
  func receiveForRecording(_ isRecorded: Bool)

  // MARK: Facts

  /// What is heard of a programme; nil while none of it is.
  func heard(of epoch: UInt32) -> HeardPlace?
  /// The programme whose last frame was played.
  var finishedEpoch: UInt32 { get }
  /// When the first frame of the programme went to the sink.
  var firstSound: MonotonicTime { get }
  /// Whether programme sounds.
  var isSounding: Bool { get }
  /// Periods that came too late, all in all.
  var underruns: Int { get }
  /// Times that the card ran dry, all in all.
  var xruns: Int { get }
  /// Frames of programme that the sink was given, all in all.
  var playedFrames: Int64 { get }
  /// Where in the station's bytes the sound is.
  var byteOffset: Int { get }
  /// What each thread waits for.
  var waits: ThreadWaits { get }
  /// How often each thread came round.
  var heartbeats: Heartbeats { get }
  /// Grows when the machine's network is another.
  var networkChanges: UInt32 { get }

  // MARK: The blocks

  /// What is held, and where the decoder stands in it.
  var blocks: BlockStatistics { get }
  /// Whether the whole of a programme has been received.
  func hasReceivedAll(of epoch: UInt32) -> Bool
  /// The block ring, for what is copied out of it.
  var ring: UnsafePointer<BlockRing> { get }
  /// What writes files: a thread, which is started by the first.
  func makeFileWriting() -> any FileWriting
}

/// What is heard of a programme.
struct HeardPlace: Equatable {
  /// The last seek that was heard.
  var seek: UInt32
  /// Stream time of the sound that leaves the card now.
  var at: StreamTime
  /// How much of the programme went to the sink.
  var played: StreamTime
}

extension EngineControl {
  /// What the sink has still to play.
  var inSink: StreamTime { StreamTime(frames: FrameCount(cardDelay), at: outputRate) }

  /// So much as is to be held, and what a pipe's reader holds: that cannot be decoded any more.
  func beyondReader(_ held: StreamTime) -> StreamTime { held + readerDelay }
}
