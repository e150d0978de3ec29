import Blocks
import Framing
import Network
import Units

// What the net and decode threads tell, and what becomes of it.

extension Radio {
  func hear(_ notice: NetNotice) {
    guard phase != .stopped else { return }
    switch notice {
    case .connecting(let url):
      if !transport.hasPlayed {
        transport.connecting()
        tell(.connecting(url: url))
      }
    case .connected(let facts): connected(facts)
    case .resumed:
      transport.connection(isLost: false)
      (attempt, trouble) = (0, nil)
      summary.reconnects += 1
      if let format { tellInfo(format) }
    case .lost: transport.connection(isLost: true)
    case .readThrough(let url, let message):
      facts?.isSeekable = false
      tell(.readThrough(url: url, message: message))
    case .listed: listed()
    case .followed(let facts, let at, let token): followed(facts, at: at, token: token)
    case .placed(let further): queue.correct(by: further)
    case .length(let length): queue.learn(length, of: &facts)
    case .title(let text, let url, let at): received(Title(text, url: url), at: at)
    case .outsideTitle(let title, let at):
      // What a list calls its file goes before what the file's own tag does.
      let isTold = facts?.isLive == false && titles.entry(at: at)?.at == at
      if !isTold { received(Title(title), at: at) }
    case .reconnecting(let attempt, let delay, let reason):
      (self.attempt, trouble) = (attempt, reason)
      engine.refillHold = settings.hold.restart(isLive: isLive)
      tell(.reconnecting(attempt: attempt, delay: delay.seconds, reason: reason.message, held: held))
    case .stitched(let stitch):
      transport.connection(isLost: false)
      trouble = nil
      summary.stitches += 1
      // Each new connection that takes over is joined once; tries that failed are not.
      summary.reconnects += 1
      summary.lost += stitch.lost.seconds
      tell(
        .stitched(
          overlap: stitch.overlap.seconds, lost: stitch.lost.seconds, exact: stitch.isExact,
          estimated: stitch.isEstimated))
      // The radio is back and as silent as before (manual, 1.8).
      perform(transport.stillPaused)
    case .trouble(let trouble, let isFinal):
      self.trouble = trouble
      tell(trouble)
      if isFinal { gaveUp(trouble) }
    case .full: perform(transport.rest(look))
    case .complete: break
    }
  }

  private func received(_ title: Title, at: StreamTime) {
    titles.append(title, at: at)
    tell(.metadataReceived(title))
  }

  private func connected(_ facts: StationFacts) {
    let wasTakenForLive = self.facts?.isLive == true && !facts.isLive
    let wasTried = attempt > 0
    self.facts = facts
    (attempt, trouble) = (0, nil)
    if wasTakenForLive { turnedOutFile() }
    transport.connected(turnedOutFile: wasTakenForLive, look)
    if !transport.hasPlayed || wasTakenForLive, !facts.isLive, list != nil, let item = facts.item ?? item {
      arrived(at: item)
      entitle(item, at: .zero)
    }
    if wasTried, facts.isLive {
      isRejoining = true
    } else if transport.isFlowing || !facts.isLive && !transport.hasPlayed {
      // A file's few first seconds may have sounded, and starved, before it was known that it is one.
      setRefill()
    }
    if !transport.hasPlayed, facts.isLive, steers {
      engine.driftAim = settings.waitLive
    }
    engine.gatherBeforeStart(settings.hold.start(isLive: isLive))
    if let format { tellInfo(format) }
    perform(transport.gathers(look))
    arrangeFollower()
  }

  /// Whether what is played is a live station, or not known to be a file.
  private var isLive: Bool { facts?.isLive != false }

  /// The connection stands: says what is gathered after all that is held is played.
  func setRefill() {
    isRejoining = false
    engine.refillHold = settings.hold.refill(isLive: isLive)
  }

  /// What was taken for a station is a file, all of which has come (R1.5): nothing is steered to a distance from live.
  /// What else of it, or of its list, is asked for is asked for as a file.
  private func turnedOutFile() {
    engine.driftAim = .zero
    engine.keepDistance(false)
    queue.turnedOutFile()
  }

  private func gaveUp(_ trouble: Trouble) {
    failure = trouble
    transport.connection(isLost: false)
    // What was received before sounds to its end first.
    if facts == nil, !skipItem(after: trouble) { stop(.error) }
  }

  func hear(_ notice: DecodeNotice) {
    guard phase != .stopped else { return }
    switch notice {
    case .format where notice == format: break
    case .format:
      expectSound()
      format = notice
      if facts != nil { tellInfo(notice) }
    case .flowing:
      expectSound()
      perform(transport.flows())
      // While a connection is being made anew, one second is enough to sound again.
      if attempt == 0 { setRefill() }
    case .sought(let at, let number): found(at, number)
    case .leapt(let from, let to, let number): found(to, number, from: from)
    case .starved:
      guard transport.starved(at: now) else { return }
      tell(.queueExhausted(held: held, count: engine.underruns))
      tell(.buffering(held: held, target: engine.refillHold.seconds))
    }
  }

  func tellInfo(_ notice: DecodeNotice) {
    guard let facts, case .format(let codec, let rate, let channels, _) = notice else { return }
    let bitRate = facts.toldBitRate ?? engine.blocks.bitRate?.bitsPerSecond
    tell(
      .stationInfo(
        StationInfo(
          facts: facts, codec: codec.description, bitRate: bitRate.map { ($0 + 500) / 1000 },
          sampleRate: Int(rate.hertz), channels: channels)))
  }

  private func tell(_ trouble: Trouble) {
    switch trouble.kind {
    case .httpError:
      tell(.httpError(code: trouble.status, url: trouble.url))
      if trouble.status == 404 || trouble.status == 410 {
        tell(.missingContent(url: trouble.url, message: trouble.message))
      }
    case .missingContent: tell(.missingContent(url: trouble.url, message: trouble.message))
    case .badContent: tell(.badContent(url: trouble.url, message: trouble.message))
    case .urlNotFound: tell(.urlNotFound(url: trouble.url, message: trouble.message))
    case .timeoutExceeded: tell(.timeoutExceeded(url: trouble.url, message: trouble.message))
    case .noNetwork: tell(.noNetwork(url: trouble.url, message: trouble.message))
    }
  }
}
