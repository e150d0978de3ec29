import Blocks
import Network
import Units

/// What is known of the programme that runs: what the net and decode threads told of it. A value.
struct Programme {
  /// Its number; 0 before the first. Going to a place of a file that is not held makes it another.
  private(set) var epoch: UInt32 = 0
  /// When it was asked for.
  private(set) var tuned = MonotonicTime.zero
  /// What the server told of its station or file; nil before it answered.
  private(set) var facts: StationFacts?
  /// What of an HLS station that has no end its server has; nil for any other programme.
  private(set) var window: ProgrammeWindow?
  /// Its titles.
  private(set) var titles = TitleLog()
  /// The try that is on, or waited for; 0 while the connection stands.
  private(set) var attempt = 0
  /// Why it was given up.
  private(set) var failure: PlaybackFault?
  /// What keeps it from coming now, or made the radio give it up.
  private(set) var fault: PlaybackFault?
  /// Seconds of the file that were heard before the last seek beyond what was held.
  private(set) var heardBefore = 0.0
  /// Whether the station is back and no refill has come yet: should all that is held be played, the short hold of a
  /// reconnect still applies.
  private(set) var isRejoining = false
  /// Whether it was told what is heard is.
  private var isDescribed = false
  private var format: DecodeNotice?
  private var underruns = 0
  private var isAccounted = true

  /// Whether it is a live station, or not known to be a file.
  var mayBeLive: Bool { facts?.isLive != false }

  /// What is played, such as "MP3".
  var codec: String? { if case .format(let codec, _, _, _)? = format { codec.description } else { nil } }

  // MARK: Its life

  /// Another programme is asked for. `underruns` are those of all time.
  mutating func begin(at now: MonotonicTime, underruns: Int) {
    let epoch = epoch &+ 1
    self = Programme()
    (self.epoch, tuned, self.underruns, isAccounted) = (epoch, now, underruns, false)
  }

  /// It was asked for earlier than it began: an episode of a podcast was chosen for the listener.
  mutating func wasAsked(at moment: MonotonicTime) { tuned = moment }

  /// The file goes on elsewhere, as another programme; so many seconds of it were heard.
  mutating func leave(heard: Double, underruns: Int) {
    epoch &+= 1
    (failure, fault) = (nil, nil)
    (heardBefore, self.underruns, isAccounted) = (heard, underruns, false)
  }

  /// Whether what it gave is still to be added to the run's figures; true once.
  mutating func takeAccount() -> Bool {
    defer { isAccounted = true }
    return !isAccounted
  }

  /// Whether periods came too late since the last look.
  mutating func isLate(_ underruns: Int) -> Bool {
    defer { self.underruns = underruns }
    return underruns != self.underruns
  }

  // MARK: What is told of it

  /// The server answered; whether what was taken for live is a file, and whether the connection had been lost.
  mutating func connected(_ facts: StationFacts) -> (turnedOutFile: Bool, wasTried: Bool) {
    defer {
      self.facts = facts
      (attempt, fault) = (0, nil)
      // What has an end can be sought in from there on.
      if !facts.isLive { window = nil }
    }
    return (self.facts?.isLive == true && !facts.isLive, attempt > 0)
  }

  /// The connection stands again.
  mutating func isBack() { (attempt, fault) = (0, nil) }

  /// What comes was joined to what is held.
  mutating func joined(_ stitch: Stitch) -> [Event] {
    fault = nil
    let (overlap, lost) = (stitch.overlap.seconds, stitch.lost.seconds)
    return [.stitched(overlap: overlap, lost: lost, exact: stitch.isExact, estimated: stitch.isEstimated)]
  }

  /// The connection is gone and tried again.
  mutating func reconnects(_ attempt: Int, _ reason: PlaybackFault) { (self.attempt, fault) = (attempt, reason) }

  /// Something is wrong.
  mutating func meets(_ fault: PlaybackFault) { self.fault = fault }

  /// What is wrong where its packets are no sound that the decoder knows: nothing of them will ever be heard.
  func undecodable(_ request: StationRequest?) -> PlaybackFault {
    PlaybackFault(.undecodable, url: facts?.url ?? request?.url.description ?? "")
  }

  /// It is given up because of that.
  mutating func isGivenUp() { failure = fault }

  /// It stopped, for no fault.
  mutating func forgetFault() { fault = nil }

  /// All that was received before it was given up is heard.
  mutating func standsStill() { fault = failure }

  /// What is gathered when all that is held is played: little while its connection is made anew, and until a refill
  /// has come after that.
  func refill(_ hold: HoldRule) -> StreamTime {
    attempt > 0 || isRejoining ? hold.restart(isLive: mayBeLive) : hold.refill(isLive: mayBeLive)
  }

  /// The station has to bring what a refill is, or has brought it.
  mutating func rejoins(_ isRejoining: Bool) { self.isRejoining = isRejoining }

  /// The next file of the programme is heard.
  mutating func advance(to facts: StationFacts) { (self.facts, isDescribed) = (facts, false) }

  /// What `change` makes of the facts.
  mutating func learn(_ change: (inout StationFacts?) -> Void) { change(&facts) }

  /// What the decode thread makes of it; whether that is another format than before.
  mutating func isNew(_ format: DecodeNotice) -> Bool {
    defer { self.format = format }
    return format != self.format
  }

  /// What there is to tell of the station; nothing while not all of that is known, nor a second time of a file while
  /// the next one is decoded already.
  mutating func info(measured: BitRate?, _ look: ProgrammeLook? = nil) -> [Event] {
    if isDescribed, look?.decodesNextFile == true { return [] }
    guard let facts, case .format(let codec, let rate, let channels, _)? = format else { return [] }
    isDescribed = true
    let bitRate = facts.toldBitRate ?? measured?.bitsPerSecond
    let info = StationInfo(
      facts: facts, codec: codec.description, bitRate: bitRate.map { ($0 + 500) / 1000 }, sampleRate: Int(rate.hertz),
      channels: channels)
    return [.stationInfo(info)]
  }

  /// What is to be held of a live station: the wait time, or its burst where that is more; nil so long after its first
  /// sound that no burst comes any more.
  func aim(wait: StreamTime, held: StreamTime, sinceFirstSound: Duration) -> StreamTime? {
    facts?.isLive == true && sinceFirstSound < Self.burstTime ? max(wait, held) : nil
  }

  /// So long after the first sound a burst may still come in.
  private static let burstTime = Duration(milliseconds: 5_000)

  // MARK: Titles

  /// A title came; an empty one ends the title before. That of the moment in a file is none, nor is the one that the
  /// file's list overrules: they come again where the listener goes to another place of what has it.
  mutating func add(_ title: Title, at moment: StreamTime) -> [Event] {
    let told = facts?.isLive == false ? titles.entry(at: moment) : nil
    if let told, told.title.text == title.text || told.tagged == title.text { return [] }
    return enter(title, at: moment)
  }

  private mutating func enter(_ title: Title, at moment: StreamTime) -> [Event] {
    let before = titles.entry(at: moment)?.title.text ?? ""
    guard !title.text.isEmpty || !before.isEmpty else { return [] }
    titles.append(title, at: moment)
    return [.metadataReceived(title)]
  }

  /// A title came beside the stream; what a list calls its file goes before what the file's own tag does.
  mutating func add(external title: Title, at moment: StreamTime) -> [Event] {
    guard facts?.isLive == false, let listed = titles.entry(at: moment), listed.at == moment, !listed.title.text.isEmpty
    else { return enter(title, at: moment) }
    titles.note(tagged: title.text, at: moment)
    return []
  }

  /// The server gives no parts of the file.
  mutating func isReadThrough(_ url: String, of host: String?) -> [Event] {
    facts?.isSeekable = false
    let message =
      "\(host ?? "The station") gives no parts of a file, so all before the place that you asked for is read first."
    return [.readThrough(url: url, message: message)]
  }

  /// The titles that began to be heard.
  mutating func heardTitles(at position: StreamTime, base: StreamTime) -> [Event] {
    titles.heard(at: position).map { .metadataChanged($0.title, at: ($0.at - base).seconds) }
  }

  /// The next moment of the programme at which there is something to tell: a title, the next file, or the end.
  func nextMoment(after position: StreamTime, _ look: ProgrammeLook) -> StreamTime? {
    // The card's last 200 ms are not told one by one.
    let end = look.hasEnded ? look.written - StreamTime(seconds: 0.3) : nil
    return [titles.next(after: position), look.border, end].compactMap { $0 }.min()
  }

  /// The listener went elsewhere.
  mutating func leap() { titles.leap() }

  /// What of it its server has.
  mutating func learn(_ window: ProgrammeWindow) { self.window = window }

  /// The listener went to a place of its window, from which on its titles come again.
  mutating func forgetTitles(from place: StreamTime) { titles.forget(from: place) }

  /// The file that is heard begins the programme: what sounded at `base` does so at zero.
  mutating func leap(by base: StreamTime) { titles.leap(by: base) }
}

extension PlaybackFault {
  /// The events that tell of it.
  var events: [Event] {
    let message = sentence
    switch category {
    case .httpError:
      let isMissing = status == 404 || status == 410
      return [.httpError(code: status, url: url)] + (isMissing ? [.missingContent(url: url, message: message)] : [])
    case .missingContent: return [.missingContent(url: url, message: message)]
    case .badContent: return [.badContent(url: url, message: message)]
    case .urlNotFound: return [.urlNotFound(url: url, message: message)]
    case .timeoutExceeded: return [.timeoutExceeded(url: url, message: message)]
    case .noNetwork: return [.noNetwork(url: url, message: message)]
    }
  }
}
