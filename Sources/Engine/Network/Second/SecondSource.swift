import Blocks
import Framing
import Http
import Units

/// The second connection of a live station (F2): received in parallel, it replaces a lead that fails. Net thread only.
final class SecondSource {
  private let context: ProgrammeContext
  private let connections: Connections
  private let stream: ReceivedStream
  private var rule = SecondSourceRule()
  private var plan = SecondPlan()
  /// The last failed lead, with the time of its last data: one failure may be noticed twice.
  private var counted: (line: ConnectionID, lastData: MonotonicTime)?
  /// Time of a refusal that the lead has survived so far.
  private var refusal: MonotonicTime?
  /// The delay that the server of the last refusal requested, or that its data requires.
  private var delay = Duration.zero
  /// Number of bytes of the connection before its first audio.
  private var headerByteCount = 0
  private var lastComparison = MonotonicTime.zero
  /// The lead, with the time of its last data, and the longest silence between data.
  private var delivery: (line: ConnectionID, lastData: MonotonicTime)?
  private var longestSilence = Duration.zero
  /// The reported address of the second connection.
  private var reported: String?
  /// True while this programme has a second connection, or its packets are in the window.
  private var isOpen = false

  /// Minimum and maximum silence of a lead before the second connection replaces it. The maximum precedes a spare.
  private static let silence = (least: 0.5, most: 2.5)
  /// Audio that must stay buffered while a lead is silent, in seconds.
  private static let reserve = StreamTime(seconds: 0.5)
  /// Buffered audio with which a failed lead is tried once more, if the join to the second connection is not exact.
  private static let ease = StreamTime(seconds: 2)
  /// Maximum audio in excess of real time: a larger burst is a file.
  private static let maxLead = StreamTime(seconds: 90)
  private static let fileDelay = Duration(seconds: 600)
  /// Number of bytes without audio after which the next try waits for `headerDelay`.
  private static let maxHeaderByteCount = 262_144
  /// Maximum time to the first packet.
  private static let maxHeaderTime = Duration(seconds: 20)
  private static let headerDelay = Duration(seconds: 60)
  private static let comparisonInterval = Duration(milliseconds: 100)
  /// Age from which a silent connection probably stalled.
  private static let youth = Duration(seconds: 10)
  /// Time after the first packet of a lead, before a second connection is tried.
  private static let settling = Duration(milliseconds: 1_000)

  init(_ context: ProgrammeContext, _ connections: Connections, _ stream: ReceivedStream) {
    self.context = context
    self.connections = connections
    self.stream = stream
  }

  private var now: MonotonicTime { context.now }

  private var search: StationSearch { context.search }

  private var output: ProgrammeOutput { context.output }

  // MARK: The programme

  /// Sets the rule for this programme and further ones.
  func use(_ rule: SecondSourceRule) {
    self.rule = rule
    plan.use(rule.use)
  }

  func begin(seed: UInt64) {
    close()
    reported = nil
    plan.begin(rule.use, seed: seed)
    (counted, refusal, delay) = (nil, nil, .zero)
    (delivery, longestSilence) = (nil, .zero)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    connections.closeSecond()
    context.secondWindow?.removeAll()
  }

  private func fail() {
    rate(connections.second)
    plan.recordFailedTry(at: now, delay: delay)
    delay = .zero
    close()
  }

  /// Restarts the tries each second after a connection that delivered for some seconds.
  private func rate(_ second: StationConnection?) {
    guard let second, second.wasGood(at: now) else { return }
    plan.restartEagerPhase()
  }

  private func failSilent(_ second: StationConnection) {
    // A server that sends several seconds at once is silent soon after the start. A dead one sends no packet.
    if second.firstPacket == nil {
      if now - second.began >= Self.maxHeaderTime { delay = Self.headerDelay }
    } else {
      longestSilence = now - second.began < Self.youth ? max(longestSilence, now - second.lastData) : .zero
    }
    fail()
  }

  // MARK: Time

  /// True if the programme may have a second connection now.
  private var isAllowed: Bool {
    guard let window = context.secondWindow, plan.isWanted(at: now), output.isHeard, !output.digest.isOver,
      !search.playsLowerRate
    else { return false }
    return window.allowsData(rule.maxBytesPerDay, at: now)
  }

  func poll(_ source: any ProgrammeSource) {
    guard rule.use != .never || isOpen else { return }
    update(source)
    let hasAudio = context.secondWindow?.isEmpty == false
    let url = hasAudio ? connections.second?.facts?.url : nil
    guard url != reported else { return }
    reported = url
    context.report.send(.second(url: url))
  }

  private func update(_ source: any ProgrammeSource) {
    guard source.isLive, isAllowed else { return close() }
    if let refusal, let lead = connections.lead, lead.lastData > refusal {
      self.refusal = nil
      search.observe { $0.recordData() }
    }
    guard let second = connections.second else {
      close()
      if let moment = nextTry, now >= moment { connect() }
      return
    }
    recordDelivery()
    if now >= deadline(of: second) { return failSilent(second) }
    if let moment = nextComparison, now >= moment { compare(with: second, source) }
  }

  /// Time for the next `poll`.
  func due(_ source: any ProgrammeSource) -> MonotonicTime {
    guard rule.use != .never, source.isLive, isAllowed else { return .never }
    guard let second = connections.second else { return nextTry ?? .never }
    return min(deadline(of: second), nextComparison ?? .never)
  }

  /// Time at which a silent second connection is given up: sooner if the lead delivers.
  private func deadline(of second: StationConnection) -> MonotonicTime {
    // Some servers send bytes for ever, and no audio.
    guard second.firstPacket != nil else {
      return min(second.began + Self.maxHeaderTime, second.lastData + silence(of: second))
    }
    return second.lastData + silence(of: second)
  }

  /// Maximum silence of a second connection.
  private func silence(of second: StationConnection) -> Duration {
    let timeout = search.request.dataTimeout
    guard let lead = connections.lead, lead.lastData > second.lastData else { return timeout }
    // Some servers send several seconds at once.
    return min(timeout, max(Duration(seconds: Self.silence.most), longestSilence + longestSilence))
  }

  private func recordDelivery() {
    guard let lead = connections.lead else { return }
    if let delivery, delivery.line == lead.id {
      longestSilence = max(longestSilence, lead.lastData - delivery.lastData)
    }
    delivery = (lead.id, lead.lastData)
  }

  /// Time of the next try; nil unless the lead is that of a station and delivers.
  private var nextTry: MonotonicTime? {
    guard let lead = connections.lead, lead.isAnnounced, connections.isSettled, !lead.isRepeating, !lead.isPaused,
      !search.isLocal,
      connections.probe == nil, let first = lead.firstPacket, lead.facts?.mayBeFile != true || stream.isStation,
      !stream.arrivesAsFile(lead),
      search.secondSource(plan.failureCount) != nil
    else { return nil }
    return max(first + Self.settling, plan.nextTry, search.retries.earliestTry(after: first))
  }

  private func connect() {
    guard let candidate = search.secondSource(plan.failureCount) else { return }
    plan.recordTry(at: now)
    search.retries.recordSecondTry(at: now)
    var http = search.plainRequest(to: candidate)
    http.wantsIcyMetadata = true
    headerByteCount = 0
    isOpen = true
    do throws(NetworkError) {
      let connection = try connections.open(http, FilePart(), to: candidate, for: self, at: now)
      connections.beginSecond(connection)
      if search.isSameServer(candidate) { search.observe { $0.recordSpare(at: now) } }
    } catch {
      fail()
    }
  }

  // MARK: Replacing the lead

  /// Silence of the lead that the buffered audio allows.
  private var allowedSilence: Duration {
    Duration(seconds: max(Self.silence.least, min(Self.silence.most, (output.ahead - Self.reserve).seconds)))
  }

  /// Time of the next comparison of the packets; nil while the lead delivers or the second connection does not.
  private var nextComparison: MonotonicTime? {
    guard let second = connections.second, second.bringsAudio, context.secondWindow?.isEmpty == false else {
      return nil
    }
    guard let lead = connections.lead, lead.isJoined else { return lastComparison + Self.comparisonInterval }
    guard !lead.isPaused, second.lastData > lead.lastData else { return nil }
    return max(lead.lastData + allowedSilence, lastComparison + Self.comparisonInterval)
  }

  private func compare(with second: StationConnection, _ source: any ProgrammeSource) {
    lastComparison = now
    guard let lead = connections.lead, lead.isJoined else {
      _ = replace(connections.lead, after: context.faults.fault(.noAudio), source, mayWait: true)
      return
    }
    guard let window = context.secondWindow, case .joined = output.proceed(with: window, at: now) else { return }
    recordFailure(of: lead)
    search.observe { $0.recordLoss() }
    lead.leaveLead(to: self)
    promote(second, to: source, keepsLead: true)
  }

  /// Replaces a lead that failed or is silent. Returns false if the lead should be tried once more. `mayWait`: false
  /// after a failed try, when even a join that is not exact is better.
  func replace(
    _ lead: StationConnection?, after fault: PlaybackFault, _ source: any ProgrammeSource, mayWait: Bool
  ) -> Bool {
    guard rule.use != .never else { return false }
    recordFailure(of: lead)
    guard let second = connections.second, let window = context.secondWindow, isOpen else { return false }
    let isDisplaced = displaces(second, fault)
    guard second.bringsAudio && !window.isEmpty || isDisplaced else { return false }
    let join = output.proceed(with: window, at: now)
    if join == .unknown, mayWait, output.ahead >= Self.ease, !isDisplaced { return false }
    search.observe { fault.cause == .disconnected ? $0.recordEnd(at: now) : $0.recordLoss() }
    if case .joined = join {
      promote(second, to: source, keepsLead: false)
    } else {
      adopt(second, isBehind: join == .behind, window, source)
    }
    return true
  }

  /// True if a server probably ended the lead because of the second connection.
  private func displaces(_ second: StationConnection, _ fault: PlaybackFault) -> Bool {
    fault.cause == .disconnected && search.isSameServer(second.candidate)
      && now - second.began <= SoleConnection.maxDelay
  }

  private func promote(_ second: StationConnection, to source: any ProgrammeSource, keepsLead: Bool) {
    rate(second)
    second.client = source
    stream.proceed(with: second)
    connections.leadBySecond(keepsLead: keepsLead)
    output.endConnection(lag: 0)
    search.select(second.candidate)
    context.report.record(second.facts)
    context.secondWindow?.removeAll()
    isOpen = keepsLead
    if !keepsLead { plan.recordTry(at: now) }
  }

  /// Joins the packets of the second connection to the buffered ones like those of a spare.
  private func adopt(
    _ second: StationConnection, isBehind: Bool, _ window: SecondWindow, _ source: any ProgrammeSource
  ) {
    rate(second)
    second.client = source
    connections.leadBySecond(keepsLead: false)
    search.select(second.candidate)
    context.report.record(second.facts)
    isOpen = false
    plan.recordTry(at: now)
    guard !window.isEmpty else { return }
    stream.proceed(with: second)
    output.join(comeAgain: isBehind)
    for (title, _, _) in window.titles(after: .zero) { output.accept(title) }
    window.forEachPacket { output.accept($0, $1, nil, at: now) }
    window.removeAll()
  }

  /// Counts a failure of a lead that delivered audio.
  func recordFailure(of lead: StationConnection?) {
    guard let lead, lead.isJoined else { return }
    if let counted, counted.line == lead.id, counted.lastData == lead.lastData { return }
    counted = (lead.id, lead.lastData)
    plan.recordFailure(at: now)
  }
}

extension SecondSource: ConnectionClient {
  func addRange(_ http: inout HttpRequest) -> Int? { nil }

  func handleHead(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict {
    connection.answered(head, at: now)
    guard head.status < 400 else {
      delay = Duration(seconds: Double(max(0, min(300, head.retryAfter(at: context.engine.clock.wallSeconds()) ?? 0))))
      // Status 503 at another address of the server may have another reason.
      if search.isCurrent(connection.candidate) || search.isSameServer(connection.candidate) && head.status != 503 {
        refusal = now
        search.observe { $0.recordRefusal(head.status) }
      }
      return .stop
    }
    guard search.isLive(head) else { return .stop }
    stream.answered(connection, head, isLive: true, isKnown: true)
    return .go
  }

  func admission(of connection: StationConnection) -> Admission {
    connection.recordActivity(at: now)
    return connection.isSpent ? .end(context.faults.fault(.noAudio)) : .accept
  }

  func handleBytes(_ connection: StationConnection, byteCount: Int) {
    context.secondWindow?.recordBytes(byteCount, at: now)
    switch connection.intake?.phase {
    case .audio where connection.deliveryLead(at: now) > Self.maxLead:
      delay = Self.fileDelay
      connection.end(context.faults.fault(.noAudio))
    case .audio:
      if connection.intake.map({ $0.delivered > ReconnectPolicy.proof }) == true { plan.recordSuccess() }
    case .sniffing, nil:
      // Headers without audio are received at the speed of the line.
      headerByteCount += byteCount
      if headerByteCount > Self.maxHeaderByteCount { delay = Self.headerDelay }
    // A list, or no audio.
    default: connection.end(context.faults.fault(.noAudio))
    }
  }

  func handleEnd(_ connection: StationConnection, _ end: TransferEnd) {
    if connection.id == connections.second?.id { fail() }
  }

  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    connection.recordPacket()
    context.secondWindow?.append(info, bytes, title) { output.makeRoom($0) }
  }

  func number(of setup: CodecSetup) -> UInt8 { output.number(of: setup) }

  func place(before connection: StationConnection) -> OggPlace? { nil }
}
