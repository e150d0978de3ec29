import Http
import Units

/// Opens and closes the connections of a programme, as `ConnectionPlan` decides. Net thread only.
final class Connections {
  private let context: ProgrammeContext
  private var lines = ConnectionPlan()
  private var opened: [ConnectionID: StationConnection] = [:]
  private var lastLine = ConnectionID.none
  /// A connection in parallel to the lead, unknown to the plan (F2).
  private var secondLine: ConnectionID?
  /// A connection to a source with another bit rate, unknown to the plan (F6).
  private var probeLine: ConnectionID?
  /// Time of the last new link, address or route; nil once the doubtful connection is closed.
  private var lastLinkGain: MonotonicTime?

  /// Maximum number of connections to one host, for a station with several addresses.
  private static let maxPerHost = 2
  /// Time after a network change during which a connection may prove broken.
  private static let doubtDuration = Duration(milliseconds: 30_000)

  init(_ context: ProgrammeContext) { self.context = context }

  // MARK: State

  var lead: StationConnection? { lines.lead.flatMap { opened[$0] } }

  var paused: [StationConnection] {
    ([lines.lead].compactMap { $0 } + lines.spares).compactMap { opened[$0] }.filter(\.isPaused)
  }

  func isLead(_ connection: StationConnection) -> Bool { lines.lead == connection.id }

  func hasSpare(to address: WebAddress) -> Bool {
    lines.spares.contains { opened[$0]?.candidate.address.url == address.url }
  }

  var second: StationConnection? { secondLine.flatMap { opened[$0] } }

  var probe: StationConnection? { probeLine.flatMap { opened[$0] } }

  var hasSpares: Bool { !lines.spares.isEmpty }

  var isBusy: Bool { lines.isBusy }

  var isPlanned: Bool { lines.plan != nil }

  var isSettled: Bool { lines.isSettled }

  var state: ConnectionPlan.State { lines.state }

  // MARK: Opening

  /// Sends a request. The caller passes the connection to `begin` or `beginSpare`.
  func open(
    _ http: HttpRequest, _ part: FilePart, to candidate: Candidates.Candidate, for client: any ConnectionClient,
    at now: MonotonicTime
  ) throws(NetworkError) -> StationConnection {
    lastLine = lastLine.next
    let connection = StationConnection(client, lastLine, part, to: candidate, at: now)
    connection.begin(try context.engine.start(http, handler: connection))
    opened[lastLine] = connection
    return connection
  }

  func begin(_ connection: StationConnection) { lines.connect(connection.line) }

  func beginSpare(_ connection: StationConnection, at now: MonotonicTime) {
    closeConnection(lines.connectSpare(connection.line, at: now))
  }

  func beginSecond(_ connection: StationConnection) { secondLine = connection.id }

  func beginProbe(_ connection: StationConnection) { probeLine = connection.id }

  func plan(_ moment: MonotonicTime) { lines.plan(moment) }

  func cancelPlan() { lines.cancelPlan() }

  func hasten(to soonest: MonotonicTime) -> Bool { lines.hasten(to: soonest) }

  // MARK: Closing

  func replaceLead(by connection: StationConnection) {
    lead?.flush()
    closeConnection(lines.adopt(connection.id))
  }

  func loseLead(_ connection: StationConnection?) -> StationConnection? {
    let heir = lines.loseLead()
    closeConnection(connection?.id)
    return heir.flatMap { opened[$0] }
  }

  func loseSpare(_ connection: StationConnection) {
    lines.loseSpare(connection.id)
    closeConnection(connection.id)
  }

  /// Makes the second connection the lead. `keepsLead`: the former lead becomes the second connection, else it closes.
  func leadBySecond(keepsLead: Bool) {
    guard let second else { return }
    dropSpares()
    let former = lines.lead
    lines.connect(second.line)
    secondLine = keepsLead ? former : nil
    if !keepsLead { closeConnection(former) }
  }

  /// Makes the probe the lead.
  func leadByProbe() {
    guard let probe else { return }
    dropSpares()
    let former = lines.lead
    lead?.flush()
    lines.connect(probe.line)
    probeLine = nil
    closeConnection(former)
  }

  /// Closes the spares and the second connection to a host that already has `maxPerHost` connections.
  func makeRoom(onHost host: String) {
    let others = opened.values.filter { $0.candidate.address.host == host }
    guard others.count >= Self.maxPerHost else { return }
    for connection in others where !isLead(connection) { loseSpare(connection) }
  }

  func dropSpares() { for id in lines.dropSpares() { closeConnection(id) } }

  func closeSecond() { closeConnection(secondLine.take(), isCharged: false) }

  func closeProbe() { closeConnection(probeLine.take(), isCharged: false) }

  func close(toRest: Bool = false) {
    closeProbe()
    closeSecond()
    for id in lines.stop(toRest: toRest) { closeConnection(id) }
  }

  /// `isCharged`: false if the data must not delay the next try of the lead.
  private func closeConnection(_ id: ConnectionID?, isCharged: Bool = true) {
    guard let connection = id.flatMap({ opened.removeValue(forKey: $0) }) else { return }
    if connection.bringsList { context.search.forgetList() }
    lastLinkGain = nil
    if isCharged { context.search.recordCost(of: connection) }
    if connection.isJoined { context.output.endConnection(lag: connection.lag) }
    connection.leave()
  }

  // MARK: Time

  func step(at now: MonotonicTime, _ rules: ConnectionPlan.Rules) -> ConnectionPlan.Step? {
    updateLines()
    return lines.step(at: now, rules)
  }

  func due(at now: MonotonicTime, _ rules: ConnectionPlan.Rules, look: Duration) -> MonotonicTime {
    updateLines()
    return lines.due(at: now, rules, look: look)
  }

  func isStale(at now: MonotonicTime) -> Bool {
    updateLines()
    return lines.isStale(at: now)
  }

  func hasFreshSpare(at now: MonotonicTime) -> Bool {
    updateLines()
    return lines.hasFreshSpare(at: now)
  }

  private func updateLines() { for connection in opened.values { lines.update(connection.line) } }

  // MARK: The network

  func recordLinkGain(at now: MonotonicTime) { lastLinkGain = lead == nil ? nil : now }

  func clearLinkGain() { lastLinkGain = nil }

  /// True if a recent network change may have broken the lead. The kernel may still deliver earlier data.
  func isDoubtful(at now: MonotonicTime) -> Bool { lastLinkGain.map { now - $0 < Self.doubtDuration } ?? false }
}
