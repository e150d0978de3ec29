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
  private var linkGained: MonotonicTime?

  /// Time after a network change during which a connection may prove broken.
  private static let doubt = Duration(milliseconds: 30_000)

  init(_ engine: HttpEngine, _ search: StationSearch, _ output: ProgrammeOutput) {
    (self.engine, self.search, self.output) = (engine, search, output)
  }

  // MARK: State

  var lead: StationConnection? { lines.lead.flatMap { receptions[$0] } }

  var held: [StationConnection] {
    ([lines.lead].compactMap { $0 } + lines.spares).compactMap { receptions[$0] }.filter(\.isPaused)
  }

  /// True for the lead and the spares. Late events of other connections are ignored.
  func counts(_ reception: StationConnection) -> Bool { lines.contains(reception.id) }

  func leads(_ reception: StationConnection) -> Bool { lines.lead == reception.id }

  var isBusy: Bool { lines.isBusy }

  var isPlanned: Bool { lines.plan != nil }

  var isSettled: Bool { lines.isSettled }

  var state: ConnectionPlan.State { lines.state }

  // MARK: Opening

  /// Sends a request. The caller passes the connection to `begin` or `beginSpare`.
  func open(
    _ http: HttpRequest, _ part: FilePart, for router: AnswerRouter, at now: MonotonicTime
  ) throws(NetworkError) -> StationConnection {
    lastLine = lastLine.next
    let reception = StationConnection(router, lastLine, part, at: now)
    reception.begin(try engine.start(http, handler: reception))
    receptions[lastLine] = reception
    return reception
  }

  func begin(_ reception: StationConnection) { lines.connect(reception.line) }

  func beginSpare(_ reception: StationConnection, at now: MonotonicTime) {
    leave(lines.connectSpare(reception.line, at: now))
  }

  func plan(_ moment: MonotonicTime) { lines.plan(moment) }

  func unplan() { lines.unplan() }

  func hasten(to soonest: MonotonicTime) -> Bool { lines.hasten(to: soonest) }

  // MARK: Closing

  func lead(by reception: StationConnection) {
    lead?.flush()
    leave(lines.adopt(reception.id))
  }

  func loseLead(_ reception: StationConnection?) -> StationConnection? {
    let heir = lines.loseLead()
    leave(reception?.id)
    return heir.flatMap { receptions[$0] }
  }

  func loseSpare(_ reception: StationConnection) {
    lines.loseSpare(reception.id)
    leave(reception.id)
  }

  func dropSpares() { for id in lines.dropSpares() { leave(id) } }

  func close(toRest: Bool = false) { for id in lines.stop(toRest: toRest) { leave(id) } }

  private func leave(_ id: ConnectionID?) {
    guard let reception = id.flatMap({ receptions.removeValue(forKey: $0) }) else { return }
    if reception.bringsList { search.forgetList() }
    linkGained = nil
    if reception.isJoined { output.leave(lag: reception.lag) }
    reception.cancel()
  }

  // MARK: Time

  func step(at now: MonotonicTime, _ rules: ConnectionPlan.Rules) -> ConnectionPlan.Step? {
    note()
    return lines.step(at: now, rules)
  }

  func due(at now: MonotonicTime, _ rules: ConnectionPlan.Rules, look: Duration) -> MonotonicTime {
    note()
    return lines.due(at: now, rules, look: look)
  }

  func isStale(at now: MonotonicTime) -> Bool {
    note()
    return lines.isStale(at: now)
  }

  func hasFreshSpare(at now: MonotonicTime) -> Bool {
    note()
    return lines.hasFreshSpare(at: now)
  }

  private func note() { for reception in receptions.values { lines.note(reception.line) } }

  // MARK: The network

  func linkGained(at now: MonotonicTime) { linkGained = lead == nil ? nil : now }

  func forgetLink() { linkGained = nil }

  /// True if a recent network change may have broken the lead. The kernel may still deliver earlier data.
  func isDoubtful(at now: MonotonicTime) -> Bool { linkGained.map { now - $0 < Self.doubt } ?? false }
}
