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
  private var replay = FileReplay()
  /// True if the last connection with packets was to an ICY server.
  private var isIcy = false
  /// True if the server closed the last connection properly.
  private var hasCleanEnd = false
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

  func begin() {
    (evidence, lastIntake) = (FileEvidence(), nil)
    replay.reset()
  }

  /// True if known to be a station and not a file that looks like one.
  var isStation: Bool { evidence.isStation }

  /// True if a spare has repeated all packets of a file that were received so far.
  func hasRepeatedAll(_ connection: StationConnection) -> Bool { connection.repetition.map(replay.isWhole) ?? false }

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
      recordAbsence(end)
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
      return wasFile(connection, end) ? .whole : .failed(faults.closedConnection(end), mayPass: true)
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
    // A spare that repeats a file may become the lead without a new packet, and joins with the next packet.
    guard connections.isLead(connection), let intake = connection.intake, intake.delivered > .zero,
      connection.isJoined, !connection.isAnnounced, connection.verdict == nil, report.facts != nil
    else { return }
    connection.markAnnounced()
    search.recordPlayingAddress()
    if let trace = connection.trace { evidence.record(trace) }
    report.record(intake.form ?? .packed)
    report.reportConnected()
  }

  /// Returns true if the end of a response proves that the station is a file (R1.5), and reports the new facts. The
  /// server does not support ranges, so only the received bytes are known.
  private func wasFile(_ connection: StationConnection, _ end: TransferEnd) -> Bool {
    hasCleanEnd = end == .complete
    guard search.request.mode == .automatic, let trace = connection.trace, let intake = connection.intake,
      report.facts != nil
    else { return false }
    let isClean = end == .complete
    let replayed = endReplay(of: connection, trace, isClean: isClean)
    let isFile = isClean && evidence.isFile(trace, sound: intake.delivered, in: connection.flowingTime)
    guard isFile || replayed != .reconnect else { return false }
    if replayed == .short { report.reportFailure(search.faults.closedConnection(end)) }
    reportFile(intake)
    return true
  }

  /// Handles a silent connection. Returns true if further connections to a file would deliver no new packet, and
  /// reports the fault and the new facts.
  func endsEarly(_ connection: StationConnection, _ fault: PlaybackFault) -> Bool {
    guard search.request.mode == .automatic, let trace = connection.trace, let intake = connection.intake,
      report.facts != nil, endReplay(of: connection, trace, isClean: false) == .short
    else { return false }
    report.reportFailure(fault)
    reportFile(intake)
    return true
  }

  private func endReplay(of connection: StationConnection, _ trace: ResponseTrace, isClean: Bool) -> FileReplay.End {
    // A spare that became the lead without a new packet.
    if connection.isRepeating { join(connection) }
    return replay.end(isClean: isClean, of: trace)
  }

  private func reportFile(_ intake: StreamIntake) {
    guard var told = report.facts else { return }
    (told.isLive, told.duration) = (false, max(intake.delivered, replay.length))
    report.record(told)
    report.reportConnected()
  }

  /// Records a connection without a response. A station whose server was gone may return with its first packets.
  private func recordAbsence(_ end: TransferEnd) {
    guard isIcy else { return }
    switch end {
    case .complete, .failed(.refused), .failed(.reset), .failed(.closedEarly), .failed(.badAnswer): replay.restart()
    case .failed: break
    }
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
      if repeats(connection, info, bytes, title) { return }
      reconnector.replaceLead(by: connection)
    } else if !connection.isOver, !connections.isSettled || report.isInDoubt && connection.isAnnounced {
      reconnector.standDown(for: connection)
    }
    if let needed = output.blocksNeeded(for: info.byteCount) {
      return connection.end(search.faults.fault(.fewBlocks(needed: needed)))
    }
    report.recordPacket()
    join(connection)
    publish(connection, info, bytes, title)
    connection.recordPacket()
    lastIntake = connection.intake
  }

  /// Returns true if all packets of a spare were received before. The lead may still continue where it became silent,
  /// while the spare would have to catch up.
  private func repeats(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) -> Bool {
    let isFirst = connection.firstPacket == nil
    guard isFirst || connection.isRepeating, connections.lead?.firstPacket != nil,
      connection.trace?.isEndless == false, mayRepeat(connection),
      let repetition = replay.repetition(with: PacketPrint(of: bytes), info, after: connection.repetition)
    else { return false }
    connection.recordRepetition(repetition, title)
    connection.recordPacket()
    if isFirst { connections.cancelPlan() }
    return true
  }

  /// Records that a connection continues the buffered packets of a station, as their new lead. The caller publishes the
  /// packets that were received so far.
  func proceed(with connection: StationConnection) {
    _ = connection.markJoined()
    report.clearSpareFault()
    replay.pause()
    output.endOpening()
    hasCleanEnd = false
    isIcy = connection.trace?.isIcy == true
    lastIntake = connection.intake
  }

  /// Compares the packets of a lead with those of a file that may be repeated, or joins them to the buffer.
  private func join(_ connection: StationConnection) {
    guard connection.markJoined() else { return }
    report.clearSpareFault()
    let mayRepeat = mayRepeat(connection)
    if !mayRepeat { replay.pause() }
    // A station that fell silent or broke may have restarted with its first packets.
    if connection.trace?.isEndless == true, !hasCleanEnd { replay.restart() }
    hasCleanEnd = false
    if connection.isRepeating { output.endOpening() } else { output.beginOpening() }
    if mayRepeat, replay.begin(after: connection.repetition) {
      output.settle()
    } else {
      output.join(byAudio: search.hasAlternatives)
    }
    isIcy = connection.trace?.isIcy == true
  }

  /// True for plain packets of a response without a length, or without the headers of a station.
  private func mayRepeat(_ connection: StationConnection) -> Bool {
    guard search.request.mode == .automatic, connection.isTakenForLive, !output.sendsPreroll,
      let trace = connection.trace, let intake = connection.intake
    else { return false }
    return (!trace.isIcy || !trace.isLengthKnown) && (intake.form == nil || intake.form == .packed)
  }

  private func publish(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    // The last packet may be processed long after its data arrived.
    let time = connection.lastData
    let step = replay.offer(PacketPrint(of: bytes), info, isLast: connection.isOver)
    if step == .drop {
      output.pass(info, bytes)
      return connection.recordRepetition(replay.repetition, title)
    }
    let dropped = connection.endRepetition()
    let title = title ?? dropped
    switch step {
    case .publish: output.accept(info, bytes, title, at: time)
    case .drop: break
    case .join:
      output.join(byAudio: search.hasAlternatives)
      output.accept(info, bytes, title, at: time)
    case .proceed(let overlap, let isExact):
      var next = info
      next.followsGap = !isExact
      report.send(.stitched(Stitch(overlap: overlap, lost: .zero, isExact: isExact, isEstimated: false)))
      output.accept(next, bytes, title, at: time)
    }
  }

  /// Place in an Ogg stream where the last packet of an earlier connection was accepted; nil without one.
  func place(before connection: StationConnection) -> OggPlace? {
    lastIntake === connection.intake ? nil : lastIntake?.place
  }

  /// The current position in the broadcast; nil before audio arrives or while a stitch is pending.
  func onAir(at now: MonotonicTime) -> OnAir? {
    guard let lead = connections.lead, lead.isAnnounced, lead.isJoined, !output.seeksPlace, !lead.isRepeating else {
      return nil
    }
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
