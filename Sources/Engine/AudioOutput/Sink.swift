import Blocks
import Rendering
import Units

/// All that the render thread needs to reach a sink that the control thread has opened and set.
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
  /// Whether it is a named pipe: where its reader goes it is lost as a card is, and opened again.
  var isNamedPipe = false
  /// Whether a clock of our own paces it; a card and a pipe's reader pace themselves.
  var isPaced = true
  /// Frames between the moment in which a pipe's reader takes one and that in which it is heard; negative where the
  /// reader has no clock.
  var readerDelay = -1
  var samples = SampleFormat.s16le
  var channels = 2
  var rate = SampleRate(44_100)
  var periodFrames = 2_205
  var bufferFrames = 8_820

  /// Whether it takes sound as fast as it comes.
  @_noLocks @_noAllocation
  func isFree() -> Bool { backend != .alsa && !isPaced && !isFed() }

  /// Whether it is a pipe whose reader takes sound in real time.
  @_noLocks @_noAllocation
  func isFed() -> Bool { backend == .pipe && readerDelay >= 0 }

  /// What is rendered at once: a period, or as much of one as there is room for.
  @_noLocks @_noAllocation
  func framesAtOnce() -> Int { min(MemoryBudget.sinkFrames, periodFrames) }

  @_noLocks @_noAllocation
  func bytesPerFrame() -> Int { samples.byteCount() &* channels }
}
