import Framing
import Http
import Listings
import Units

/// A tuned programme: its source, its files in order, and the next address after a failure. Net thread only.
final class TunedProgramme {
  private(set) var source: any ProgrammeSource
  private let context: ProgrammeContext
  private let connections: Connections
  private let reconnector: Reconnector
  private let handler: ConnectionHandler
  private let names: NameProbe
  /// Replaces a failed lead by the second connection. Returns false without one.
  private var replaceLead: (StationConnection?, PlaybackFault, any ProgrammeSource) -> Bool = { _, _, _ in false }

  init(
    _ context: ProgrammeContext, _ connections: Connections, _ reconnector: Reconnector, _ handler: ConnectionHandler,
    _ names: NameProbe
  ) {
    self.context = context
    self.connections = connections
    self.reconnector = reconnector
    self.handler = handler
    self.names = names
    source = UndecidedSource(handler)
    handler.sendOutcomes { [unowned self] in perform($0, $1) }
  }

  func replaceLeads(by replace: @escaping (StationConnection?, PlaybackFault, any ProgrammeSource) -> Bool) {
    replaceLead = replace
  }

  private var now: MonotonicTime { context.now }

  private var search: StationSearch { context.search }

  private var report: ProgrammeReport { context.report }

  private var faults: AddressFaults { context.faults }

  var isFollowing: Bool { handler.sequence.isFollowing }

  var pace: FlowControl.Programme { handler.pace(left: source.left) }

  /// Current position in the broadcast; nil for a source that is not live.
  var onAir: OnAir? { source.isLive ? handler.stream.onAir(at: now) : nil }

  /// True if the data arrives as fast as a file: a reconnect would start the file again.
  func arrivesAsFile(_ connection: StationConnection) -> Bool { handler.stream.arrivesAsFile(connection) }

  // MARK: Orders

  /// Starts a programme. `fileNumber`: number of files of the programme before this one.
  func begin(fileNumber: Int) {
    source = UndecidedSource(handler)
    handler.begin(fileNumber: fileNumber)
  }

  /// Seeks in the current file. Returns false for another file or without a map. `restart`: drops the buffered audio.
  func seek(_ seek: FileSeek, restart: () -> Void) -> Bool {
    guard seek.number == handler.sequence.number, source.allowsSeek else { return false }
    restart()
    handler.advance { $0.seek() }
    source.seek(to: seek.request.start)
    return true
  }

  func follow(_ next: Follow) {
    // Drops the source of a next file that is replaced.
    if isFollowing { source = FiniteSource(handler) }
    perform(handler.advance { $0.setNext(next) })
  }

  // MARK: Outcomes

  private func perform(_ outcome: SourceOutcome, _ connection: StationConnection?) {
    switch outcome {
    case .nothing: break
    case .decide(let head): decide(head, connection)
    case .reopen: reopen()
    case .unknownHost: lookUpName(of: connection)
    case .whole: finish(connection)
    case .giveUp(let fault):
      if isFollowing { return abandonNext() }
      connections.close()
      report.giveUp(fault)
    case .failed(let fault, let mayPass): handleFailure(connection, fault, mayPass: mayPass)
    case .requestList:
      resetSource()
      search.ask(by: .whole)
      reopen()
    case .list(let kind, let text): open(connection, kind, text)
    case .segments(let playlist): open(connection, playlist)
    }
  }

  private func decide(_ head: HttpHead, _ connection: StationConnection?) {
    guard let connection else { return }
    source = UndecidedSource.source(for: head, of: connection, handler)
    connection.client = source
  }

  private func finish(_ connection: StationConnection?) {
    connections.close()
    if isFollowing || source.needsAudio && !source.isUnderWay {
      return handleFailure(connection, faults.fault(.noAudio), mayPass: false)
    }
    if source.isLive { source = FiniteSource(handler) }
    report.send(.complete)
    perform(handler.advance { $0.finishCurrent() })
  }

  private func perform(_ action: FileSequence.Action) {
    switch action {
    case .nothing: break
    case .finish:
      connections.close()
      context.output.finish()
    case .request(let request, let address):
      connections.close()
      source = UndecidedSource(handler, followsFile: true)
      search.follow(request, at: address)
      connect()
    }
  }

  private func abandonNext() {
    connections.close()
    source = FiniteSource(handler)
    perform(handler.advance { $0.abandon() })
  }

  private func resetSource() {
    if isFollowing {
      source = UndecidedSource(handler, followsFile: true)
    } else if !search.hasPlayed {
      source = UndecidedSource(handler)
    }
  }

  // MARK: Connecting

  func connect() {
    guard let candidate = search.candidate else { return }
    if !source.isUnderWay { resetSource() }
    report.send(.connecting(url: faults.shownURL))
    begin(candidate)
  }

  func connectSpare() { reconnector.connectSpare(for: source, at: now) }

  /// Requests the rest or the whole body at once, without reporting `connecting`.
  private func reopen() {
    guard let candidate = search.candidate else { return }
    connections.close()
    begin(candidate)
  }

  private func begin(_ candidate: Candidates.Candidate) {
    do throws(NetworkError) {
      try reconnector.connect(to: candidate, for: source, at: now)
    } catch {
      handleFailure(nil, faults.error(error, of: candidate.address.url), mayPass: error.isWorthRetrying)
    }
  }

  /// Handles a failed connection, or an address that cannot be requested: tries the next one, waits, or gives up.
  func handleFailure(_ connection: StationConnection?, _ fault: PlaybackFault, mayPass: Bool) {
    if isFollowing { return abandonNext() }
    // Only the list of this connection ends. A spare may still be reading another list.
    if connection?.bringsList == true { search.endList(at: now) }
    if source.isLive, source.isUnderWay, replaceLead(connection, fault, source) { return }
    let heir = connections.loseLead(connection)
    guard source.isUnderWay else { return reconnector.continueSearch(after: fault, mayPass: mayPass, at: now) }
    guard source.allowsReconnect else { return report.giveUp(fault) }
    reconnector.recover(
      from: fault, of: connection, heir: heir, continuesAtByte: source.continuesAtByte, at: now)
  }

  func giveUp(_ lead: StationConnection, _ fault: PlaybackFault) {
    flush(lead)
    handleFailure(lead, fault, mayPass: true)
  }

  /// Gives up a lead after the data timeout. A file ends if further requests would deliver no new audio.
  func giveUpSilent(_ lead: StationConnection, _ fault: PlaybackFault) {
    lead.setVerdict(fault)
    flush(lead)
    if source.isLive, handler.stream.endsEarly(lead, fault) { return finish(lead) }
    handleFailure(lead, fault, mayPass: true)
  }

  private func flush(_ lead: StationConnection) {
    if !source.continuesAtByte { lead.flush() }
    context.output.settle()
  }

  /// Looks up the host (R4.3): only an unknown host ends the tries, not a silent name server.
  private func lookUpName(of connection: StationConnection?) {
    let host = connection?.transfer?.failedHost ?? search.address?.host ?? ""
    connections.close()
    names.ask(host, at: now)
  }
}

// MARK: - Lists

extension TunedProgramme {
  /// Opens a complete list and reports its items. Playlist entries are tried at once; a feed waits for a choice.
  private func open(_ connection: StationConnection?, _ kind: PlaylistKind, _ text: [UInt8]) {
    guard let base = search.address, let connection else { return }
    do throws(PlaybackFault) {
      let list = try search.read(kind, text, of: connection, at: base, now: now)
      let url = faults.shownURL
      let referral = search.referral(by: connection, isFeed: kind == .feed)
      connections.close()
      resetSource()
      search.ask(by: .parts)
      if !list.items.isEmpty {
        let isFeed = kind == .feed
        var opened = FileList(url: url, title: list.title, isFeed: isFeed, items: list.items, referral: referral)
        opened.unknownEncoding = list.unknownEncoding
        context.output.send(.listed(opened))
        if isFeed { return }
      }
      guard kind != .feed else { throw faults.fault(.emptyFeed) }
      guard search.open(list, referral) else { throw faults.fault(.emptyList) }
      connect()
    } catch {
      handleFailure(connection, error, mayPass: false)
    }
  }

  private func open(_ connection: StationConnection?, _ playlist: HlsPlaylist?) {
    guard let connection, let asked = search.address else { return }
    let base = connection.source?.withCredentials(from: asked) ?? asked
    let requestCount = 1 + (connection.transfer?.redirectCount ?? 0)
    // Segments may lie on other hosts, like episodes. Name, password and headers go only to the station's host.
    let referral = search.referral(by: connection, isFeed: true)
    if let fault = search.countHlsList(of: connection, at: now) {
      return handleFailure(connection, fault, mayPass: false)
    }
    switch playlist {
    case nil: handleFailure(connection, faults.fault(.emptyList), mayPass: search.hasPlayed)
    case .master(let list):
      let choice = list.choice(maxBitRate: search.request.maxBitRate)
      if let refusal = choice.refusal {
        return handleFailure(connection, faults.fault(.notPlayed(RefusedKind(refusal))), mayPass: false)
      }
      connections.close()
      guard search.open(choice, at: base, referral) else {
        return handleFailure(nil, faults.fault(.emptyList), mayPass: false)
      }
      connect()
    case .media(let list):
      if list.isEnded, source.isLive, source.isUnderWay, search.isAlternative || !source.allowsSeek {
        // A recording does not continue a station.
        return handleFailure(connection, faults.fault(.closed), mayPass: true)
      }
      connections.close()
      let response = SegmentListResponse(list: list, base: base, referral: referral, requestCount: requestCount)
      if !source.reopen(response) {
        source = SegmentSource(response, handler, continues: source.isLive && source.isUnderWay)
      }
    }
  }
}
