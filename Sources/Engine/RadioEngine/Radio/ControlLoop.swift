import Blocks
import Recordings
import Units

/// The iterations of the control thread: each waits, reads the other threads' notices, and performs pending work.
final class ControlLoop {
  private let engine: any EngineControl
  private let playback: Playback
  private let notices: NoticeReceiver
  private let progress: AudibleProgress
  private let recorder: Recorder
  private let monitor: Monitor
  private let journal: Journal
  private var watch = SilentBufferWatch()
  /// Number of notices processed.
  private(set) var noticeCount = 0
  private var isBehind = false
  private var isStepping = false

  init(
    _ engine: any EngineControl, _ playback: Playback, _ recorder: Recorder, _ monitor: Monitor, _ journal: Journal
  ) {
    self.engine = engine
    self.playback = playback
    self.recorder = recorder
    self.monitor = monitor
    self.journal = journal
    notices = NoticeReceiver(engine: engine, playback: playback, journal: journal)
    progress = AudibleProgress(engine: engine, playback: playback, journal: journal)
  }

  /// Waits up to `timeout` for a notice, or until `other` is readable. Then performs the pending work.
  func step(_ timeout: Duration, watching other: Int32) {
    // A nested iteration would consume notices that the outer iteration has yet to process.
    precondition(!isStepping, "an observer gives orders to the radio, and leaves `step` and `run` to who called it")
    isStepping = true
    defer { isStepping = false }
    engine.wait(min(timeout, patience), watching: other)
    // Read before the notices, which then include the titles of these packets.
    let written = engine.blocks.written
    // Read before the notices, which then include all notices sent before the programme's end.
    let finishedEpoch = engine.finishedEpoch
    processNotices()
    playback.attendOutput()
    progress.attend(finishedEpoch: isBehind ? nil : finishedEpoch)
    playback.attendAds()
    playback.closeLongPause()
    playback.attendRefill()
    rescueSilentBuffer()
    monitor.attend(at: engine.now)
    recordPackets(upTo: written)
    journal.sampleMemory()
  }

  func recordPackets(upTo limit: StreamTime) {
    if recorder.isActive { journal.emit(recorder.round(playback.recordingContext, upTo: limit)) }
  }

  /// Limit per thread and iteration, so that no station can occupy the control thread.
  private static let maxNotices = 64

  private func processNotices() {
    var (net, decode) = (Self.maxNotices, Self.maxNotices)
    while net > 0, let (epoch, notice) = engine.nextNetNotice() {
      notices.process(notice, of: epoch)
      net -= 1
    }
    while decode > 0, let (epoch, notice) = engine.nextDecodeNotice() {
      notices.process(notice, of: epoch)
      decode -= 1
    }
    noticeCount &+= 2 * Self.maxNotices - net - decode
    isBehind = net == 0 || decode == 0
  }

  /// Maximum wait: until the next deadline, or until the render thread must be polled.
  private var patience: Duration {
    if isBehind { return .zero }
    if playback.expectsSound { return Duration(milliseconds: 2) }
    if engine.output.needsFormat { return Duration(milliseconds: 20) }
    let most = min(playback.output.patience, Duration(milliseconds: recorder.isBusy ? 200 : 500))
    guard !recorder.isBusy, !playback.output.isSuspended, playback.phase == .playing else { return most }
    let look = playback.look
    let position = playback.transport.position(look)
    let next = playback.programme.nextMoment(after: position, look)
    return next.map { Duration(seconds: max(0.02, ($0 - position).seconds)) } ?? most
  }

  /// Plays buffered audio if the threads wait for each other (R2.2), and reports the rescue.
  private func rescueSilentBuffer() {
    let waits = engine.waits
    let sight = silence(waits)
    guard watch.isDue(sight, at: engine.now) else { return }
    engine.rescue()
    journal.emit(.rescued(held: sight.held.seconds, waits: waits))
  }

  private func silence(_ waits: ThreadWaits) -> SilentBufferWatch.Snapshot {
    let look = playback.look
    return SilentBufferWatch.Snapshot(
      isWanted: playback.phase != .stopped && playback.phase != .paused && !playback.output.isSuspended,
      isAtSink: waits.render == .playing || waits.render == .standing,
      isComplete: waits.net.isHeldBack || look.hasEnded, held: playback.transport.buffered(look) - look.inSink,
      written: look.written, playedFrames: engine.playedFrames)
  }
}
