import Units

/// Follows the audible position: reports the start, underruns, titles, the next file and the end. Control thread only.
struct AudibleProgress {
  let engine: any EngineControl
  let playback: Playback
  let journal: Journal

  /// Reports the progress since the last iteration. `finishedEpoch`: the programme whose last frame was played, read
  /// before the notices; nil if more notices may wait.
  func attend(finishedEpoch: UInt32?) {
    // Playback may have started after the notices were read; the next iteration has the facts.
    guard playback.phase != .stopped, playback.programme.facts != nil else { return }
    if playback.programme.isLate(engine.underruns) {
      journal.emit(.underrun(held: playback.held, count: engine.underruns))
    }
    if let heard = engine.audiblePosition(of: playback.programme.epoch) { follow(heard) }
    if finishedEpoch == playback.programme.epoch { processEnd() }
  }

  private func follow(_ heard: AudiblePosition) {
    playback.transport.recordPosition(heard)
    updateDriftAim()
    let phase = playback.phase
    let sounds = !playback.transport.hasPlayed && playback.transport.isFlowing || engine.isSounding
    if phase == .buffering || phase == .connecting, sounds { reportStart() }
    advance()
    guard playback.phase != .stopped else { return }
    journal.emit(removeAudibleTitles(at: playback.position))
    journal.emit(playback.programme.removeAudibleAds(at: playback.position))
  }

  private func removeAudibleTitles(at position: StreamTime) -> [Event] {
    let base = playback.base(from: engine.blocks.start)
    return playback.programme.removeAudibleTitles(at: position, base: base)
  }

  private func updateDriftAim() {
    guard playback.steers, playback.transport.isAtLive else { return }
    let (held, since) = (playback.transport.buffered(playback.look), engine.now - engine.firstSound)
    let wait = engine.addingReaderDelay(playback.settings.waitLive)
    let aim = playback.programme.aim(wait: wait, held: held, sinceFirstSound: since)
    if let aim { engine.driftAim = max(engine.driftAim, aim) }
  }

  private func reportStart() {
    let latency =
      playback.transport.sounds(at: engine.now) ?? (engine.firstSound - playback.programme.tuned).seconds
    playback.stopExpectingSound()
    let isLive = playback.programme.facts?.isLive == true
    journal.emit(.playing(station: playback.name, latency: latency, behindLive: isLive ? playback.held : nil))
  }

  /// Moves to the next file in the ring when it becomes audible.
  private func advance() {
    while let border = playback.items.queue.border, !playback.transport.isSeeking, playback.position >= border {
      let heard = playback.heardSeconds - (playback.position - border).seconds
      // The file's last title may not be reported yet.
      let last = removeAudibleTitles(at: StreamTime(ticks: border.ticks - 1))
      let complete = Event.fileComplete(heard: heard - playback.items.queue.heardBefore)
      guard playback.emitUnlessInterrupted(telling: last + [complete]) else { return }
      // If the next file in the ring was replaced, the program tunes to the other successor after the stop.
      guard let told = playback.items.advance(heard: heard, &playback.programme) else { return playback.stop(.end) }
      let info = playback.programme.info(measured: engine.blocks.bitRate)
      guard playback.emitUnlessInterrupted(telling: told + info) else { return }
      journal.emit(.playing(station: playback.name, latency: 0, behindLive: nil))
      playback.arrangeFollower()
    }
  }

  private func processEnd() {
    if let failure = playback.programme.failure {
      playback.programme.standsStill()
      if !playback.skipItem(after: failure) { playback.stop(.error) }
      return
    }
    // True if the requested duration was played, to within a frame.
    let isCut = playback.settings.duration.map { playback.heardSeconds > $0.seconds - 1 / 8_000 } ?? false
    if playback.programme.facts?.isLive == true || isCut { return playback.stop(.end) }
    let complete = Event.fileComplete(heard: playback.heardSeconds - playback.items.queue.heardBefore)
    guard playback.emitUnlessInterrupted(telling: [complete]) else { return }
    if let item = playback.items.queue.item, playback.begin(item: item + 1, keepsPause: true) { return }
    playback.stop(.end)
  }
}
