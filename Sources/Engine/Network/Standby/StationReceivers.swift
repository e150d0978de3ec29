import Blocks
import Http
import Units

/// The heard programme, and programmes on standby that are received in advance (B5). Net thread only.
final class StationReceivers {
  private(set) var heard: StreamSession
  private var standbys: [StandbyProgramme] = []
  /// Sessions with a standby ring and without a programme.
  private var idle: [StreamSession] = []
  private var plan = PrefetchPlan()
  private var hold: HoldRule
  private let sole = SoleStations()
  private let engine: HttpEngine
  private let board: UnsafePointer<StatusBoard>
  /// The request of the heard programme.
  private var request: StationRequest?
  /// A programme that starts when the plan allows a connection.
  private var waiting: (request: StationRequest, epoch: UInt32)?

  /// Interval between updates of the standby programmes' positions.
  private static let interval = Duration(milliseconds: 500)
  private var nextUpdate = MonotonicTime.zero

  /// `onPackets` is called for packets that a reader awaits.
  init(_ engine: HttpEngine, _ memory: NetMemory, _ hold: HoldRule, onPackets: @escaping () -> Void) {
    (self.engine, self.hold) = (engine, hold)
    board = memory.board
    let rings = [nil] + memory.standbyRings.map { Optional($0) }
    let window = memory.secondRing.map { SecondWindow($0) }
    let sessions = rings.enumerated().map { [sole] number, ring in
      let search = StationSearch(sole, programme: number)
      let context = ProgrammeContext(engine, memory, search, standby: ring, window, onPackets: onPackets)
      return StreamSession(context, hold)
    }
    heard = sessions[0]
    idle = Array(sessions[1...])
    for session in sessions {
      session.context.output.lender = { [unowned self] in heard.context.output.makeRoom($0) }
    }
  }

  private var now: MonotonicTime { engine.clock.now() }

  private var goal: StreamTime { hold.start(isLive: true) }

  // MARK: Commands

  /// Starts a programme. A station on standby is heard at once. The previous station goes on standby if it plays.
  func tune(_ request: StationRequest, epoch: UInt32) {
    let now = now
    let previous = self.request
    self.request = request
    waiting = nil
    plan.recordChange(to: request, at: now)
    guard plan.isActive else { return heard.tune(request, epoch: epoch) }
    if let place = standbys.firstIndex(where: { $0.request == request }) {
      countBytes(ofProgramme: place, at: now)
      let chosen = standbys.remove(at: place)
      if chosen.isReady(goal: goal) { return exchange(with: chosen.session, previous, epoch, at: now) }
      free(chosen.session)
    }
    // The first choice is received on, even if the next connection must wait.
    if let previous, previous != request, now >= plan.nextStart || previous == plan.rule.firstChoice,
      heard.isReady(goal: .zero), let session = idleSession(evictsNeighbour: true)
    {
      exchange(with: session, previous, epoch, at: now)
    }
    if now < plan.nextStart {
      heard.stop()
      heard.clear(epoch: epoch)
      return waiting = (request, epoch)
    }
    begin(request, epoch, at: now)
  }

  private func begin(_ request: StationRequest, _ epoch: UInt32, at now: MonotonicTime) {
    plan.recordStart(at: now)
    heard.tune(request, epoch: epoch)
  }

  /// Makes a session on standby the heard one. The previous one goes on standby, or ends if it does not play.
  private func exchange(
    with session: StreamSession, _ previous: StationRequest?, _ epoch: UInt32, at now: MonotonicTime
  ) {
    let left = heard
    let playhead = left.playhead(at: now)
    let isPlaying = left.isReady(goal: .zero)
    left.exchange(with: session, epoch: epoch)
    if request?.externalMetadata.isBegun == true { session.requestTitles(true) }
    heard = session
    guard let previous, let playhead, isPlaying, previous != request else { return free(left) }
    standbys.append(StandbyProgramme(previous, left, playhead))
    plan.recordLeaving(previous, at: now)
  }

  /// Returns a session without a programme. If all sessions are used, a station that was left makes room, or with
  /// `evictsNeighbour` the first neighbour. The first choice stays, because it is heard next.
  private func idleSession(evictsNeighbour: Bool) -> StreamSession? {
    if idle.isEmpty {
      let others = standbys.indices.filter { standbys[$0].request != plan.rule.firstChoice }
      let left = others.first { !plan.rule.requests.contains(standbys[$0].request) }
      if let place = left ?? (evictsNeighbour ? others.first : nil) { release(at: place) }
    }
    return idle.popLast()
  }

  func stop() {
    (waiting, request) = (nil, nil)
    heard.stop()
    plan.recordStop()
    // The first choice may be about to play.
    for place in standbys.indices.reversed() where standbys[place].request != plan.rule.firstChoice {
      release(at: place)
    }
  }

  /// Sets the stations to receive in advance. Without standby rings, nothing is received in advance.
  func use(_ rule: PrefetchRule) { plan.use(idle.isEmpty && standbys.isEmpty ? PrefetchRule() : rule) }

  func use(_ hold: HoldRule) {
    self.hold = hold
    for session in [heard] + idle + standbys.map(\.session) { session.use(hold) }
  }

  func use(_ rule: SecondSourceRule) {
    for session in [heard] + idle + standbys.map(\.session) { session.use(rule) }
  }

  /// Replaces all connections after the machine has slept.
  func replaceConnections() {
    releaseAll()
    heard.replaceConnections()
  }

  func linkChanged(_ changes: LinkChanges) {
    heard.linkChanged(changes)
    for standby in standbys { standby.session.linkChanged(changes) }
    if changes.contains(.gained) { plan.forgetRefusals() }
  }

  // MARK: Ends

  private func release(at place: Int) {
    countBytes(ofProgramme: place, at: now)
    free(standbys.remove(at: place).session)
  }

  private func free(_ session: StreamSession) {
    session.stop()
    session.clear(epoch: 0)
    idle.append(session)
  }

  private func releaseAll() {
    while !standbys.isEmpty { release(at: 0) }
  }

  // MARK: Time

  /// True if the programme waits for its connection. Other orders than a new programme or a stop must wait too.
  var isWaiting: Bool { waiting != nil }

  func poll() {
    let now = now
    if let next = waiting, now >= plan.nextStart {
      waiting = nil
      begin(next.request, next.epoch, at: now)
    }
    defer { publishFirstChoice() }
    heard.poll()
    for standby in standbys { standby.session.poll() }
    guard plan.isActive || !standbys.isEmpty else { return }
    if now >= nextUpdate { update(at: now) }
    startNext(at: now)
  }

  /// Moves the positions of the standby programmes, and ends the unneeded programmes.
  private func update(at now: MonotonicTime) {
    nextUpdate = now + Self.interval
    for place in standbys.indices.reversed() {
      standbys[place].update(goal: goal, at: now)
      countBytes(ofProgramme: place, at: now)
      let (request, isOver) = (standbys[place].request, standbys[place].isOver)
      if isOver { plan.recordRefusal(of: request, at: now) }
      if isOver || !plan.keeps(request, at: now) { release(at: place) }
    }
  }

  /// Publishes the state of the first choice (`PrefetchRule.firstChoice`).
  private func publishFirstChoice() {
    let first = plan.rule.firstChoice.flatMap { first in standbys.first { $0.request == first } }
    // First, because a reader of `isFirstChoiceReady` relies on this value.
    board.pointee.isFirstChoiceAtAd.store(first?.isAtAd == true, ordering: .releasing)
    board.pointee.isFirstChoiceReady.store(first?.isReady(goal: goal) == true, ordering: .releasing)
  }

  private func countBytes(ofProgramme place: Int, at now: MonotonicTime) {
    plan.recordBytes(standbys[place].removeByteCount(), at: now)
  }

  private func startNext(at now: MonotonicTime) {
    let known = [request].compactMap { $0 } + standbys.map(\.request)
    guard waiting == nil, let next = plan.next(after: known, at: now) else { return }
    // A second connection to such a station would end the first, perhaps on another box of its listener.
    if next != plan.rule.firstChoice, sole.contains(next.url) { return plan.recordRefusal(of: next, at: now) }
    guard let session = idleSession(evictsNeighbour: next == plan.rule.firstChoice) else { return }
    plan.recordStart(at: now)
    session.tune(next, epoch: 0)
    // Titles by UDP are requested with the connection; other feeds are polled only for the heard station.
    if !next.externalMetadata.usesAudioCast { session.requestTitles(false) }
    standbys.append(StandbyProgramme(next, session, StandbyPlayhead()))
  }

  var nextMoment: MonotonicTime {
    let now = now
    var due = min(heard.nextMoment, plan.due(at: now))
    if waiting != nil { due = min(due, plan.nextStart) }
    for standby in standbys { due = min(due, standby.session.nextMoment, nextUpdate) }
    return due
  }

  /// Descriptors for poll(2), in addition to those of the transfers.
  var descriptors: [Int32] { heard.descriptors + standbys.flatMap(\.session.descriptors) }
}
