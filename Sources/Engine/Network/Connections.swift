import Units

/// The connections of what is on: it makes and closes them, as `Lines` decides. The net thread's.
///
/// Each moment is given by the caller.
final class Connections {
  private let engine: HttpEngine
  private let search: StationSearch
  private let output: ProgrammeOutput
  /// Which there are, and when the next one is tried.
  private var lines = Lines()
  /// The connections themselves.
  private var receptions: [LineID: Reception] = [:]
  /// The connection that was made last.
  private var lastLine = LineID.none
  /// When the machine got a link, an address or a route last, until the connection that it may have broken is left.
  private var linkGained: MonotonicTime?

  /// So long after the network has changed a connection may turn out to be broken.
  private static let doubt = Duration(milliseconds: 30_000)

  /// The connections to the addresses of `search`, by `engine`; `output` takes what comes.
  init(_ engine: HttpEngine, _ search: StationSearch, _ output: ProgrammeOutput) {
    (self.engine, self.search, self.output) = (engine, search, output)
  }

  // MARK: What there is

  /// The connection whose packets are taken; nil where there is none.
  var lead: Reception? { lines.lead.flatMap { receptions[$0] } }

  /// Those that are held up, the one first whose packets are taken.
  var held: [Reception] {
    ([lines.lead].compactMap { $0 } + lines.spares).compactMap { receptions[$0] }.filter(\.isPaused)
  }

  /// Whether a connection is still listened to; an older one's last words are not heard.
  func counts(_ reception: Reception) -> Bool { lines.contains(reception.id) }

  /// Whether it is the one whose packets are taken.
  func leads(_ reception: Reception) -> Bool { lines.lead == reception.id }

  /// Whether there is one, or will be.
  var isBusy: Bool { lines.isBusy }

  /// Whether one is planned.
  var isPlanned: Bool { lines.plan != nil }

  /// Whether nothing is tried beside the one that leads, or will be.
  var isSettled: Bool { lines.isSettled }

  /// What they are doing.
  var state: Lines.State { lines.state }

  // MARK: Making them

  /// Asks for something; what comes of it is a connection as soon as it `begins`, or is tried beside another.
  ///
  /// - Parameter router: What takes what comes of it.
  func open(
    _ http: HttpRequest, _ part: FilePart, for router: AnswerRouter, at now: MonotonicTime
  ) throws(NetworkError) -> Reception {
    lastLine = lastLine.next
    let reception = Reception(router, lastLine, part, at: now)
    reception.begin(try engine.start(http, handler: reception))
    receptions[lastLine] = reception
    return reception
  }

  /// It is the only one.
  func begin(_ reception: Reception) { lines.connect(reception.line) }

  /// It is tried beside the silent one; one may give way to it.
  func beginSpare(_ reception: Reception, at now: MonotonicTime) {
    leave(lines.connectSpare(reception.line, at: now))
  }

  /// Another one is made then, which may be the only one.
  func plan(_ moment: MonotonicTime) { lines.plan(moment) }

  /// Nothing is planned beside the one that leads any more.
  func unplan() { lines.unplan() }

  /// What is planned comes no later than that; false where nothing is.
  func hasten(to soonest: MonotonicTime) -> Bool { lines.hasten(to: soonest) }

  // MARK: Leaving them

  /// Its packets are taken from now on; the one that led is closed, and so are all others.
  func lead(by reception: Reception) {
    lead?.flush()
    leave(lines.adopt(reception.id))
  }

  /// The one that leads is gone, and closed; the one that leads now, if there is one.
  func loseLead(_ reception: Reception?) -> Reception? {
    let heir = lines.loseLead()
    leave(reception?.id)
    return heir.flatMap { receptions[$0] }
  }

  /// One beside it is gone, and closed.
  func loseSpare(_ reception: Reception) {
    lines.loseSpare(reception.id)
    leave(reception.id)
  }

  /// Closes all that are tried beside the one that leads.
  func dropSpares() { for id in lines.dropSpares() { leave(id) } }

  /// Closes all, and plans none, for good or to rest.
  func close(toRest: Bool = false) { for id in lines.stop(toRest: toRest) { leave(id) } }

  /// Lets go of one that is none of `lines` any more, and remembers how far behind it was. A list that it brings is not
  /// timed any more.
  private func leave(_ id: LineID?) {
    guard let reception = id.flatMap({ receptions.removeValue(forKey: $0) }) else { return }
    if reception.bringsList { search.forgetList() }
    linkGained = nil
    if reception.isJoined { output.leave(lag: reception.lag) }
    reception.cancel()
  }

  // MARK: Time

  /// The next step at a moment; nil: none before `due`.
  func step(at now: MonotonicTime, _ rules: Lines.Rules) -> Lines.Step? {
    note()
    return lines.step(at: now, rules)
  }

  /// When `step` is to be called next, if nothing else happens; a server that waits is looked at every `look`.
  func due(at now: MonotonicTime, _ rules: Lines.Rules, look: Duration) -> MonotonicTime {
    note()
    return lines.due(at: now, rules, look: look)
  }

  /// Whether the one that leads is silent, and may be given up for another one now that the network has changed.
  func isStale(at now: MonotonicTime) -> Bool {
    note()
    return lines.isStale(at: now)
  }

  /// Whether the newest of those beside it has brought something just now.
  func hasFreshSpare(at now: MonotonicTime) -> Bool {
    note()
    return lines.hasFreshSpare(at: now)
  }

  /// Lets `lines` know what they are like now.
  private func note() { for reception in receptions.values { lines.note(reception.line) } }

  // MARK: The network

  /// The machine got a link, an address or a route.
  func linkGained(at now: MonotonicTime) { linkGained = lead == nil ? nil : now }

  /// What is known of the network is known of another connection.
  func forgetLink() { linkGained = nil }

  /// Whether a connection may have been broken by a change of the network: what comes may be what the kernel had
  /// before.
  func isDoubtful(at now: MonotonicTime) -> Bool { linkGained.map { now - $0 < Self.doubt } ?? false }
}
