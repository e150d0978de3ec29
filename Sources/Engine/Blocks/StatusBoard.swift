import Synchronization
import Units

/// What each thread tells about itself, for anybody to read at any time; every field has one writer.
///
/// The times are stream time in ticks, the moments nanoseconds of the monotonic clock.
public struct StatusBoard: ~Copyable, @unchecked Sendable {
  // The render thread's.

  /// Stream time of the sound that leaves the card now.
  public let heard = Atomic<Int64>(0)
  /// The programme that `heard` belongs to.
  public let heardEpoch = Atomic<UInt32>(0)
  /// The seek after which `heard` was reached.
  public let heardSeek = Atomic<UInt32>(0)
  /// Frames of programme handed to the sink, all in all.
  public let playedFrames = Atomic<Int64>(0)
  /// Ticks of the programme `heardEpoch` handed to the sink.
  public let playedTicks = Atomic<Int64>(0)
  /// The programme whose last frame was played, card and all.
  public let finishedEpoch = Atomic<UInt32>(0)
  /// Frames that the card still has to play.
  public let cardDelay = Atomic<Int64>(0)
  /// When the first frame of the programme went to the sink; 0 before.
  public let firstFrame = Atomic<Int64>(0)
  /// Periods that came too late.
  public let underruns = Atomic<Int64>(0)
  /// Times that the card itself ran dry.
  public let xruns = Atomic<Int64>(0)
  /// What the render thread is doing.
  public let renderState = Atomic<RenderState>(.parked)
  /// The order that the render thread obeys (`renderOrder`), number and all.
  public let renderObeyed = Atomic<RenderOrder>(.initial)
  /// Why the sink failed, a negative errno; 0 while it works.
  public let sinkError = Atomic<Int32>(0)
  /// The block being played, and where its packet began in the station's bytes.
  public let block = Atomic<Int>(0)
  /// The byte offset of the packet being played.
  public let byteOffset = Atomic<Int>(0)

  /// Grows at least every two seconds while the thread works.
  public let renderBeat = Atomic<UInt32>(0)

  // The net thread's.

  /// Grows at least every five seconds while the thread works.
  public let netBeat = Atomic<UInt32>(0)
  /// What the thread waits for.
  public let netWait = Atomic<NetWait>(.order)
  /// Grows when a link, an address, a route or a name server came.
  public let networkChanges = Atomic<UInt32>(0)

  // The decode thread's.

  /// Grows at least every two seconds while the thread works.
  public let decodeBeat = Atomic<UInt32>(0)
  /// What the thread waits for.
  public let decodeWait = Atomic<DecodeWait>(.order)

  /// Stream time at the end of what was decoded.
  public let decoded = Atomic<Int64>(0)
  /// Packets that could not be decoded, or were lowered because they may be damaged.
  public let badPackets = Atomic<Int64>(0)
  /// How much longer the sound is made, in parts per billion (`ClockRatio`).
  public let driftRatio = Atomic<Int32>(0)
  /// The seek whose first period is in the ring, so that the one before may be left.
  public let readySeek = Atomic<UInt32>(0)

  // The control thread's, read by the threads below.

  /// The programme that may be heard: the renderer drops every other.
  public let wantedEpoch = Atomic<UInt32>(0)
  /// The number of the seek that was asked for last, 0 before the first; `seekTarget` is set before it.
  public let wantedSeek = Atomic<UInt32>(0)
  /// The stream time to go to, in ticks.
  public let seekTarget = Atomic<Int64>(0)
  /// Whether sound goes on at that very sample, rather than at the beginning of its packet.
  public let seekIsExact = Atomic<Bool>(false)
  /// How much of a live station is to be held and not yet heard, in ticks; 0 where the sound is not steered.
  public let driftAim = Atomic<Int64>(0)
  /// Whether the listener shifted time, so that what is held stays as it is.
  public let keepsDistance = Atomic<Bool>(false)
  /// How much later than a card a pipe's reader plays what it takes, in ticks; 0 for a card.
  public let readerDelay = Atomic<Int64>(0)
  /// Whether the listener paused.
  public let isPaused = Atomic<Bool>(false)
  /// Whether what the station sends is recorded: then it goes on being received, though nobody listens and the ring is
  /// full.
  public let isRecorded = Atomic<Bool>(false)
  /// What the render thread is to do.
  public let renderOrder = Atomic<RenderOrder>(.initial)
  /// So much is held before a programme sounds, in ticks.
  public let startHold = Atomic<Int64>(0)
  /// So much is held before it sounds again after it starved, in ticks.
  public let refillHold = Atomic<Int64>(0)
  /// Grows each time that the decode thread is told to play what is held, however little it is.
  public let rescue = Atomic<UInt32>(0)
  /// So much of the programme is played and no more, in ticks.
  public let limit = Atomic<Int64>(.max)
  /// The factor that the programme is multiplied with.
  public let gain = Atomic<Int32>(Gain.unity)

  /// A board with nothing on it.
  public init() {}

  /// A board in an arena.
  public static func make(in arena: Arena) -> UnsafePointer<StatusBoard> {
    let board = arena.reserve(StatusBoard.self)
    board.initialize(to: StatusBoard())
    return UnsafePointer(board)
  }
}
