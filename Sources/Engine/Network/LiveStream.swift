import Blocks
import Framing
import Units

/// What comes without places in it, as a live station's packets do: joined to what is held, by the connection that
/// leads. The net thread's.
///
/// While the one that leads is silent others are tried beside it, and the first that delivers a packet takes its place.
final class LiveStream {
  private let connections: Connections
  private let reconnector: Reconnector
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  /// What its answers say of whether it is a file.
  private var evidence = FileEvidence()
  /// Whether the title is one that the stream's own tags told.
  private var isTitledByTags = false

  /// Once there is a burst, it has come after so long.
  private static let burst = Duration(milliseconds: 1_000)

  /// The stream that comes by `connections`, of which `reconnector` takes one for another, and goes into `output`.
  init(
    _ connections: Connections, _ reconnector: Reconnector, _ search: StationSearch, _ report: ProgrammeReport,
    _ output: ProgrammeOutput
  ) {
    (self.connections, self.reconnector) = (connections, reconnector)
    (self.search, self.report, self.output) = (search, report, output)
  }

  /// Another programme comes.
  func begin() { (evidence, isTitledByTags) = (FileEvidence(), false) }

  /// Whether it is known to be a station, and not a file that looks like one.
  var isStation: Bool { evidence.isStation }

  // MARK: Its answers

  /// The head of an answer came; `isKnown` says whether it goes on with what has played.
  func answered(_ reception: Reception, _ head: HttpHead, isLive: Bool, isKnown: Bool) {
    let kind = search.isRoot ? search.request.addressKind : .automatic
    let intake = StreamIntake(kind: kind, head: head, path: reception.source?.path, followsGap: isKnown)
    let trace = AnswerTrace(head, mayBeItem: search.request.mayBeItem)
    let mayBeFile =
      search.request.mode == .automatic && search.isLive(head) && trace.isFinite && trace.isLengthTold
    let facts = StationFacts(head, of: search.candidate, isLive: isLive, mayBeFile: mayBeFile)
    reception.receive(by: intake, trace, facts)
  }

  /// What an answer turned out to be so far, of which bytes came.
  func received(_ reception: Reception, at now: MonotonicTime) -> SourceOutcome {
    guard let intake = reception.intake else { return .nothing }
    switch intake.phase {
    case .audio: announce(reception)
    case .playlist(.feed):
      if let fault = search.feedInFeed {
        reception.end(fault)
      } else if intake.isFeedComplete {
        if !connections.leads(reception) { reconnector.replaceLead(by: reception) }
        return .list(.feed, [])
      }
    case .playlist, .segments:
      if let fault = search.excess(ofListFrom: reception.began, at: now) { reception.end(fault) }
    case .refused(let kind): reception.end(search.faults.notPlayed(kind))
    case .unknown: reception.end(search.faults.noAudio)
    case .sniffing, .empty: break
    }
    return .nothing
  }

  /// An answer is over; `isLive` says whether it is taken for a station's.
  func ended(_ reception: Reception, _ end: TransferEnd, isLive: Bool, at now: MonotonicTime) -> SourceOutcome {
    if reception.verdict == nil { reception.finish() }
    output.settle()
    if let verdict = reception.verdict {
      // Its next packets would be as long.
      if verdict.cause == .fewBlocks, search.hasPlayed { return .giveUp(verdict) }
      return .failed(verdict, mayPass: verdict.category == .timeoutExceeded || verdict.status >= 500)
    }
    let faults = search.faults
    guard let intake = reception.intake else {
      let isPassing = if case .failed(let error) = end { error.isWorthRetrying } else { true }
      return .failed(faults.broken(end), mayPass: isPassing)
    }
    _ = received(reception, at: now)
    if let verdict = reception.verdict { return .failed(verdict, mayPass: false) }
    switch intake.phase {
    case .playlist(let kind): return .list(kind, intake.gathered)
    case .segments where end != .complete: return .failed(faults.closed(end), mayPass: true)
    case .segments: return .segments(intake.takePlaylist())
    case .audio where isLive:
      return end == .complete && wasFile(reception) ? .whole : .failed(faults.closed(end), mayPass: true)
    case .audio:
      // Nothing is known of where its bytes lie, so that no part of it can be asked for.
      if case .failed = end { return .giveUp(faults.broken(end)) }
      return .whole
    case .empty where search.isLocal: return .failed(faults.noAudio, mayPass: false)
    case .empty: return .failed(faults.closed(end), mayPass: true)
    default: return .failed(faults.noAudio, mayPass: false)
    }
  }

  /// Tells that audio comes, once it does.
  private func announce(_ reception: Reception) {
    guard connections.leads(reception), let intake = reception.intake, intake.delivered > .zero,
      !reception.isAnnounced, reception.verdict == nil, report.facts != nil
    else { return }
    reception.announce()
    search.playHere()
    if let trace = reception.trace { evidence.begin(trace) }
    report.note(intake.form ?? .packed)
    report.connected()
  }

  /// Whether what was taken for a station turns out to have been a file, now that its answer is whole (R1.5): then that
  /// is told. Its server gives no parts, so nothing is known of it but what came.
  private func wasFile(_ reception: Reception) -> Bool {
    guard search.request.mode == .automatic, let trace = reception.trace, let intake = reception.intake,
      evidence.isFile(trace, sound: intake.delivered, in: reception.flowingTime), var told = report.facts
    else { return false }
    (told.isLive, told.duration) = (false, intake.delivered)
    report.note(told)
    report.connected()
    return true
  }

  /// Whether what is taken for a station comes as a file does, so that to connect anew would begin it again.
  func comesAsFile(_ reception: Reception) -> Bool {
    guard search.request.mode == .automatic, let trace = reception.trace, let intake = reception.intake else {
      return false
    }
    return evidence.comesAsFile(trace, sound: intake.delivered, in: reception.flowingTime)
  }

  // MARK: Its packets and titles

  /// Takes a packet.
  func take(_ reception: Reception, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if !connections.leads(reception) {
      reconnector.replaceLead(by: reception)
    } else if !reception.isOver, !connections.isSettled || report.isInDoubt && reception.isAnnounced {
      reconnector.standDown(for: reception)
    }
    if let needed = output.blocksNeeded(for: info.byteCount) { return reception.end(search.faults.fewBlocks(needed)) }
    report.hear()
    if reception.join() {
      report.forgetSpare()
      output.join()
    }
    tellWaitingTitle(of: reception)
    // The last one may be taken only when its connection was silent for long.
    output.take(info, bytes, at: reception.lastData)
    reception.mark()
    tellWaitingTitle(of: reception)
  }

  /// Takes a metadata block.
  func take(_ reception: Reception, metadata block: Span<UInt8>) {
    guard let title = output.title(in: block) else { return }
    isTitledByTags = false
    if reception.take(title) { output.take(title) }
  }

  /// Takes what a stream's own tags say of the packets that come next.
  func take(_ reception: Reception, _ tags: StreamTags) {
    let title = StationTitle(tags)
    // No title in the tags ends no other than theirs.
    guard isTitledByTags || !title.text.isEmpty else { return }
    isTitledByTags = !title.text.isEmpty
    if reception.take(title) { output.take(title) }
  }

  private func tellWaitingTitle(of reception: Reception) {
    if let title = reception.takeWaitingTitle() { output.take(title) }
  }

  /// What is on the air now; nil while nothing is, or its place is still sought.
  func onAir(at now: MonotonicTime) -> OnAir? {
    guard let lead = connections.lead, lead.isAnnounced, lead.isJoined, !output.seeksPlace else { return nil }
    return OnAir(
      line: lead.id, settled: (lead.firstPacket ?? now) + Self.burst, lastData: lead.lastData, lag: lead.lag,
      time: output.time)
  }

  /// Whether so much is held, and comes, that looking every 200 ms is enough.
  var isAtEase: Bool {
    guard let lead = connections.lead, lead.isAnnounced, !lead.isPaused, connections.isSettled else { return false }
    return output.isAtEase
  }
}
