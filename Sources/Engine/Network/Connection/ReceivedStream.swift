import Blocks
import Framing
import Http
import Units

/// The content of a whole response: packets without a position, such as a live station's, or a list. Net thread only.
final class ReceivedStream {
  private let connections: Connections
  private let reconnector: Reconnector
  private let context: ProgrammeContext
  private var evidence = FileEvidence()
  /// Intake of the last accepted packet.
  private var lastIntake: StreamIntake?

  /// Time for the server's burst to arrive, counted from the first packet.
  private static let burst = Duration(milliseconds: 1_000)

  init(_ context: ProgrammeContext, _ connections: Connections, _ reconnector: Reconnector) {
    self.context = context
    self.connections = connections
    self.reconnector = reconnector
  }

  private var search: StationSearch { context.search }

  private var report: ProgrammeReport { context.report }

  private var output: ProgrammeOutput { context.output }

  func begin() { (evidence, lastIntake) = (FileEvidence(), nil) }

  /// True if known to be a station and not a file that looks like one.
  var isStation: Bool { evidence.isStation }

  // MARK: Responses

  /// Processes a response head. `isKnown`: true if the programme has already played.
  func answered(_ connection: StationConnection, _ head: HttpHead, isLive: Bool, isKnown: Bool) {
    let kind = search.isRoot ? search.request.addressKind : .automatic
    let intake = StreamIntake(
      kind: kind, head: head, path: connection.source?.path, followsGap: isKnown,
      text: TitleText(encoding: search.titleEncoding))
    let trace = ResponseTrace(head, mayBeItem: search.request.mayBeItem)
    let mayBeFile =
      search.request.mode == .automatic && search.isLive(head) && trace.isFinite && trace.isLengthKnown
    let facts = StationFacts(head, of: search.candidate, isLive: isLive, mayBeFile: mayBeFile)
    connection.receive(by: intake, trace, facts)
  }

  func received(_ connection: StationConnection, at now: MonotonicTime) -> SourceOutcome {
    guard let intake = connection.intake else { return .nothing }
    switch intake.phase {
    case .audio: announce(connection)
    case .playlist(.feed):
      if let fault = search.feedInFeed {
        connection.end(fault)
      } else if intake.isFeedComplete {
        if !connections.isLead(connection) { reconnector.replaceLead(by: connection) }
        return .list(.feed, [])
      }
    case .playlist, .segments:
      if let fault = search.budgetFault(ofListFrom: connection.began, at: now) { connection.end(fault) }
    case .refused(.html) where isSignInPage(connection, intake): connection.end(search.faults.error(.signIn))
    case .refused(let kind): connection.end(search.faults.fault(.notPlayed(kind)))
    case .unknown: connection.end(search.faults.fault(.noAudio))
    case .sniffing, .empty: break
    }
    return .nothing
  }

  /// True if a web page seems to be that of the network, which replies instead of the station.
  private func isSignInPage(_ connection: StationConnection, _ intake: StreamIntake) -> Bool {
    if search.isLocal { return false }
    let isRedirected = (connection.transfer?.redirectCount ?? 0) > 0
    return isRedirected && connection.source.map { SignInPage.matches($0) } ?? false
      || SignInPage.matches(page: intake.gathered)
  }

  func ended(_ connection: StationConnection, _ end: TransferEnd, isLive: Bool, at now: MonotonicTime) -> SourceOutcome
  {
    if connection.verdict == nil { connection.finish() }
    output.settle()
    if let verdict = connection.verdict {
      // Further packets would be too long as well.
      if verdict.cause == .fewBlocks, search.hasPlayed { return .giveUp(verdict) }
      return .failed(verdict, mayPass: verdict.category == .timeoutExceeded || verdict.status >= 500)
    }
    let faults = search.faults
    guard let intake = connection.intake else {
      let isPassing = if case .failed(let error) = end { error.isWorthRetrying } else { true }
      return .failed(faults.brokenConnection(end), mayPass: isPassing)
    }
    _ = received(connection, at: now)
    if let verdict = connection.verdict { return .failed(verdict, mayPass: false) }
    switch intake.phase {
    case .playlist(let kind): return .list(kind, intake.gathered)
    case .segments where end != .complete: return .failed(faults.closedConnection(end), mayPass: true)
    case .segments: return .segments(intake.finishPlaylist())
    case .audio where isLive:
      return end == .complete && wasFile(connection) ? .whole : .failed(faults.closedConnection(end), mayPass: true)
    case .audio:
      // The byte offsets are unknown, so the rest cannot be requested.
      if case .failed = end { return .giveUp(faults.brokenConnection(end)) }
      return .whole
    case .empty where search.isLocal: return .failed(faults.fault(.noAudio), mayPass: false)
    case .empty: return .failed(faults.closedConnection(end), mayPass: true)
    default: return .failed(faults.fault(.noAudio), mayPass: false)
    }
  }

  private func announce(_ connection: StationConnection) {
    guard connections.isLead(connection), let intake = connection.intake, intake.delivered > .zero,
      !connection.isAnnounced, connection.verdict == nil, report.facts != nil
    else { return }
    connection.markAnnounced()
    search.recordPlayingAddress()
    if let trace = connection.trace { evidence.record(trace) }
    report.record(intake.form ?? .packed)
    report.reportConnected()
  }

  /// Returns true if a complete response proves that the station is a file (R1.5), and reports the new facts. The
  /// server does not support ranges, so only the received bytes are known.
  private func wasFile(_ connection: StationConnection) -> Bool {
    guard search.request.mode == .automatic, let trace = connection.trace, let intake = connection.intake,
      evidence.isFile(trace, sound: intake.delivered, in: connection.flowingTime), var told = report.facts
    else { return false }
    (told.isLive, told.duration) = (false, intake.delivered)
    report.record(told)
    report.reportConnected()
    return true
  }

  /// True if the data arrives as fast as a file: a reconnect would start the file again.
  func arrivesAsFile(_ connection: StationConnection) -> Bool {
    guard search.request.mode == .automatic, let trace = connection.trace, let intake = connection.intake else {
      return false
    }
    return evidence.arrivesLikeFile(trace, sound: intake.delivered, in: connection.flowingTime)
  }

  // MARK: Packets and titles

  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    if !connections.isLead(connection) {
      reconnector.replaceLead(by: connection)
    } else if !connection.isOver, !connections.isSettled || report.isInDoubt && connection.isAnnounced {
      reconnector.standDown(for: connection)
    }
    if let needed = output.blocksNeeded(for: info.byteCount) {
      return connection.end(search.faults.fault(.fewBlocks(needed: needed)))
    }
    report.recordPacket()
    if connection.markJoined() {
      report.clearSpareFault()
      output.join()
    }
    // The last packet may be processed long after its data arrived.
    output.accept(info, bytes, title, at: connection.lastData)
    connection.recordPacket()
    lastIntake = connection.intake
  }

  /// Place in an Ogg stream where the last packet of an earlier connection was accepted; nil without one.
  func place(before connection: StationConnection) -> OggPlace? {
    lastIntake === connection.intake ? nil : lastIntake?.place
  }

  /// The current position in the broadcast; nil before audio arrives or while a stitch is pending.
  func onAir(at now: MonotonicTime) -> OnAir? {
    guard let lead = connections.lead, lead.isAnnounced, lead.isJoined, !output.seeksPlace else { return nil }
    return OnAir(
      line: lead.id, settled: (lead.firstPacket ?? now) + Self.burst, lastData: lead.lastData, lag: lead.lag,
      time: output.time)
  }

  /// True if enough is buffered and data keeps arriving, so that a check every 200 ms suffices.
  var isAtEase: Bool {
    guard let lead = connections.lead, lead.isAnnounced, !lead.isPaused, connections.isSettled else { return false }
    return output.isAtEase
  }
}
