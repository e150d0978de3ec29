import Blocks
import Units

/// The turns of the control thread: it waits, hears what the other threads told, and does what is due.
final class ControlLoop {
  private let engine: any EngineControl
  private let playback: Playback
  private let recorder: Recorder
  private let monitor: Monitor
  private let journal: Journal
  private var watch = HeldSoundWatch()
  private var isBehind = false
  private var isStepping = false

  init(
    _ engine: any EngineControl, _ playback: Playback, _ recorder: Recorder, _ monitor: Monitor, _ journal: Journal
  ) {
    (self.engine, self.playback, self.recorder) = (engine, playback, recorder)
    (self.monitor, self.journal) = (monitor, journal)
  }

  /// Waits up to `timeout` for something to happen, then sees to all that happened. A descriptor of the caller's that
  /// can be read ends the wait too.
  func step(_ timeout: Duration, watching other: Int32) {
    // What the threads told is read once: a turn within another would read on, and the outer one read again.
    precondition(!isStepping, "an observer gives orders to the radio, and leaves `step` and `run` to who called it")
    isStepping = true
    defer { isStepping = false }
    engine.wait(min(timeout, patience), watching: other)
    // Looked at before the titles that belong to it.
    let written = engine.blocks.written
    // Looked at before what led up to it.
    let finishedEpoch = engine.finishedEpoch
    hearNotices()
    playback.attend(finishedEpoch: isBehind ? nil : finishedEpoch)
    rescueHeldSound()
    monitor.attend(at: engine.now)
    takePackets(upTo: written)
    journal.lookAtMemory()
  }

  /// Has the recorder take what was received up to that moment of the stream.
  func takePackets(upTo limit: StreamTime) {
    if recorder.isActive { journal.tell(recorder.round(playback.recordingContext, upTo: limit)) }
  }

  /// So many notices of a thread are heard in one step, so that no station holds the control thread.
  private static let mostNotices = 64

  /// Hears what the net and decode threads told, or as much of it as one step may take.
  private func hearNotices() {
    var (net, decode) = (Self.mostNotices, Self.mostNotices)
    while net > 0, engine.nextNetNotice({ playback.hear($1, of: $0) }) { net -= 1 }
    while decode > 0, engine.nextDecodeNotice({ playback.hear($1, of: $0) }) { decode -= 1 }
    isBehind = net == 0 || decode == 0
  }

  /// How long nothing can become due.
  private var patience: Duration {
    if isBehind { return .zero }
    if playback.expectsSound { return Duration(milliseconds: 2) }
    if engine.needsFormat { return Duration(milliseconds: 20) }
    let most = min(playback.output.patience, Duration(milliseconds: recorder.isBusy ? 200 : 500))
    guard !recorder.isBusy, !playback.output.isSuspended, playback.phase == .playing else { return most }
    let position = playback.position
    let next = playback.programme.nextMoment(after: position, playback.look)
    return next.map { Duration(seconds: max(0.02, ($0 - position).seconds)) } ?? most
  }

  /// Plays what is held where the threads wait for each other (R2.2); tells of it.
  private func rescueHeldSound() {
    let waits = engine.waits
    let sight = HeldSoundWatch.Look(playback, waits, playedFrames: engine.playedFrames)
    guard watch.isDue(sight, at: engine.now) else { return }
    engine.rescue()
    journal.tell(.rescued(held: sight.held.seconds, waits: waits))
  }
}
