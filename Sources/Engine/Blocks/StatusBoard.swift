import Synchronization
import Units

/// The state of each thread for all others; every field has one writer.
///
/// Times are stream time in ticks; moments are nanoseconds of the monotonic clock.
public struct StatusBoard: ~Copyable, @unchecked Sendable {
  // Written by the render thread.

  /// Stream time of the sound that leaves the card now.
  public let heard = Atomic<Int64>(0)
  /// The programme of `heard`.
  public let heardEpoch = Atomic<UInt32>(0)
  /// The number of the last seek before `heard`.
  public let heardSeek = Atomic<UInt32>(0)
  /// Programme frames written to the sink since the start.
  public let playedFrames = Atomic<Int64>(0)
  /// Ticks of the programme `heardEpoch` written to the sink.
  public let playedTicks = Atomic<Int64>(0)
  /// The last programme that the card played to its end.
  public let finishedEpoch = Atomic<UInt32>(0)
  /// Frames that the card has yet to play.
  public let cardDelay = Atomic<Int64>(0)
  /// The moment of the programme's first frame at the sink; 0 before.
  public let firstFrame = Atomic<Int64>(0)
  /// Late periods.
  public let underruns = Atomic<Int64>(0)
  /// Underruns of the card.
  public let xruns = Atomic<Int64>(0)
  /// The render thread's state.
  public let renderState = Atomic<RenderState>(.parked)
  /// The order that the state belongs to (`renderOrder`).
  public let renderObeyed = Atomic<RenderOrder>(.initial)
  /// The sink's error as a negative errno; 0 while it works.
  public let sinkError = Atomic<Int32>(0)
  /// The number of the block that is being played.
  public let block = Atomic<Int>(0)
  /// The offset in the station's bytes of the packet that is being played.
  public let byteOffset = Atomic<Int>(0)

  /// Increases at least every two seconds while the thread works.
  public let renderBeat = Atomic<UInt32>(0)

  // Written by the net thread.

  /// Increases at least every five seconds while the thread works.
  public let netBeat = Atomic<UInt32>(0)
  /// The net thread's current wait.
  public let netWait = Atomic<NetWait>(.order)
  /// Increases after a new link, address, route or name server.
  public let networkChanges = Atomic<UInt32>(0)

  // Written by the decode thread.

  /// Increases at least every two seconds while the thread works.
  public let decodeBeat = Atomic<UInt32>(0)
  /// The decode thread's current wait.
  public let decodeWait = Atomic<DecodeWait>(.order)

  /// Stream time at the end of the decoded sound.
  public let decoded = Atomic<Int64>(0)
  /// Packets that could not be decoded, or were lowered as possibly damaged.
  public let badPackets = Atomic<Int64>(0)
  /// The drift correction in parts per billion (`ClockRatio`).
  public let driftRatio = Atomic<Int32>(0)
  /// The last seek with a period in the ring, so that older periods may be dropped.
  public let readySeek = Atomic<UInt32>(0)

  // Written by the control thread.

  /// The audible programme; the renderer drops all others.
  public let wantedEpoch = Atomic<UInt32>(0)
  /// The last seek's number, 0 before the first; written after `seekTarget`.
  public let wantedSeek = Atomic<UInt32>(0)
  /// The seek's target in ticks.
  public let seekTarget = Atomic<Int64>(0)
  /// True if sound continues at the exact sample, instead of its packet's start.
  public let seekIsExact = Atomic<Bool>(false)
  /// The target buffer of a live station in ticks; 0 disables drift correction.
  public let driftAim = Atomic<Int64>(0)
  /// True if a listener shifted time, so that the buffer stays constant.
  public let keepsDistance = Atomic<Bool>(false)
  /// The delay of a pipe's reader compared with a card, in ticks; 0 for a card.
  public let readerDelay = Atomic<Int64>(0)
  /// True if the listener paused.
  public let isPaused = Atomic<Bool>(false)
  /// True while a station is recorded: it is received even if nobody listens and the ring is full.
  public let isRecorded = Atomic<Bool>(false)
  /// The order to the render thread.
  public let renderOrder = Atomic<RenderOrder>(.initial)
  /// The buffer before a programme starts, in ticks.
  public let startHold = Atomic<Int64>(0)
  /// The buffer before sound resumes after starvation, in ticks.
  public let refillHold = Atomic<Int64>(0)
  /// Increases with each rescue, which plays the buffer however small.
  public let rescue = Atomic<UInt32>(0)
  /// The maximum duration to play, in ticks.
  public let limit = Atomic<Int64>(.max)
  /// The gain factor.
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
