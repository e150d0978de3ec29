import Blocks
import Framing
import Network
import Units

/// The reports of net and decode thread about the current programme. A value.
struct Programme {
  /// The programme's number; 0 before the first. A seek beyond the buffer of a file starts another programme.
  private(set) var epoch: UInt32 = 0
  var tuned = MonotonicTime.zero
  /// The server's facts about the station or file; nil before the response.
  private(set) var facts: StationFacts?
  /// The server's window of an endless HLS station; nil for any other programme.
  var window: ProgrammeWindow?
  /// The address from which a second connection delivers; nil if none does.
  var secondSource: String?
  /// The change to a lower bit rate, with its time; nil while the best source plays.
  private(set) var lowerRate: (change: LowerRate, since: MonotonicTime)?
  var titles = TitleLog()
  /// The announced ads.
  var ads = AdLog()
  /// Number of the current or next connection attempt; 0 while connected.
  private(set) var attempt = 0
  private(set) var failure: PlaybackFault?
  /// The current fault, or the reason why the station was given up.
  var fault: PlaybackFault?
  /// Seconds of the file played before the last seek beyond the buffer.
  private(set) var playedBefore = 0.0
  /// True from a reconnect to the first refill: an underrun then needs only the short prebuffer of a reconnect.
  var isRejoining = false
  /// True after `stationInfo` was emitted for the audible item.
  private var isDescribed = false
  private var format: DecodeNotice?
  private var underruns = 0
  private var isAccounted = true

  /// True for a live station, and while a file is not ruled out.
  var mayBeLive: Bool { facts?.isLive != false }

  var codec: String? { if case .format(let codec, _, _, _)? = format { codec.description } else { nil } }

  // MARK: Life cycle

  /// Starts another programme. `underruns`: the radio's total.
  mutating func begin(at now: MonotonicTime, underruns: Int) {
    let epoch = epoch &+ 1
    self = Programme()
    self.epoch = epoch
    tuned = now
    self.underruns = underruns
    isAccounted = false
  }

  /// Continues the file at another position, as another programme, after `heard` seconds.
  mutating func leave(heard: Double, underruns: Int) {
    epoch &+= 1
    (failure, fault) = (nil, nil)
    (playedBefore, self.underruns, isAccounted) = (heard, underruns, false)
  }

  /// Returns true once, when the programme's figures should be added to the run's.
  mutating func claimAccount() -> Bool {
    defer { isAccounted = true }
    return !isAccounted
  }

  /// True if there were underruns since the last call.
  mutating func isLate(_ underruns: Int) -> Bool {
    defer { self.underruns = underruns }
    return underruns != self.underruns
  }

  // MARK: Reports

  /// Records a response. `turnedOutFile`: the presumed live stream is a file; `wasTried`: it was a retry.
  mutating func connected(_ facts: StationFacts) -> (turnedOutFile: Bool, wasTried: Bool) {
    defer {
      self.facts = facts
      (attempt, fault) = (0, nil)
      // A programme with an end can be sought from now on.
      if !facts.isLive { window = nil }
    }
    return (self.facts?.isLive == true && !facts.isLive, attempt > 0)
  }

  /// Records a change to a lower bit rate; nil for the return to the better source.
  mutating func setLowerRate(_ change: LowerRate?, at now: MonotonicTime) -> [Event] {
    let former = lowerRate
    lowerRate = change.map { ($0, former?.since ?? now) }
    if let change {
      return [.failedOver(from: change.from, to: change.to, reason: change.reason, exact: false, lost: 0)]
    }
    return former.map { [.cameBack(to: $0.change.from, exact: false, after: (now - $0.since).seconds)] } ?? []
  }

  mutating func isBack() { (attempt, fault) = (0, nil) }

  mutating func joined(_ stitch: Stitch) -> [Event] {
    fault = nil
    if stitch.isPending { return [] }
    let (overlap, lost) = (stitch.overlap.seconds, stitch.lost.seconds)
    return [.stitched(overlap: overlap, lost: lost, exact: stitch.isExact, estimated: stitch.isEstimated)]
  }

  mutating func reconnects(_ attempt: Int, _ reason: PlaybackFault) { (self.attempt, fault) = (attempt, reason) }

  /// Returns the fault of packets that the decoder cannot turn into audio.
  func undecodable(_ request: StationRequest?) -> PlaybackFault {
    PlaybackFault(.undecodable, url: facts?.url ?? request?.url.description ?? "")
  }

  mutating func isGivenUp() { failure = fault }

  /// Records that everything received before the station was given up has been played.
  mutating func standsStill() { fault = failure }

  /// Returns the prebuffer after an underrun: short during a reconnect and until a refill after it.
  func refill(_ hold: HoldRule) -> StreamTime {
    attempt > 0 || isRejoining ? hold.restart(isLive: mayBeLive) : hold.refill(isLive: mayBeLive)
  }

  mutating func advance(to facts: StationFacts) { (self.facts, isDescribed) = (facts, false) }

  mutating func learn(_ change: (inout StationFacts?) -> Void) { change(&facts) }

  /// Records a format of the decode thread; true if it differs from the last.
  mutating func isNew(_ format: DecodeNotice) -> Bool {
    defer { self.format = format }
    return format != self.format
  }

  /// Returns the `stationInfo` event when all facts are known. While the next file is already decoded, it is not
  /// repeated for the audible one.
  mutating func info(measured: BitRate?, _ look: ProgrammeSnapshot? = nil) -> [Event] {
    if isDescribed, look?.decodesNextFile == true { return [] }
    guard let facts, case .format(let codec, let rate, let channels, _)? = format else { return [] }
    isDescribed = true
    let bitRate = facts.toldBitRate ?? measured?.bitsPerSecond
    let info = StationInfo(
      facts: facts, codec: codec.description, bitRate: bitRate.map { ($0 + 500) / 1000 }, sampleRate: Int(rate.hertz),
      channels: channels)
    return [.stationInfo(info)]
  }

  /// Returns a live station's buffer goal: the wait time, or its longer burst; nil when no burst can arrive any more.
  func aim(wait: StreamTime, held: StreamTime, sinceFirstSound: Duration) -> StreamTime? {
    facts?.isLive == true && sinceFirstSound < Self.burstTime ? max(wait, held) : nil
  }

  /// Time after the first audio in which a burst may still arrive.
  private static let burstTime = Duration(milliseconds: 5_000)

  // MARK: Titles

  /// Adds a title; an empty one ends the previous title. In a file, a title that equals the current one, or the tag
  /// that a list's name replaced, is ignored: titles arrive again after a seek.
  mutating func add(_ title: Title, at moment: StreamTime) -> [Event] {
    let told = facts?.isLive == false ? titles.entry(at: moment) : nil
    if let told, told.title.text == title.text || told.tagged == title.text { return [] }
    return enter(title, at: moment)
  }

  private mutating func enter(_ title: Title, at moment: StreamTime) -> [Event] {
    if !title.text.isEmpty { ads.addTitle(at: moment) }
    let before = titles.entry(at: moment)?.title.text ?? ""
    guard !title.text.isEmpty || !before.isEmpty else { return [] }
    titles.append(title, at: moment)
    return [.metadataReceived(title)]
  }

  /// Adds a title from outside the stream. In a file, the list's name for the same position has priority; the new title
  /// is stored as its tag.
  mutating func add(external title: Title, at moment: StreamTime) -> [Event] {
    guard facts?.isLive == false, let listed = titles.entry(at: moment), listed.at == moment, !listed.title.text.isEmpty
    else { return enter(title, at: moment) }
    titles.setTag(tagged: title.text, at: moment)
    return []
  }

  /// Records that the server does not support ranges.
  mutating func isReadThrough(_ url: String, of host: String?) -> [Event] {
    facts?.isSeekable = false
    let message =
      "\(host ?? "The station") gives no parts of a file, so all before the place that you asked for is read first."
    return [.readThrough(url: url, message: message)]
  }

  /// Removes titles and ads from a stream time on, because they arrive again.
  mutating func forgetTitles(from moment: StreamTime) {
    titles.forget(from: moment)
    ads.forget(from: moment)
  }

  mutating func removeAudibleTitles(at position: StreamTime, base: StreamTime) -> [Event] {
    titles.removeAudible(at: position).map { .metadataChanged($0.title, at: max(0, ($0.at - base).seconds)) }
  }

  mutating func removeAudibleAds(at position: StreamTime) -> [Event] {
    ads.removeChanges(at: position).map { change in
      switch change {
      case .began(let ad): .adBreak(isBeginning: true, kind: ad.kind, length: ad.length?.seconds)
      case .ended(let ad, let after): .adBreak(isBeginning: false, kind: ad.kind, length: after.seconds)
      }
    }
  }

  /// Returns the next stream time with an event: a title, an ad, the next file, or the end.
  func nextMoment(after position: StreamTime, _ look: ProgrammeSnapshot) -> StreamTime? {
    // The card's last 200 ms need no wake-up of their own.
    let end = look.hasEnded ? look.written - StreamTime(seconds: 0.3) : nil
    return [titles.next(after: position), ads.next(after: position), look.border, end].compactMap { $0 }.min()
  }
}
