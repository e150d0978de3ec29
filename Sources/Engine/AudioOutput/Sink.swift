import Blocks
import Rendering
import Units

/// The render thread's access to a sink that the control thread opened.
struct Sink: BitwiseCopyable {
  enum Backend: UInt8, BitwiseCopyable {
    case null
    case file
    case pipe
    case alsa
  }

  var backend = Backend.null
  var pcm: OpaquePointer?
  var descriptor: Int32 = -1
  /// True for a named pipe: if its reader leaves, it is treated like a lost card.
  var isNamedPipe = false
  /// True if `PacingClock` limits the rate; cards and pipe readers limit it themselves.
  var isPaced = true
  /// Frames from a pipe reader's read to the audible sound; negative for a reader without a clock.
  var readerDelay = -1
  var samples = SampleFormat.s16le
  var channels = 2
  var rate = SampleRate(44_100)
  /// True if the sink can drop frames that it has not played yet.
  var canRewind = false
  /// Newest frames that must stay, because the sink may have fetched them.
  var fetchedFrames = 0
  var periodFrames = 2_205
  var bufferFrames = 8_820

  /// Returns true if the sink accepts sound faster than real time.
  @_noLocks @_noAllocation
  func isFree() -> Bool { backend != .alsa && !isPaced && !isFed() }

  /// Returns true for a pipe whose reader consumes in real time.
  @_noLocks @_noAllocation
  func isFed() -> Bool { backend == .pipe && readerDelay >= 0 }

  @_noLocks @_noAllocation
  func framesAtOnce() -> Int { min(MemoryBudget.sinkFrames, periodFrames) }

  @_noLocks @_noAllocation
  func bytesPerFrame() -> Int { samples.byteCount() &* channels }
}
