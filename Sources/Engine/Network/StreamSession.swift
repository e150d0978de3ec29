import Blocks
import Framing
import Listings
import System
import Units

/// Tunes to a station and keeps it: opens its playlists, tries its addresses, takes its audio into the block ring, and
/// connects anew when it is lost. The net thread's.
///
/// It decides which kind of source is on, once, and hands what comes to it.
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
  /// Finds out whether a host exists.
  private let names = NameProbe()

  /// Whom to call.
  enum Raise {
    /// Those who wait for packets.
    case packets
    /// Those who read notices.
    case notice
  }

  /// A session that fills `writer`'s ring and sees by `board` what is heard; `raise` calls those who wait for packets
  /// or notices, and `onList` takes each list that is opened. What packets need to be decoded goes into `setups`.
  /// `hold` says how far it may run ahead of the sound.
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

  // MARK: Orders

  /// Leaves what was, and begins the programme `epoch`.
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

  /// Goes to another place of a file: what was held is forgotten.
  func seek(_ seek: FileSeek) {
    let isKnown = router.seek(seek) {
      stop()
      output.begin(epoch: seek.epoch)
      if router.source.isLive { output.beginTitles(seek.request) } else { output.forgetTitles() }
      search.restart(seed: seed)
    }
    if !isKnown { tune(seek.request, epoch: seek.epoch, fileNumber: seek.number) }
  }

  /// Says what follows.
  func follow(_ next: Follow) { router.follow(next) }

  /// Ends the connection; what is held stays.
  func stop() {
    output.askForTitles(false, search.request)
    hangUp()
  }

  /// Ends the connection of a live station, or the tries to get one, until `resume`; all that is held and known stays.
  func rest() {
    guard connections.isBusy || names.isAsking || router.segments != nil, !router.source.hasEnd else { return }
    // What may be a file waits where it is.
    if let lead = connections.lead, live.comesAsFile(lead) { return }
    connections.lead?.flush()
    output.settle()
    hangUp(toRest: true)
  }

  /// Takes up a station that rests: it is tried at once, and joined to what is held.
  func resume() {
    guard connections.state == .resting else { return }
    if search.hasPlayed { report.tell(.lost) }
    connections.plan(search.resume(at: now))
  }

  /// The machine slept: the connections are dead, and made anew.
  func renew() {
    search.hurry()
    connections.dropSpares()
    report.forgetSpare()
    if let segments = router.segments { return segments.giveUp(faults.slept) }
    _ = connections.hasten(to: search.soonest(after: now))
    guard let lead = connections.lead, !search.isLocal else { return }
    router.giveUp(lead, faults.slept)
  }

  /// Begins or ends asking for titles beside the stream; without effect where the station has none.
  func nowPlaying(_ isWanted: Bool) { output.askForTitles(isWanted, search.request) }

  /// Changes the request of what is on.
  func adjust(_ change: RequestChange) { search.adjust(change) }

  /// Says how far it may run ahead of the sound from now on.
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

  /// What is due at this moment.
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

  /// When `poll` is to be called next, if nothing else happens.
  var nextMoment: MonotonicTime {
    let due = connections.due(at: now, rules, look: flow.interval)
    return min(due, output.due(onAir, at: now), names.due, router.due)
  }

  /// What poll(2) can wait for, beside the transfers.
  var descriptors: [Int32] { [output.descriptor, names.descriptor].compactMap { $0 } }

  /// Whether somebody waits for packets.
  var isAwaited: Bool { output.isAwaited }

  private var onAir: OnAir? { router.source.isLive ? live.onAir(at: now) : nil }

  /// Whether so much is held, and comes, that looking every 200 ms is enough.
  var isAtEase: Bool { router.segments?.isAtEase ?? (router.source.isLive && live.isAtEase) }

  /// What the net thread waits for.
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

// MARK: - What becomes of the connections

extension StreamSession {
  /// What holds for the connections now.
  private var rules: Lines.Rules {
    Lines.Rules(
      allowsSpares: search.hasPlayed && router.source.isLive && search.mayTry, dataTimeout: search.request.dataTimeout,
      isDoubtful: isResumable && connections.isDoubtful(at: now))
  }

  /// Does what is due of the connections.
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

  /// The machine's links, addresses or routes changed.
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

  /// Makes a file's connection anew, which the change of the network may have broken.
  private func leaveForLink() {
    connections.forgetLink()
    router.failed(connections.lead, faults.changedNetwork, mayPass: true)
  }

  /// Whether a file comes from a server, and is gone on with at its byte where its connection breaks.
  private var isResumable: Bool {
    router.source.file != nil && !router.isFollowing && !search.isLocal && search.mayTry
  }

  /// Goes on once it is known.
  private func pollNames() {
    guard let answer = names.answer(at: now) else { return }
    let error = answer == .absent ? NetworkError.hostNotFound : .nameServer
    router.failed(nil, faults.error(error), mayPass: error.isWorthRetrying)
  }
}
