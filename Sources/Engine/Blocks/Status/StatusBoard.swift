import Synchronization
import Units

/// The state of each thread for all others. Any thread reads. Every field has one writer, except `sinkError`.
///
/// Times are stream time in ticks; moments are nanoseconds of the monotonic clock.
public struct StatusBoard: ~Copyable, @unchecked Sendable {
  // Written by the render thread.

  /// Stream time of the sound that leaves the card now.
  public let heard = Atomic<Int64>(0)
  /// The programme of `heard`; stored after `heard`, `playedTicks` and `heardSeek`.
  public let heardEpoch = Atomic<UInt32>(0)
  /// Number of the last seek before the audio at `heard`.
  public let heardSeek = Atomic<UInt32>(0)
  /// Number of programme frames written to the sink since the thread's start.
  public let playedFrames = Atomic<Int64>(0)
  /// Ticks of the programme `heardEpoch` written to the sink.
  public let playedTicks = Atomic<Int64>(0)
  /// The last programme that the card played to its end.
  public let finishedEpoch = Atomic<UInt32>(0)
  /// Frames that the card has yet to play.
  public let cardDelay = Atomic<Int64>(0)
  /// Moment at which the newest programme's first frame was written to the sink; 0 before any.
  public let firstFrame = Atomic<Int64>(0)
  /// Number of times that the period ring was empty when the sink needed audio.
  public let underruns = Atomic<Int64>(0)
  /// Underruns of the card itself, or of a paced sink.
  public let xruns = Atomic<Int64>(0)
  /// The render thread's state.
  public let renderState = Atomic<RenderState>(.parked)
  /// The last order that the render thread applied (`renderOrder`).
  public let renderObeyed = Atomic<RenderOrder>(.initial)
  /// The sink's error as a negative errno; 0 while it works. The control thread clears it when it reopens the sink.
  public let sinkError = Atomic<Int32>(0)
  /// Number of the block whose audio was rendered last.
  public let block = Atomic<Int>(0)
  /// Offset in the station's bytes of the packet whose audio was rendered last.
  public let byteOffset = Atomic<Int>(0)

  /// Duration for which the programme has been below `quietLimit`, in milliseconds.
  public let quietMilliseconds = Atomic<Int64>(0)
  /// Duration for which the programme has repeated the same audio, in milliseconds; measured while `quietLimit` is set.
  public let loopMilliseconds = Atomic<Int64>(0)
  /// Mean square of the last 400 ms of 24-bit samples, of the louder channel; valid while `quietLimit` is set.
  public let meanSquare = Atomic<Int64>(0)

  /// Increases at least every two seconds while the thread works.
  public let renderBeat = Atomic<UInt32>(0)

  // Written by the net thread.

  /// Increases at least every five seconds while the thread works.
  public let netBeat = Atomic<UInt32>(0)
  /// The net thread's current wait.
  public let netWait = Atomic<NetWait>(.order)
  /// Increases after the host gained a link, address, route or name server.
  public let networkChanges = Atomic<UInt32>(0)

  /// True if the station of `PrefetchRule.firstChoice` is received without an interruption.
  public let isFirstChoiceReady = Atomic<Bool>(false)
  /// True if that station is at an announced ad.
  public let isFirstChoiceAtAd = Atomic<Bool>(false)

  // Written by the decode thread.

  /// Increases at least every two seconds while the thread works.
  public let decodeBeat = Atomic<UInt32>(0)
  /// The decode thread's current wait.
  public let decodeWait = Atomic<DecodeWait>(.order)

  /// Stream time at the end of the decoded audio.
  public let decoded = Atomic<Int64>(0)
  /// Number of packets that could not be decoded, or that were lowered because they may be damaged.
  public let badPackets = Atomic<Int64>(0)
  /// Drift correction in parts per billion (`ClockRatio`), positive for longer audio; not updated if `driftAim` is 0.
  public let driftRatio = Atomic<Int32>(0)
  /// Number of the newest seek with a published period. Periods of earlier seeks may then be dropped.
  public let readySeek = Atomic<UInt32>(0)

  // Written by the control thread.

  /// The audible programme; the renderer drops all others.
  public let wantedEpoch = Atomic<UInt32>(0)
  /// Number of the last requested seek, 0 before the first; stored after `seekTarget` and `seekIsExact`.
  public let wantedSeek = Atomic<UInt32>(0)
  /// Stream time to seek to, in ticks.
  public let seekTarget = Atomic<Int64>(0)
  /// True if playback continues at the exact sample, not at the packet's start.
  public let seekIsExact = Atomic<Bool>(false)
  /// Target for the received but unheard audio of a live station, in ticks; 0 disables drift correction.
  public let driftAim = Atomic<Int64>(0)
  /// True after the listener shifted time: drift correction then preserves the new distance from live.
  public let keepsDistance = Atomic<Bool>(false)
  /// Additional delay of a pipe's reader compared with a card, in ticks; 0 for other sinks.
  public let readerDelay = Atomic<Int64>(0)
  /// True if the listener paused.
  public let isPaused = Atomic<Bool>(false)
  /// True while a station is recorded: reception continues during a pause, and when the ring is full of unplayed audio.
  public let isRecorded = Atomic<Bool>(false)
  /// The order to the render thread.
  public let renderOrder = Atomic<RenderOrder>(.initial)
  /// Duration to buffer before a programme starts, in ticks.
  public let startHold = Atomic<Int64>(0)
  /// Duration to buffer before playback resumes after an underrun, in ticks.
  public let refillHold = Atomic<Int64>(0)
  /// Increases with each request to play the buffered audio at once, even if the prebuffer is incomplete.
  public let rescue = Atomic<UInt32>(0)
  /// Maximum duration of the programme to play, in ticks.
  public let limit = Atomic<Int64>(.max)
  /// Mean square of 24-bit samples below which a programme counts as quiet; 0 to measure nothing.
  public let quietLimit = Atomic<Int64>(0)
  /// True to play the tone of a fallback chain while no programme plays (`Tone`).
  public let hasTone = Atomic<Bool>(false)
  /// True to play the tone of an alarm instead.
  public let hasAlarmTone = Atomic<Bool>(false)
  /// Gain factor as a fixed-point number (`Gain`).
  public let gain = Atomic<Int32>(Gain.unity)

  /// Creates a board with initial values.
  public init() {}

  /// Creates a board in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<StatusBoard> {
    let board = arena.reserve(StatusBoard.self)
    board.initialize(to: StatusBoard())
    return UnsafePointer(board)
  }
}
