import Blocks
import Framing
import Listings
import Units

/// Decides which kind of source is on, once, hands to it what comes of the connections, and does what it says follows.
/// The net thread's.
final class AnswerRouter {
  private let engine: HttpEngine
  private let output: ProgrammeOutput
  private let search: StationSearch
  private let report: ProgrammeReport
  private let connections: Connections
  private let reconnector: Reconnector
  private let flow: FlowControl
  private let live: LiveStream
  private let names: NameProbe
  /// What kind of source is on.
  private(set) var source = Source.undecided
  /// The files of the programme.
  private var sequence = FileSequence()

  /// A router of what comes by `connections`; `names` finds out whether a host exists.
  init(
    _ engine: HttpEngine, _ output: ProgrammeOutput, _ search: StationSearch, _ report: ProgrammeReport,
    _ connections: Connections, _ reconnector: Reconnector, _ flow: FlowControl, _ live: LiveStream, _ names: NameProbe
  ) {
    (self.engine, self.output, self.search, self.report) = (engine, output, search, report)
    (self.connections, self.reconnector, self.flow, self.live) = (connections, reconnector, flow, live)
    self.names = names
  }

  private var now: MonotonicTime { engine.clock.now() }

  private var faults: AddressFaults { search.faults }

  /// Whether sound of the programme is in the ring, so that what breaks is gone on with.
  private var isUnderWay: Bool { search.hasPlayed || source.file?.hasStarted == true }

  /// Whether what is asked for follows another file, and nothing of it is in the ring yet.
  var isFollowing: Bool { sequence.isFollowing }

  /// What the pace of the connections depends on.
  var pace: FlowControl.Programme {
    FlowControl.Programme(
      isStation: live.isStation, leftBeforeNext: sequence.hasNext ? source.file?.left : nil)
  }

  // MARK: Orders

  /// Another programme comes, before whose first file there are so many.
  func begin(fileNumber: Int = 0) {
    (source, sequence) = (.undecided, FileSequence(number: fileNumber))
    live.begin()
  }

  /// Goes to another place of the file that is on; false where that is not the one that is meant, or not known well
  /// enough. `restart` forgets what is held.
  func seek(_ seek: FileSeek, restart: () -> Void) -> Bool {
    if let segments = source.segments, seek.number == sequence.number {
      restart()
      sequence.seek()
      segments.seek(to: seek.request.start)
      return true
    }
    guard seek.number == sequence.number, !sequence.isFollowing, let file = source.file, file.isMapped else {
      return false
    }
    restart()
    sequence.seek()
    if file.seek(to: seek.request.start) { reopen() }
    file.lookAgain(at: now)
    return true
  }

  /// Says what follows.
  func follow(_ next: Follow) {
    // What was to follow is not what is on.
    if sequence.isFollowing { source = .finite }
    perform(sequence.follow(next))
  }

  /// The connections are closed: what the source does beside them is called off.
  func interrupt() {
    source.file?.interruptLooks()
    source.segments?.interrupt()
  }

  // MARK: Time

  /// Does what is due of the source.
  func poll() {
    source.file?.poll(at: now)
    source.segments?.poll()
  }

  /// When something is due of it.
  var due: MonotonicTime { source.file?.due ?? source.segments?.due ?? .never }

  /// The segments of an HLS station that are being fetched; nil where none are.
  var segments: SegmentSource? { source.segments.flatMap { $0.isRunning ? $0 : nil } }

  // MARK: What comes of a connection

  /// Whether a connection is still listened to; an older one's last words are not heard.
  func counts(_ reception: Reception) -> Bool { connections.counts(reception) }

  /// The file that a connection brings; nil where it brings none.
  private func file(of reception: Reception) -> FileSource? {
    connections.leads(reception) ? source.file : nil
  }

  /// The head of an answer came.
  func receivedHead(_ reception: Reception, _ head: HttpHead) -> HeadVerdict {
    reception.answered(head, at: now)
    output.answered(by: reception.transfer?.remoteAddress, hasTitles: head.icy.metaint != nil)
    if let verdict = partHead(reception, head) { return verdict }
    if sequence.isFollowing, head.status >= 400 || search.isLive(head) || head.icy.metaint != nil { return .stop }
    guard head.status < 400 else {
      search.refused(forSeconds: head.retryAfter(at: engine.clock.wallSeconds()) ?? 0, at: now)
      reception.condemn(faults.refusal(head.status))
      return .stop
    }
    // What has played stays what it was: an error page is no file.
    let isKnown = search.hasPlayed && !sequence.isFollowing
    let isLive = isKnown ? source.isLive : search.isLive(head)
    live.answered(reception, head, isLive: isLive, isKnown: isKnown)
    guard connections.leads(reception) else { return .go }
    report.note(reception.facts)
    if !isKnown { source = decide(reception, head, isLive: isLive) }
    return .go
  }

  /// What kind of source an answer is.
  private func decide(_ reception: Reception, _ head: HttpHead, isLive: Bool) -> Source {
    if isLive { return .live }
    // A part of what has titles in it could not be asked for.
    if head.icy.metaint != nil { return .finite }
    return .file(
      FileSource(
        head, of: reception, token: sequence.isFollowing ? sequence.token : nil, engine, search, report, output))
  }

  /// Looks at the head of an answer to what was asked for in parts; nil where it is as any other.
  private func partHead(_ reception: Reception, _ head: HttpHead) -> HeadVerdict? {
    guard let asked = reception.part.firstByte else { return nil }
    if let file = source.file { return file.answered(reception, head, asked: asked) }
    // The first answer of all: a server that knows no parts, or has none of this, is asked for the whole.
    let isWrong = head.isPartial ? head.contentRangeStart != 0 : head.status < 400 && search.isLive(head)
    guard head.status == 416 || isWrong else { return nil }
    search.ask(by: .whole)
    reception.turn(.anew)
    return .stop
  }

  /// Whether a connection's next bytes are taken, left for later, or end it.
  func admission(of reception: Reception) -> Reception.Admission {
    reception.wake(at: now)
    guard reception.intake != nil else { return .pause }
    let room = flow.room(for: reception, of: pace, toResume: false, at: now)
    guard room == .ample else {
      flow.pause(reception, room, of: pace)
      if room == .satisfied, !reception.isTakenForLive { source.file?.countPlace(at: now) }
      return .pause
    }
    flow.release()
    // What came before may have been a whole list, however slowly it came; that is known only when more comes.
    guard reception.isSpent else { return .take }
    return .end(reception.bringsList ? faults.tooSlow : faults.noAudio)
  }

  /// A connection's bytes were taken, of which so many were not there yet.
  func received(_ reception: Reception, byteCount: Int) {
    guard let intake = reception.intake else { return }
    if let file = file(of: reception), file.received(byteCount) { return reopen() }
    if let file = source.file, reception.bringsAudio {
      file.announce(isOver: false, at: now)
    } else {
      perform(live.received(reception, at: now), reception)
    }
    if intake.delivered > ReconnectPolicy.proof { search.succeed() }
    output.callReader()
  }

  /// Takes a packet.
  func take(_ reception: Reception, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    guard let file = file(of: reception) else { return live.take(reception, info, bytes) }
    if file.take(reception, info, bytes) { _ = sequence.join() }
  }

  /// Takes a metadata block, or what a stream's own tags say of the packets that come next.
  func take(_ reception: Reception, metadata block: Span<UInt8>) { live.take(reception, metadata: block) }

  func take(_ reception: Reception, _ tags: StreamTags) {
    if let file = file(of: reception) { file.take(tags) } else { live.take(reception, tags) }
  }

  /// The number of what packets need to be decoded.
  func number(of setup: CodecSetup) -> UInt8 { output.number(of: setup) }

  /// A connection is over.
  func ended(_ reception: Reception, _ end: TransferEnd) {
    var end = end
    if end == .failed(.hostNotFound) {
      // What was heard exists.
      guard isUnderWay || sequence.isFollowing || !connections.leads(reception) else {
        return askName(of: reception)
      }
      end = .failed(.nameServer)
    }
    if connections.leads(reception) {
      if case .anew = reception.part.turn { return reopen() }
      // Whether what comes of it is a file's: sound, or more of its head.
      if let file = source.file,
        reception.part.turn != nil || isUnderWay || file.isAtHead || reception.bringsAudio
      {
        return perform(file.ended(reception, end, isUnderWay: isUnderWay, at: now), reception)
      }
    } else {
      guard reception.bringsList else {
        let fault = reception.intake == nil ? faults.broken(end) : faults.closed(end)
        return reconnector.spareFailed(reception, reception.verdict ?? fault)
      }
      // The station has moved into a list; what is silent has no part in it.
      reconnector.replaceLead(by: reception)
    }
    perform(live.ended(reception, end, isLive: source.isLive, at: now), reception)
  }

  /// Does what the source of an answer says.
  private func perform(_ outcome: SourceOutcome, _ reception: Reception?) {
    switch outcome {
    case .nothing: break
    case .askMore: reopen()
    case .whole: finish(reception)
    case .giveUp(let fault):
      if sequence.isFollowing { return abandonFollower() }
      connections.close()
      report.gaveUp(fault)
    case .failed(let fault, let mayPass): failed(reception, fault, mayPass: mayPass)
    case .askList:
      forgetSource()
      search.ask(by: .whole)
      reopen()
    case .list(let kind, let text): open(reception, kind, text)
    case .segments(let playlist): open(reception, playlist)
    }
  }

  /// The last byte is there: nothing is tried beside it any more.
  private func finish(_ reception: Reception?) {
    connections.close()
    if source.isLive { source = .finite }
    if sequence.isFollowing || (source.file != nil || source.segments != nil) && !isUnderWay {
      return failed(reception, faults.noAudio, mayPass: false)
    }
    if source.segments != nil, report.facts?.isLive == true {
      // A station that says that it ends is not live any more, so that somebody says what follows.
      report.noteSegments(length: output.time)
      report.connected()
    }
    report.tell(.complete)
    perform(sequence.end())
  }

  /// Opens a list that came whole, and tells of it: what it names is tried, of a podcast what is chosen then.
  private func open(_ reception: Reception?, _ kind: PlaylistKind, _ text: [UInt8]) {
    guard let base = search.address, let reception else { return }
    do throws(PlaybackFault) {
      let list = try search.read(kind, text, of: reception, at: base, now: now)
      let url = faults.shownURL
      let referral = search.referral(by: reception, isFeed: kind == .feed)
      connections.close()
      forgetSource()
      search.ask(by: .parts)
      if !list.items.isEmpty {
        let isFeed = kind == .feed
        output.tell(FileList(url: url, title: list.title, isFeed: isFeed, items: list.items, referral: referral))
        if isFeed { return }
      }
      guard kind != .feed else { throw faults.emptyFeed }
      guard search.open(list, referral) else { throw faults.emptyList }
      connect()
    } catch {
      failed(reception, error, mayPass: false)
    }
  }

  /// Opens a list of HLS that came whole: of several variants the best that is played, then its segments.
  private func open(_ reception: Reception?, _ playlist: HlsPlaylist?) {
    guard let reception, let asked = search.address else { return }
    let base = reception.source?.reached(from: asked) ?? asked
    let requests = 1 + (reception.transfer?.redirectCount ?? 0)
    // As a feed's episodes segments lie with anybody: name, password and headers go to the station's own host alone.
    let referral = search.referral(by: reception, isFeed: true)
    if let fault = search.readSegments(of: reception, at: now) { return failed(reception, fault, mayPass: false) }
    switch playlist {
    case nil: failed(reception, faults.emptyList, mayPass: search.hasPlayed)
    case .master(let list):
      let choice = list.choice(maxBitRate: search.request.maxBitRate)
      if let refusal = choice.refusal {
        return failed(reception, faults.notPlayed(RefusedKind(refusal)), mayPass: false)
      }
      connections.close()
      guard search.open(choice, at: base, referral) else {
        return failed(nil, faults.emptyList, mayPass: false)
      }
      connect()
    case .media(let list):
      connections.close()
      let isStation = source.segments?.isLive ?? (!list.isEnded || search.request.mode == .live)
      report.note(search.facts(of: list), length: isStation ? nil : list.length)
      if let segments = source.segments { return segments.reopen(list, at: base, referral, requests: requests) }
      source = .segments(
        SegmentSource(list, at: base, referral, requests: requests, engine, search, report, output) {
          [unowned self] in perform($0, nil)
        })
    }
  }

  /// Does what the order of the files says.
  private func perform(_ action: FileSequence.Action) {
    switch action {
    case .nothing: break
    case .finish:
      connections.close()
      output.finish()
    case .ask(let request, let address):
      connections.close()
      source = .finite
      search.follow(request, at: address)
      connect()
    }
  }

  /// What was to follow cannot: the programme is over.
  private func abandonFollower() {
    connections.close()
    source = .finite
    perform(sequence.abandon())
  }

  /// Nothing is known of what is on but what was heard of it.
  private func forgetSource() {
    if sequence.isFollowing { source = .finite } else if !search.hasPlayed { source = .undecided }
  }

  // MARK: Making connections

  /// Tries the address.
  func connect() {
    guard let address = search.address else { return }
    if !isUnderWay { forgetSource() }
    report.tell(.connecting(url: faults.shownURL))
    begin(address)
  }

  /// Asks for the rest, or for the whole, at once.
  private func reopen() {
    guard let address = search.address else { return }
    connections.close()
    begin(address)
  }

  private func begin(_ address: WebAddress) {
    do throws(NetworkError) {
      try reconnector.connect(to: address, source.file, for: self, at: now)
    } catch {
      failed(nil, faults.error(error, of: address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// A connection, or an address before one came about, did not do: the next one, or a wait, or the end.
  func failed(_ reception: Reception?, _ fault: PlaybackFault, mayPass: Bool) {
    if sequence.isFollowing { return abandonFollower() }
    // A list that a second connection still reads goes on counting.
    if reception?.bringsList == true { search.endList(at: now) }
    let heir = connections.loseLead(reception)
    guard isUnderWay else { return reconnector.goOn(after: fault, mayPass: mayPass, at: now) }
    // What is no station, and of which no part can be asked for, cannot go on.
    if case .finite = source { return report.gaveUp(fault) }
    reconnector.recover(from: fault, of: reception, heir: heir, isFile: source.file != nil, at: now)
  }

  /// The connection that leads is given up: what came of it is published first.
  func giveUp(_ lead: Reception, _ fault: PlaybackFault) {
    if source.file == nil { lead.flush() }
    output.settle()
    failed(lead, fault, mayPass: true)
  }

  /// Asks whether the host exists that a connection was to go to, before anything of the station was heard (R4.3): a
  /// host that does not exist ends the tries, a name server that is silent does not.
  private func askName(of reception: Reception) {
    let host = reception.transfer?.failedHost ?? search.address?.host ?? ""
    connections.close()
    names.ask(host, at: now)
  }
}
