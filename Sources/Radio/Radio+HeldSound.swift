import AudioOutput
import Blocks
import Units

/// What each thread waited for at one moment.
public struct ThreadWaits: Equatable, Sendable, CustomStringConvertible {
  /// The net thread.
  public var net: NetWait
  /// The decode thread.
  public var decode: DecodeWait
  /// What the render thread did.
  public var render: RenderState

  /// One thread after the other, for a log.
  public var description: String { "net: \(net), decode: \(decode), render: \(render)" }
}

// Held sound is heard (R2.2).
extension Radio {
  /// The station that is back has brought what a refill is: from now on it has to bring so much again.
  func attendRejoining() {
    if isRejoining, held >= settings.hold.refill(isLive: true).seconds { setRefill() }
  }

  /// Plays what is held where the threads wait for each other; tells of it, and counts.
  func attendHeldSound() {
    let waits = engine.waits
    let isWanted = phase != .stopped && phase != .paused && !isSuspended
    let look = HeldSoundWatch.Look(
      isWanted: isWanted, isAtSink: waits.render == .playing || waits.render == .standing,
      isComplete: waits.net.isHeldBack || engine.hasReceivedAll(of: epoch),
      held: StreamTime(seconds: held), written: engine.blocks.written, playedFrames: engine.playedFrames)
    guard watch.isDue(look, at: now) else { return }
    summary.rescues += 1
    engine.rescue()
    tell(.rescued(held: held, waits: waits))
  }
}
