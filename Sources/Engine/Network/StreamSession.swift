import Blocks
import Framing
import Listings
import System
import Units

/// Tunes to a station: opens its playlists, tries its addresses, receives its audio, and reconnects. Net thread only.
final class StreamSession {
  private let clock: Clock
  private let output: ProgrammeOutput
  private let search = StationSearch()
  private let report: ProgrammeReport
  private let connections: Connections
  private let reconnector: Reconnector
  private let flow: FlowControl
  private let live: LiveStream
  private let router: AnswerRouter
  private let names = NameProbe()

  /// Readers to wake: of packets or of notices.
  enum Raise {
    case packets
    case notice
  }

  /// `board`: shows the playback position. `raise`: wakes waiting readers. `onList`: receives each opened list.
  init(
    _ engine: HttpEngine, _ writer: consuming BlockWriter, _ setups: SetupTable, _ notices: UnsafePointer<EventRing>,
    _ board: UnsafePointer<StatusBoard>, _ hold: HoldRule, raise: @escaping (Raise) -> Void,
    onList: @escaping (FileList) -> Void
  ) {
    clock = engine.clock
    let sender = NoticeSender(notices, raise: { raise(.notice) }, onList: onList)
    output = ProgrammeOutput(writer, setups, MetadataFeeds(engine), sender, board) { raise(.packets) }
    report = ProgrammeReport(output)
    connections = Connections(engine, search, output)
    flow = FlowControl(output, search, hold)
    reconnector = Reconnector(connections, search, report, output)
    live = LiveStream(connections, reconnector, search, report, output)
    router = AnswerRouter(engine, output, search, report, connections, reconnector, flow, live, names)
  }

  private var now: MonotonicTime { clock.now() }

  private var faults: AddressFaults { search.faults }

  // MARK: Commands

  /// Leaves the current programme and starts the programme `epoch`.
  func tune(_ request: StationRequest, epoch: UInt32) { tune(request, epoch: epoch, fileNumber: 0) }

  private func tune(_ request: StationRequest, epoch: UInt32, fileNumber: Int) {
    stop()
    router.begin(fileNumber: fileNumber)
    report.begin()
    output.beginTitles(request)
    output.begin(epoch: epoch)
    do throws(NetworkError) {
      try search.begin(request, at: now, seed: seed)
      router.connect()
    } catch {
      report.tell(.fault(faults.error(error, of: request.url), isFinal: true))
    }
  }

  private var seed: UInt64 { UInt64(bitPattern: now.nanoseconds) }

  /// Moves to another position and drops the buffered audio.
  func seek(_ seek: FileSeek) {
    let isKnown = router.seek(seek) {
      stop()
      output.begin(epoch: seek.epoch)
      if router.source.isLive { output.beginTitles(seek.request) } else { output.forgetTitles() }
      search.restart(seed: seed)
    }
    if !isKnown { tune(seek.request, epoch: seek.epoch, fileNumber: seek.number) }
  }

  func follow(_ next: Follow) { router.follow(next) }

  func stop() {
    output.askForTitles(false, search.request)
    hangUp()
  }

  /// Ends the connection of a live station, or the retries, until `resume`. The buffered audio and all facts remain.
  func rest() {
    guard connections.isBusy || names.isAsking || router.segments != nil, !router.source.hasEnd else { return }
    // A stream that may be a file stays connected.
    if let lead = connections.lead, live.comesAsFile(lead) { return }
    connections.lead?.flush()
    output.settle()
    hangUp(toRest: true)
  }

  /// Reconnects a resting station at once and joins its packets to the buffered packets.
  func resume() {
    guard connections.state == .resting else { return }
    if search.hasPlayed { report.tell(.lost) }
    connections.plan(search.resume(at: now))
  }

  /// Replaces all connections after the machine has slept.
  func renew() {
    search.hurry()
    connections.dropSpares()
    report.forgetSpare()
    if let segments = router.segments { return segments.giveUp(faults.slept) }
    _ = connections.hasten(to: search.soonest(after: now))
    guard let lead = connections.lead, !search.isLocal else { return }
    router.giveUp(lead, faults.slept)
  }

  /// Starts or stops requests for titles outside the stream, if the station has such titles.
  func nowPlaying(_ isWanted: Bool) { output.askForTitles(isWanted, search.request) }

  func adjust(_ change: RequestChange) { search.adjust(change) }

  func use(_ hold: HoldRule) { flow.use(hold) }

  private func hangUp(toRest: Bool = false) {
    router.interrupt()
    names.forget()
    connections.close(toRest: toRest)
    flow.release()
    report.forgetSpare()
    connections.forgetLink()
  }

  // MARK: Time

  func poll() {
    output.flush()
    output.settle(at: now, isFull: flow.isJoinFull(of: connections.lead))
    for reception in connections.held where reception.isPaused {
      if flow.poll(reception, of: router.pace, isLive: router.source.isLive, at: now) { report.tell(.full) }
    }
    pollNames()
    pollConnections()
    output.poll(onAir, at: now)
    router.poll()
  }

  var nextMoment: MonotonicTime {
    let due = connections.due(at: now, rules, look: flow.interval)
    return min(due, output.due(onAir, at: now), names.due, router.due)
  }

  /// Descriptors for poll(2), in addition to those of the transfers.
  var descriptors: [Int32] { [output.descriptor, names.descriptor].compactMap { $0 } }

  var isAwaited: Bool { output.isAwaited }

  private var onAir: OnAir? { router.source.isLive ? live.onAir(at: now) : nil }

  /// True if enough is buffered and arriving that a check every 200 ms suffices.
  var isAtEase: Bool { router.segments?.isAtEase ?? (router.source.isLive && live.isAtEase) }

  var wait: NetWait {
    if let lead = connections.lead { return flow.wait(for: lead, at: now) }
    if let segments = router.segments { return segments.wait }
    return switch connections.state {
    case .resting: .listener
    case .waiting: .nextTry
    case .idle, .on: names.isAsking ? .nameServer : .order
    }
  }
}

// MARK: - Connections

extension StreamSession {
  private var rules: ConnectionPlan.Rules {
    ConnectionPlan.Rules(
      allowsSpares: search.hasPlayed && router.source.isLive && search.mayTry, dataTimeout: search.request.dataTimeout,
      isDoubtful: isResumable && connections.isDoubtful(at: now))
  }

  private func pollConnections() {
    while let step = connections.step(at: now, rules) {
      switch step {
      case .connect: return router.connect()
      case .connectSpare: return reconnector.connectSpare(for: router, at: now)
      case .giveUpInDoubt: leaveForLink()
      case .giveUp(let silence):
        guard let lead = connections.lead else { return connections.close() }
        let fault = faults.silent(silence)
        lead.condemn(fault)
        router.giveUp(lead, fault)
      case .planSpare(let silence, let isNext): reconnector.planSpare(after: silence, isNext: isNext, at: now)
      }
    }
  }

  func linkChanged(_ changes: LinkChanges) {
    guard connections.isPlanned || search.hasPlayed else { return }
    let isOn = connections.lead != nil || router.segments != nil
    let isTried = connections.isPlanned || isOn && !router.source.hasEnd
    if changes.contains(.lost), isTried, !faults.hasWay { report.networkLost(faults.noNetwork) }
    guard changes.contains(.gained) else { return }
    if let segments = router.segments { return segments.networkChanged() }
    connections.linkGained(at: now)
    if reconnector.hurry(rules, isResumable: isResumable, at: now) { leaveForLink() }
  }

  private func leaveForLink() {
    connections.forgetLink()
    router.failed(connections.lead, faults.changedNetwork, mayPass: true)
  }

  /// True for a file from a server that can be continued at its byte after a broken connection.
  private var isResumable: Bool {
    router.source.file != nil && !router.isFollowing && !search.isLocal && search.mayTry
  }

  /// Handles the failed lookup of a host, once the resolver has replied or timed out.
  private func pollNames() {
    guard let answer = names.answer(at: now) else { return }
    let error = answer == .absent ? NetworkError.hostNotFound : .nameServer
    router.failed(nil, faults.error(error), mayPass: error.isWorthRetrying)
  }
}
