import CALSA
import CLinux
import System
import Units

// The render thread's calls to the sinks. Each gives 0, or a negative errno where the sink failed for good.

/// Writes frames to a card from `done` on, as far as it goes: 1 where it ran dry, or slept, and is ready again.
/// Rests on snd_pcm_writei.
@_noLocks @_noAllocation
func alsaWrite(
  _ pcm: OpaquePointer, _ bytes: UnsafeRawPointer, _ count: Int, _ bytesPerFrame: Int, _ done: inout Int,
  _ failures: inout Int, _ clock: Clock
) -> Int32 {
  while done < count {
    let written = snd_pcm_writei(pcm, bytes + done &* bytesPerFrame, UInt(bitPattern: count &- done))
    done = done &+ max(0, written)
    failures = written > 0 ? 0 : failures &+ 1
    if failures > 100 { return -5 }
    if failures > 1 { clock.sleep(until: clock.now() + Duration(milliseconds: 1)) }
    let error = Int32(truncatingIfNeeded: written)
    if error == -32 || error == -86 {  // EPIPE: it ran dry; ESTRPIPE: the machine slept
      if error == -86 { _ = snd_pcm_resume(pcm) }
      let prepared = snd_pcm_prepare(pcm)
      return prepared < 0 ? prepared : 1
    }
    if error < 0 && error != -4 && error != -11 { return error }  // EINTR, EAGAIN
  }
  return 0
}

/// Frames that a card has still to play; negative where it cannot tell.
@_noLocks @_noAllocation
func alsaDelay(_ pcm: OpaquePointer) -> Int {
  var delay: Int = 0
  return snd_pcm_delay(pcm, &delay) == 0 ? max(0, delay) : -1
}

/// Whether a card was unplugged, as far as it tells while nothing is written.
@_noLocks @_noAllocation
func alsaIsGone(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == 8 }  // DISCONNECTED

/// Whether a card does not play yet, since it was given less than it starts with.
@_noLocks @_noAllocation
func alsaIsPrepared(_ pcm: OpaquePointer) -> Bool { snd_pcm_state(pcm).rawValue == 2 }  // PREPARED

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
    if written <= 0 { return written == 0 ? -5 : Int32(truncatingIfNeeded: written) }
    done = done &+ written
  }
  return 0
}

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
    let ready = bk_wait_writable(descriptor, clock.realMilliseconds(100))
    if ready <= 0 { return ready }
    let written = bk_write(descriptor, bytes + unsent.first, min(4_096, unsent.count()))
    if written < 0 { return Int32(truncatingIfNeeded: written) }
    unsent.first = unsent.first &+ written
  }
  return 0
}
