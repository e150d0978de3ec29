import Blocks
import Framing
import Http
import Listings
import Units

/// Chooses the kind of source once and passes it the events of the connections. Net thread only.
final class ResponseRouter {
  private let engine: HttpEngine
  private let output: ProgrammeOutput
  private let search: StationSearch
  private let report: ProgrammeReport
  private let connections: Connections
  private let reconnector: Reconnector
  private let flow: FlowControl
  private let live: LiveStream
  private let names: NameProbe
  private(set) var source = ProgrammeSource.undecided
  private var sequence = FileSequence()

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

  /// True if audio of the programme is in the ring. A failure then leads to a reconnect, not to the next address.
  private var isUnderWay: Bool { search.hasPlayed || source.file?.hasStarted == true }

  var isFollowing: Bool { sequence.isFollowing }

  var pace: FlowControl.Programme {
    FlowControl.Programme(
      isStation: live.isStation, leftBeforeNext: sequence.hasNext ? source.file?.left : nil)
  }

  // MARK: Orders

  /// Starts a programme. `fileNumber`: number of files of the programme before this one.
  func begin(fileNumber: Int = 0) {
    (source, sequence) = (.undecided, FileSequence(number: fileNumber))
    live.begin()
  }

  /// Seeks in the current file. Returns false for another file or without a map. `restart`: drops the buffered audio.
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
    file.retryTailRequest(at: now)
    return true
  }

  func follow(_ next: Follow) {
    // The source may belong to the next file, which is replaced.
    if sequence.isFollowing { source = .finite }
    perform(sequence.setNext(next))
  }

  /// Cancels the source's own requests after its connections were closed.
  func cancelRequests() {
    source.file?.cancelSideRequests()
    source.segments?.interrupt()
  }

  // MARK: Time

  func poll() {
    source.file?.poll(at: now)
    source.segments?.poll()
  }

  var due: MonotonicTime { source.file?.due ?? source.segments?.due ?? .never }

  var segments: SegmentSource? { source.segments.flatMap { $0.isRunning ? $0 : nil } }

  // MARK: Connection events

  func isActive(_ reception: StationConnection) -> Bool { connections.isActive(reception) }

  private func file(of reception: StationConnection) -> FileSource? {
    connections.isLead(reception) ? source.file : nil
  }

  func handleHead(_ reception: StationConnection, _ head: HttpHead) -> HeadVerdict {
    reception.answered(head, at: now)
    output.answered(by: reception.transfer?.remoteAddress, hasTitles: head.icy.metaint != nil)
    if let verdict = handlePartHead(reception, head) { return verdict }
    if sequence.isFollowing, head.status >= 400 || search.isLive(head) || head.icy.metaint != nil { return .stop }
    guard head.status < 400 else {
      search.recordRefusal(forSeconds: head.retryAfter(at: engine.clock.wallSeconds()) ?? 0, at: now)
      reception.setVerdict(faults.refusal(head.status))
      return .stop
    }
    // A programme that has played keeps its kind: an error page must not become a file.
    let isKnown = search.hasPlayed && !sequence.isFollowing
    let isLive = isKnown ? source.isLive : search.isLive(head)
    live.answered(reception, head, isLive: isLive, isKnown: isKnown)
    guard connections.isLead(reception) else { return .go }
    report.record(reception.facts)
    if !isKnown { source = chooseSource(reception, head, isLive: isLive) }
    return .go
  }

  private func chooseSource(_ reception: StationConnection, _ head: HttpHead, isLive: Bool) -> ProgrammeSource {
    if isLive { return .live }
    // ICY titles shift the byte offsets, so no part could be requested.
    if head.icy.metaint != nil { return .finite }
    return .file(
      FileSource(
        head, of: reception, token: sequence.isFollowing ? sequence.token : nil, engine, search, report, output))
  }

  /// Handles the response to a request for a part. Returns nil to continue with the checks for any response.
  private func handlePartHead(_ reception: StationConnection, _ head: HttpHead) -> HeadVerdict? {
    guard let asked = reception.part.firstByte else { return nil }
    if let file = source.file { return file.handleHead(reception, head, asked: asked) }
    // First response: requests the whole body after status 416, a wrong part, or a full response that looks like a
    // station.
    let isWrong = head.isPartial ? head.contentRangeStart != 0 : head.status < 400 && search.isLive(head)
    guard head.status == 416 || isWrong else { return nil }
    search.ask(by: .whole)
    reception.recordTurn(.requestWhole)
    return .stop
  }

  func admission(of reception: StationConnection) -> StationConnection.Admission {
    reception.recordActivity(at: now)
    guard reception.intake != nil else { return .pause }
    let room = flow.room(for: reception, of: pace, toResume: false, at: now)
    guard room == .ample else {
      flow.pause(reception, room, of: pace)
      if room == .satisfied, !reception.isTakenForLive { source.file?.startCount(at: now) }
      return .pause
    }
    flow.release()
    // The earlier bytes may be a complete, slow list. Only a further byte proves that the list was not complete.
    guard reception.isSpent else { return .take }
    return .end(reception.bringsList ? faults.tooSlow : faults.noAudio)
  }

  /// `byteCount`: number of new bytes; bytes received before do not count.
  func handleBytes(_ reception: StationConnection, byteCount: Int) {
    guard let intake = reception.intake else { return }
    if let file = file(of: reception), file.recordBytes(byteCount) { return reopen() }
    if let file = source.file, reception.bringsAudio {
      file.announce(isOver: false, at: now)
    } else {
      perform(live.received(reception, at: now), reception)
    }
    if intake.delivered > ReconnectPolicy.proof { search.succeed() }
    output.wakeReader()
  }

  func accept(_ reception: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    guard let file = file(of: reception) else { return live.accept(reception, info, bytes) }
    if file.accept(reception, info, bytes) { _ = sequence.recordPacket() }
  }

  func accept(_ reception: StationConnection, metadata block: Span<UInt8>) { live.accept(reception, metadata: block) }

  func accept(_ reception: StationConnection, _ tags: StreamTags) {
    if let file = file(of: reception) { file.accept(tags) } else { live.accept(reception, tags) }
  }

  func number(of setup: CodecSetup) -> UInt8 { output.number(of: setup) }

  func handleEnd(_ reception: StationConnection, _ end: TransferEnd) {
    var end = end
    if end == .failed(.hostNotFound) {
      // A host that has delivered audio exists, so its name is not looked up.
      guard isUnderWay || sequence.isFollowing || !connections.isLead(reception) else {
        return lookUpName(of: reception)
      }
      end = .failed(.nameServer)
    }
    if connections.isLead(reception) {
      if case .requestWhole = reception.part.turn { return reopen() }
      if let file = source.file,
        reception.part.turn != nil || isUnderWay || file.isAtHead || reception.bringsAudio
      {
        return perform(file.handleEnd(reception, end, isUnderWay: isUnderWay, at: now), reception)
      }
    } else {
      guard reception.bringsList else {
        let fault = reception.intake == nil ? faults.brokenConnection(end) : faults.closedConnection(end)
        return reconnector.spareFailed(reception, reception.verdict ?? fault)
      }
      // The station now sends a playlist. The silent lead is of no further use.
      reconnector.replaceLead(by: reception)
    }
    perform(live.ended(reception, end, isLive: source.isLive, at: now), reception)
  }

  private func perform(_ outcome: SourceOutcome, _ reception: StationConnection?) {
    switch outcome {
    case .nothing: break
    case .requestNextPart: reopen()
    case .whole: finish(reception)
    case .giveUp(let fault):
      if sequence.isFollowing { return abandonNext() }
      connections.close()
      report.giveUp(fault)
    case .failed(let fault, let mayPass): handleFailure(reception, fault, mayPass: mayPass)
    case .requestList:
      resetSource()
      search.ask(by: .whole)
      reopen()
    case .list(let kind, let text): open(reception, kind, text)
    case .segments(let playlist): open(reception, playlist)
    }
  }

  private func finish(_ reception: StationConnection?) {
    connections.close()
    if source.isLive { source = .finite }
    if sequence.isFollowing || (source.file != nil || source.segments != nil) && !isUnderWay {
      return handleFailure(reception, faults.noAudio, mayPass: false)
    }
    if source.segments != nil, report.facts?.isLive == true {
      // After the end of its list, a station counts as a file. The control thread needs this fact to set the next file.
      report.recordSegments(length: output.time)
      report.reportConnected()
    }
    report.send(.complete)
    perform(sequence.finishCurrent())
  }

  /// Opens a complete list and reports its items. Playlist entries are tried at once; a feed waits for a choice.
  private func open(_ reception: StationConnection?, _ kind: PlaylistKind, _ text: [UInt8]) {
    guard let base = search.address, let reception else { return }
    do throws(PlaybackFault) {
      let list = try search.read(kind, text, of: reception, at: base, now: now)
      let url = faults.shownURL
      let referral = search.referral(by: reception, isFeed: kind == .feed)
      connections.close()
      resetSource()
      search.ask(by: .parts)
      if !list.items.isEmpty {
        let isFeed = kind == .feed
        output.send(FileList(url: url, title: list.title, isFeed: isFeed, items: list.items, referral: referral))
        if isFeed { return }
      }
      guard kind != .feed else { throw faults.emptyFeed }
      guard search.open(list, referral) else { throw faults.emptyList }
      connect()
    } catch {
      handleFailure(reception, error, mayPass: false)
    }
  }

  private func open(_ reception: StationConnection?, _ playlist: HlsPlaylist?) {
    guard let reception, let asked = search.address else { return }
    let base = reception.source?.withCredentials(from: asked) ?? asked
    let requests = 1 + (reception.transfer?.redirectCount ?? 0)
    // Segments may lie on other hosts, like episodes. Name, password and headers go only to the station's host.
    let referral = search.referral(by: reception, isFeed: true)
    if let fault = search.countHlsList(of: reception, at: now) {
      return handleFailure(reception, fault, mayPass: false)
    }
    switch playlist {
    case nil: handleFailure(reception, faults.emptyList, mayPass: search.hasPlayed)
    case .master(let list):
      let choice = list.choice(maxBitRate: search.request.maxBitRate)
      if let refusal = choice.refusal {
        return handleFailure(reception, faults.unplayable(RefusedKind(refusal)), mayPass: false)
      }
      connections.close()
      guard search.open(choice, at: base, referral) else {
        return handleFailure(nil, faults.emptyList, mayPass: false)
      }
      connect()
    case .media(let list):
      connections.close()
      let isStation = source.segments?.isLive ?? (!list.isEnded || search.request.mode == .live)
      report.record(search.facts(of: list), length: isStation ? nil : list.length)
      if let segments = source.segments { return segments.reopen(list, at: base, referral, requests: requests) }
      source = .segments(
        SegmentSource(list, at: base, referral, requests: requests, engine, search, report, output) {
          [unowned self] in perform($0, nil)
        })
    }
  }

  private func perform(_ action: FileSequence.Action) {
    switch action {
    case .nothing: break
    case .finish:
      connections.close()
      output.finish()
    case .request(let request, let address):
      connections.close()
      source = .finite
      search.follow(request, at: address)
      connect()
    }
  }

  private func abandonNext() {
    connections.close()
    source = .finite
    perform(sequence.abandon())
  }

  private func resetSource() {
    if sequence.isFollowing { source = .finite } else if !search.hasPlayed { source = .undecided }
  }

  // MARK: Connecting

  func connect() {
    guard let address = search.address else { return }
    if !isUnderWay { resetSource() }
    report.send(.connecting(url: faults.shownURL))
    begin(address)
  }

  /// Requests the rest or the whole body at once, without reporting `connecting`.
  private func reopen() {
    guard let address = search.address else { return }
    connections.close()
    begin(address)
  }

  private func begin(_ address: WebAddress) {
    do throws(NetworkError) {
      try reconnector.connect(to: address, source.file, for: self, at: now)
    } catch {
      handleFailure(nil, faults.error(error, of: address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Handles a failed connection, or an address that cannot be requested: tries the next one, waits, or gives up.
  func handleFailure(_ reception: StationConnection?, _ fault: PlaybackFault, mayPass: Bool) {
    if sequence.isFollowing { return abandonNext() }
    // Only the list of this connection ends. A spare may still be reading another list.
    if reception?.bringsList == true { search.endList(at: now) }
    let heir = connections.loseLead(reception)
    guard isUnderWay else { return reconnector.continueSearch(after: fault, mayPass: mayPass, at: now) }
    // The source is a file, and its server does not support ranges: the rest cannot be requested.
    if case .finite = source { return report.giveUp(fault) }
    reconnector.recover(from: fault, of: reception, heir: heir, isFile: source.file != nil, at: now)
  }

  func giveUp(_ lead: StationConnection, _ fault: PlaybackFault) {
    if source.file == nil { lead.flush() }
    output.settle()
    handleFailure(lead, fault, mayPass: true)
  }

  /// Looks up the host (R4.3): only an unknown host ends the tries, not a silent name server.
  private func lookUpName(of reception: StationConnection) {
    let host = reception.transfer?.failedHost ?? search.address?.host ?? ""
    connections.close()
    names.ask(host, at: now)
  }
}
