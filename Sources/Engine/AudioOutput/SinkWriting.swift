import CALSA
import CLinux
import Glibc
import System
import Units

// The render thread's calls to the sinks. Those to files and pipes give 0, or a negative errno where the sink failed
// for good.

/// What became of frames that a card was given.
enum CardWrite: BitwiseCopyable {
  /// It took all of them.
  case written
  /// It ran dry, or slept, and is ready for the rest.
  case ranDry
  /// It failed for good: a negative errno.
  case failed(Int32)
}

/// How long a sink is tried before it has failed, or stands.
private enum SinkLimits {
  /// Times that a card takes nothing.
  static var cardFailures: Int { 100 }
  /// Nanoseconds between two of them.
  static var cardPause: Int64 { 1_000_000 }
  /// Milliseconds that a pipe's reader takes nothing.
  static var pipe: Int32 { 100 }
  /// Bytes that a pipe which has room at all takes without blocking (PIPE_BUF).
  static var pipeBytes: Int { 4_096 }
}

/// Writes frames to a card from `done` on, as far as it goes. Rests on snd_pcm_writei.
@_noLocks @_noAllocation
func alsaWrite(
  _ pcm: OpaquePointer, _ bytes: UnsafeRawPointer, _ count: Int, _ bytesPerFrame: Int, _ done: inout Int,
  _ failures: inout Int, _ clock: Clock
) -> CardWrite {
  while done < count {
    let written = snd_pcm_writei(pcm, bytes + done &* bytesPerFrame, UInt(bitPattern: count &- done))
    done = done &+ max(0, written)
    failures = written > 0 ? 0 : failures &+ 1
    if failures > SinkLimits.cardFailures { return .failed(-EIO) }
    if failures > 1 { clock.sleep(until: clock.now() + Duration(nanoseconds: SinkLimits.cardPause)) }
    let error = Int32(truncatingIfNeeded: written)
    // EPIPE: it ran dry; ESTRPIPE: the machine slept.
    if error == -EPIPE || error == -ESTRPIPE {
      if error == -ESTRPIPE { _ = snd_pcm_resume(pcm) }
      let prepared = snd_pcm_prepare(pcm)
      return prepared < 0 ? .failed(prepared) : .ranDry
    }
    if error < 0 && error != -EINTR && error != -EAGAIN { return .failed(error) }
  }
  return .written
}

/// Frames that a card has still to play; nil where it cannot tell.
@_noLocks @_noAllocation
func alsaDelay(_ pcm: OpaquePointer) -> Int? {
  var delay: Int = 0
  return snd_pcm_delay(pcm, &delay) == 0 ? max(0, delay) : nil
}

/// Whether a card was unplugged, as far as it tells while nothing is written.
@_noLocks @_noAllocation
func alsaIsGone(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == SND_PCM_STATE_DISCONNECTED.rawValue }

/// Whether a card does not play yet, since it was given less than it starts with.
@_noLocks @_noAllocation
func alsaIsPrepared(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == SND_PCM_STATE_PREPARED.rawValue }

/// Lets a card play out what it has, and makes it ready again.
@_noLocks @_noAllocation
func alsaDrain(_ pcm: OpaquePointer) {
  _ = snd_pcm_drain(pcm)
  _ = snd_pcm_prepare(pcm)
}

/// Writes all bytes to a file.
@_noLocks @_noAllocation
func fileWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int32 {
  var done = 0
  while done < count {
    let written = bk_write(descriptor, bytes + done, count &- done)
    if written <= 0 { return written == 0 ? -EIO : Int32(truncatingIfNeeded: written) }
    done = done &+ written
  }
  return 0
}

/// Bytes that a pipe holds; 0 where that cannot be told.
@_noLocks @_noAllocation
func pipeFill(_ descriptor: Int32) -> Int { max(0, Int(bk_pipe_fill(descriptor))) }

/// Whether somebody reads a pipe.
@_noLocks @_noAllocation
func pipeHasReader(_ descriptor: Int32) -> Bool { bk_pipe_has_reader(descriptor) }

/// What a pipe has still to take of a period's bytes.
struct Unsent: BitwiseCopyable {
  /// Where it begins, and where it ends.
  var first = 0
  var end = 0

  @_noLocks @_noAllocation
  init() {}

  @_noLocks @_noAllocation
  init(count: Int) { end = count }

  @_noLocks @_noAllocation
  func isEmpty() -> Bool { first >= end }

  @_noLocks @_noAllocation
  func count() -> Int { end &- first }

  /// The same in frames; one that was taken in part counts.
  @_noLocks @_noAllocation
  func frames(of byteCount: Int) -> Int { (count() &+ byteCount &- 1) / byteCount }
}

/// Writes bytes to a pipe in steps that do not block, until all are written or its reader has taken nothing for 100 ms.
@_noLocks @_noAllocation
func pipeWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ unsent: inout Unsent, _ clock: Clock
) -> Int32 {
  while !unsent.isEmpty() {
    let ready = bk_wait_writable(descriptor, clock.realMilliseconds(SinkLimits.pipe))
    if ready <= 0 { return ready }
    let written = bk_write(descriptor, bytes + unsent.first, min(SinkLimits.pipeBytes, unsent.count()))
    // Somebody else wrote to it meanwhile.
    if written == -Int(EAGAIN) { return 0 }
    if written < 0 { return Int32(truncatingIfNeeded: written) }
    unsent.first = unsent.first &+ written
  }
  return 0
}
