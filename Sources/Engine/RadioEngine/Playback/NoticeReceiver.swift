import Framing
import Network
import Units

/// Applies the notices of the net and decode threads to the programme. Control thread only.
struct NoticeReceiver {
  let engine: any EngineControl
  let playback: Playback
  let journal: Journal

  private func isCurrent(_ epoch: UInt32) -> Bool { epoch == playback.programme.epoch && playback.phase != .stopped }

  // MARK: The net thread

  func process(_ notice: NetNotice, of epoch: UInt32) {
    guard isCurrent(epoch) else { return }
    switch notice {
    case .connecting(let url):
      guard !playback.transport.hasPlayed else { return }
      playback.transport.connecting()
      journal.emit(.connecting(url: url))
    case .connected(let facts): connected(facts)
    case .resumed:
      playback.transport.connection(isLost: false)
      playback.programme.isBack()
      journal.countReconnect()
      playback.emitInfo()
    case .lost: playback.transport.connection(isLost: true)
    case .readThrough(let url, let host): journal.emit(playback.programme.isReadThrough(url, of: host))
    case .listed(let list): open(list)
    case .followed(let facts, let place, let token): followed(facts, at: place, token: token)
    case .placed(let further): playback.items.queue.correct(by: further)
    case .window(let window): playback.programme.window = window
    case .second(let url): playback.programme.secondSource = url
    case .lowerRate(let change): journal.emit(playback.programme.setLowerRate(change, at: engine.now))
    case .length(let length): playback.programme.learn { playback.items.queue.updateLength(length, of: &$0) }
    case .title(let text, let url, let isWhole, let at):
      let title = isWhole ? Title(text: text, url: url, artist: nil, track: text) : Title(text, url: url)
      journal.emit(playback.programme.add(title, at: at))
    case .ad(let mark, let at): playback.programme.ads.add(mark, at: at)
    case .externalTitle(let title, let at): journal.emit(playback.programme.add(external: Title(title), at: at))
    case .reconnecting(let attempt, let delay, let reason): reconnecting(attempt, delay, reason)
    case .stitched(let stitch):
      playback.transport.connection(isLost: false)
      journal.emit(playback.programme.joined(stitch))
      playback.perform(playback.transport.stillPaused)
    case .fault(let fault, let isFinal): recordFault(fault, isFinal: isFinal)
    case .full: playback.perform(playback.transport.rest(playback.look))
    case .complete: break
    }
  }

  private func connected(_ facts: StationFacts) {
    let (turnedOutFile, wasTried) = playback.programme.connected(facts)
    if turnedOutFile {
      // A complete programme (R1.5) has no distance from live to keep.
      engine.driftAim = .zero
      engine.keepDistance(false)
      playback.items.queue.treatAsFile()
    }
    playback.transport.connected(turnedOutFile: turnedOutFile, playback.look)
    let hasPlayed = playback.transport.hasPlayed
    if !hasPlayed || turnedOutFile, !facts.isLive, let item = facts.item ?? playback.items.queue.item {
      guard playback.emitUnlessInterrupted(telling: playback.items.recordArrival(at: item, facts)) else { return }
      addItemTitle(item, at: .zero)
    }
    if wasTried, facts.isLive {
      playback.programme.isRejoining = true
    } else if playback.transport.isFlowing || !facts.isLive && !playback.transport.hasPlayed {
      // A file's first seconds may have played, and starved, before it was recognized as a file.
      playback.setRefill()
    }
    let hold = playback.settings.hold
    if !playback.transport.hasPlayed, facts.isLive, playback.steers {
      engine.driftAim = engine.addingReaderDelay(hold.waitLive)
    }
    engine.gatherBeforeStart(hold.start(isLive: playback.programme.mayBeLive))
    let info = playback.programme.info(measured: engine.blocks.bitRate)
    guard playback.emitUnlessInterrupted(telling: info) else { return }
    playback.perform(playback.transport.gathers(playback.look))
    playback.arrangeFollower()
  }

  private func followed(_ facts: StationFacts, at place: FilePlace, token: Int) {
    // The previous file is complete, so the connection no longer matters to it.
    playback.transport.connection(isLost: false)
    playback.programme.isBack()
    if let item = playback.items.queue.appendFollower(facts, at: place, token: token) {
      addItemTitle(item, at: place.border)
    }
    playback.arrangeFollower()
  }

  private func reconnecting(_ attempt: Int, _ delay: Duration, _ reason: PlaybackFault) {
    playback.programme.reconnects(attempt, reason)
    engine.refillHold = playback.settings.hold.restart(isLive: playback.programme.mayBeLive)
    journal.emit(
      .reconnecting(attempt: attempt, delay: delay.seconds, reason: reason.sentence, held: playback.held))
  }

  /// Plays one episode of a podcast; of other lists, the net thread tries the entries.
  private func open(_ list: FileList) {
    if let encoding = list.unknownEncoding {
      let message = "The list names the unknown encoding \(encoding); its text is read as windows-1252."
      journal.emit(.unknownEncoding(url: list.url, message: message))
    }
    guard let episode = playback.items.open(list) else { return }
    let asked = playback.programme.tuned
    guard playback.begin(item: episode, keepsPause: true) else { return playback.stop(.error) }
    playback.programme.tuned = asked
  }

  private func addItemTitle(_ number: Int, at time: StreamTime) {
    if let title = playback.items.title(of: number) { journal.emit(playback.programme.add(title, at: time)) }
  }

  private func recordFault(_ fault: PlaybackFault, isFinal: Bool, isHeard: Bool = true) {
    playback.programme.fault = fault
    guard playback.emitUnlessInterrupted(telling: fault.events), isFinal else { return }
    playback.programme.isGivenUp()
    playback.transport.connection(isLost: false)
    // The audio received before the fault plays to its end first.
    guard playback.programme.facts == nil || !isHeard else { return }
    if !playback.skipItem(after: fault) { playback.stop(.error) }
  }

  // MARK: The decode thread

  func process(_ notice: DecodeNotice, of epoch: UInt32) {
    guard isCurrent(epoch) else { return }
    switch notice {
    case .format:
      guard playback.programme.isNew(notice) else { return }
      playback.expectSound()
      playback.emitInfo()
    case .flowing:
      playback.expectSound()
      playback.perform(playback.transport.flows())
      // During a reconnection, one second is enough to resume.
      if playback.programme.attempt == 0 { playback.setRefill() }
    case .sought(let at, let number): found(at, number)
    case .leapt(let from, let to, let number): found(to, number, from: from)
    case .joined(let overlap, let lost, let isEstimated):
      let stitch = Stitch(overlap: overlap, lost: lost, isExact: false, isEstimated: isEstimated)
      journal.emit(playback.programme.joined(stitch))
    case .undecodable: recordUndecodable()
    // After a seek to its end, a file with audio may have no further packet to decode.
    case .noAudio: if playback.programme.codec == nil, playback.programme.failure == nil { recordUndecodable() }
    case .starved: starved()
    }
  }

  private func recordUndecodable() {
    let fault = playback.programme.undecodable(playback.items.queue.request)
    recordFault(fault, isFinal: true, isHeard: false)
  }

  private func found(_ place: StreamTime, _ number: UInt32, from: StreamTime? = nil) {
    if number == playback.transport.seek { playback.expectSound() }
    playback.perform(playback.transport.found(place, number, from: from, playback.look))
  }

  private func starved() {
    guard playback.transport.starved(at: engine.now) else { return }
    let exhausted = Event.queueExhausted(held: playback.held, count: engine.underruns)
    guard playback.emitUnlessInterrupted(telling: [exhausted]) else { return }
    journal.emit(.buffering(held: playback.held, target: engine.refillHold.seconds))
  }
}
