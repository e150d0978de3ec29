import Rendering
import Units

/// All that the render thread needs to reach a sink that the control thread has opened and set.
struct Sink: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    case null
    case file
    case pipe
    case alsa
  }

  var kind = Kind.null
  var pcm: OpaquePointer?
  var descriptor: Int32 = -1
  /// Whether a clock of our own paces it; a card and a pipe's reader pace themselves.
  var isPaced = true
  var samples = SampleFormat.s16le
  var channels = 2
  var rate = SampleRate(44_100)
  var periodFrames = 2_205
  var bufferFrames = 8_820

  @_noLocks @_noAllocation
  func bytesPerFrame() -> Int { samples.byteCount() &* channels }
}
