import Http
import Units

/// Opens and closes the connections of a programme, as `ConnectionPlan` decides. Net thread only.
final class Connections {
  private let engine: HttpEngine
  private let search: StationSearch
  private let output: ProgrammeOutput
  private var lines = ConnectionPlan()
  private var receptions: [ConnectionID: StationConnection] = [:]
  private var lastLine = ConnectionID.none
  /// Time of the last new link, address or route; nil once the doubtful connection is closed.
  private var lastLinkGain: MonotonicTime?

  /// Time after a network change during which a connection may prove broken.
  private static let doubtDuration = Duration(milliseconds: 30_000)

  init(_ engine: HttpEngine, _ search: StationSearch, _ output: ProgrammeOutput) {
    (self.engine, self.search, self.output) = (engine, search, output)
  }

  // MARK: State

  var lead: StationConnection? { lines.lead.flatMap { receptions[$0] } }

  var paused: [StationConnection] {
    ([lines.lead].compactMap { $0 } + lines.spares).compactMap { receptions[$0] }.filter(\.isPaused)
  }

  /// True for the lead and the spares. Late events of other connections are ignored.
  func isActive(_ reception: StationConnection) -> Bool { lines.contains(reception.id) }

  func isLead(_ reception: StationConnection) -> Bool { lines.lead == reception.id }

  var isBusy: Bool { lines.isBusy }

  var isPlanned: Bool { lines.plan != nil }

  var isSettled: Bool { lines.isSettled }

  var state: ConnectionPlan.State { lines.state }

  // MARK: Opening

  /// Sends a request. The caller passes the connection to `begin` or `beginSpare`.
  func open(
    _ http: HttpRequest, _ part: FilePart, for router: ResponseRouter, at now: MonotonicTime
  ) throws(NetworkError) -> StationConnection {
    lastLine = lastLine.next
    let reception = StationConnection(router, lastLine, part, at: now)
    reception.begin(try engine.start(http, handler: reception))
    receptions[lastLine] = reception
    return reception
  }

  func begin(_ reception: StationConnection) { lines.connect(reception.line) }

  func beginSpare(_ reception: StationConnection, at now: MonotonicTime) {
    closeConnection(lines.connectSpare(reception.line, at: now))
  }

  func plan(_ moment: MonotonicTime) { lines.plan(moment) }

  func cancelPlan() { lines.cancelPlan() }

  func hasten(to soonest: MonotonicTime) -> Bool { lines.hasten(to: soonest) }

  // MARK: Closing

  func replaceLead(by reception: StationConnection) {
    lead?.flush()
    closeConnection(lines.adopt(reception.id))
  }

  func loseLead(_ reception: StationConnection?) -> StationConnection? {
    let heir = lines.loseLead()
    closeConnection(reception?.id)
    return heir.flatMap { receptions[$0] }
  }

  func loseSpare(_ reception: StationConnection) {
    lines.loseSpare(reception.id)
    closeConnection(reception.id)
  }

  func dropSpares() { for id in lines.dropSpares() { closeConnection(id) } }

  func close(toRest: Bool = false) { for id in lines.stop(toRest: toRest) { closeConnection(id) } }

  private func closeConnection(_ id: ConnectionID?) {
    guard let reception = id.flatMap({ receptions.removeValue(forKey: $0) }) else { return }
    if reception.bringsList { search.forgetList() }
    lastLinkGain = nil
    if reception.isJoined { output.endConnection(lag: reception.lag) }
    reception.cancel()
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

  private func updateLines() { for reception in receptions.values { lines.update(reception.line) } }

  // MARK: The network

  func recordLinkGain(at now: MonotonicTime) { lastLinkGain = lead == nil ? nil : now }

  func clearLinkGain() { lastLinkGain = nil }

  /// True if a recent network change may have broken the lead. The kernel may still deliver earlier data.
  func isDoubtful(at now: MonotonicTime) -> Bool { lastLinkGain.map { now - $0 < Self.doubtDuration } ?? false }
}
