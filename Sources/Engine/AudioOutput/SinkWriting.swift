import CALSA
import CLinux
import Glibc
import System
import Units

// The render thread's writing calls. Calls for files and pipes return 0, or after a permanent failure a negative errno.

enum CardWrite: BitwiseCopyable {
  case written
  /// The card had an underrun, or the machine slept; the card is prepared for the rest.
  case ranDry
  /// Permanent failure, with a negative errno.
  case failed(Int32)
}

/// The limits before a sink counts as failed or stalled.
private enum SinkLimits {
  static var cardFailures: Int { 100 }
  /// Nanoseconds between two attempts.
  static var cardPause: Int64 { 1_000_000 }
  /// Milliseconds in which a full pipe's reader must consume something.
  static var pipe: Int32 { 100 }
  /// Bytes that a writable pipe accepts without blocking (PIPE_BUF).
  static var pipeBytes: Int { 4_096 }
}

/// Writes the frames from `done` on, until an underrun or a permanent error (snd_pcm_writei). `failures` counts the
/// calls without progress.
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
    // EPIPE: underrun; ESTRPIPE: the machine slept.
    if error == -EPIPE || error == -ESTRPIPE {
      if error == -ESTRPIPE { _ = snd_pcm_resume(pcm) }
      let prepared = snd_pcm_prepare(pcm)
      return prepared < 0 ? .failed(prepared) : .ranDry
    }
    if error < 0 && error != -EINTR && error != -EAGAIN { return .failed(error) }
  }
  return .written
}

/// Returns a card's delay in frames; nil if it is unknown.
@_noLocks @_noAllocation
func alsaDelay(_ pcm: OpaquePointer) -> Int? {
  var delay: Int = 0
  return snd_pcm_delay(pcm, &delay) == 0 ? max(0, delay) : nil
}

/// Drops up to `count` frames that a card has not played yet (snd_pcm_rewind). Returns their number, or a negative
/// errno if the card refuses.
@_noLocks @_noAllocation
func alsaRewind(_ pcm: OpaquePointer, _ count: Int) -> Int {
  let possible = alsaQueued(pcm)
  if possible <= 0 { return possible }
  let dropped = snd_pcm_rewind(pcm, UInt(bitPattern: min(possible, count)))
  return dropped == 0 ? -Int(ENOTSUP) : dropped
}

/// Returns the frames that a card has not fetched yet, or a negative errno.
@_noLocks @_noAllocation
func alsaQueued(_ pcm: OpaquePointer) -> Int { snd_pcm_rewindable(pcm) }

/// Drops all frames of a card at once, and prepares the card.
@_noLocks @_noAllocation
func alsaDrop(_ pcm: OpaquePointer) {
  _ = snd_pcm_drop(pcm)
  _ = snd_pcm_prepare(pcm)
}

/// Returns true if a card was unplugged, as far as it reports this without a write.
@_noLocks @_noAllocation
func alsaIsGone(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == SND_PCM_STATE_DISCONNECTED.rawValue }

/// Returns true if a card does not play yet, because it has fewer frames than its start threshold.
@_noLocks @_noAllocation
func alsaIsPrepared(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == SND_PCM_STATE_PREPARED.rawValue }

@_noLocks @_noAllocation
func alsaDrain(_ pcm: OpaquePointer) {
  _ = snd_pcm_drain(pcm)
  _ = snd_pcm_prepare(pcm)
}

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

/// Returns the bytes in a pipe; 0 if unknown.
@_noLocks @_noAllocation
func pipeFill(_ descriptor: Int32) -> Int { max(0, Int(bk_pipe_fill(descriptor))) }

@_noLocks @_noAllocation
func pipeHasReader(_ descriptor: Int32) -> Bool { bk_pipe_has_reader(descriptor) }

/// Bytes of a period that a pipe has not accepted yet.
struct Unsent: BitwiseCopyable {
  /// Byte offsets of the first byte and of the end.
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

  /// Returns the number of frames, including a partly accepted one.
  @_noLocks @_noAllocation
  func frames(of byteCount: Int) -> Int { (count() &+ byteCount &- 1) / byteCount }
}

/// Writes bytes to a pipe in nonblocking steps. Ends after the last byte, or if the reader has consumed nothing for 100
/// ms.
@_noLocks @_noAllocation
func pipeWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ unsent: inout Unsent, _ clock: Clock
) -> Int32 {
  while !unsent.isEmpty() {
    let ready = bk_wait_writable(descriptor, clock.realMilliseconds(SinkLimits.pipe))
    if ready <= 0 { return ready }
    let written = bk_write(descriptor, bytes + unsent.first, min(SinkLimits.pipeBytes, unsent.count()))
    // Another program wrote to the pipe meanwhile.
    if written == -Int(EAGAIN) { return 0 }
    if written < 0 { return Int32(truncatingIfNeeded: written) }
    unsent.first = unsent.first &+ written
  }
  return 0
}
