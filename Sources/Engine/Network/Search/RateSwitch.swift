import Blocks
import Framing
import Http
import Units

/// Changes a live station to a source with a lower bit rate if the line is too slow, and back to the better source
/// (F6). Net thread only.
final class RateSwitch {
  private enum Aim {
    /// The first packet replaces the lead.
    case replace
    /// The packets only show whether the line is fast enough.
    case measure
  }

  /// The source that was left because of its bit rate.
  private struct Better {
    let candidate: Candidates.Candidate
    let rate: Int?
  }

  private let context: ProgrammeContext
  private let connections: Connections
  private let programme: TunedProgramme
  private let stream: ReceivedStream
  private var rule = BandwidthRule()
  private var better: Better? {
    didSet { search.playsLowerRate = better != nil }
  }
  private var aim = Aim.replace
  /// True from an empty buffer to the change, or until the buffer is filled again.
  private var isWanted = false
  /// The measured source, until its connection replaces the lead, and the time for that connection.
  private var measured: (candidate: Candidates.Candidate, next: MonotonicTime)?
  /// A requested change to another variant.
  private var variantChange: (old: Candidates.Candidate, new: Candidates.Candidate)?
  /// The address of a list or of a server with one connection, which must replace the lead.
  private var exclusive: Candidates.Candidate?
  /// Buffered audio at the first packet of a measured connection.
  private var aheadBefore = StreamTime.zero
  private var isOpen = false
  private var nextCheck = MonotonicTime.zero

  private static let checkInterval = Duration(milliseconds: 500)
  /// Maximum time to the first packet.
  private static let maxResponseTime = Duration(seconds: 5)
  /// Time in which a better source is measured, and the time after which a slow one is left earlier.
  private static let measuringTime = Duration(seconds: 10)
  private static let minMeasuringTime = Duration(seconds: 3)
  /// Maximum audio of a measured source, which its server may send faster.
  private static let maxMeasuredAudio = StreamTime(seconds: 40)
  /// Minimum buffered audio for another connection to the better source.
  private static let minAhead = StreamTime(seconds: 1)
  /// Minimum speed of a segment in multiples of the better bit rate.
  private static let minSegmentSpeed = 1.5

  init(
    _ context: ProgrammeContext, _ connections: Connections, _ programme: TunedProgramme, _ stream: ReceivedStream
  ) {
    self.context = context
    self.connections = connections
    self.programme = programme
    self.stream = stream
  }

  private var now: MonotonicTime { context.now }

  private var search: StationSearch { context.search }

  private var output: ProgrammeOutput { context.output }

  // MARK: The programme

  func begin() {
    close()
    (rule, better, isWanted) = (BandwidthRule(), nil, false)
    (measured, exclusive, variantChange) = (nil, nil, nil)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    connections.closeProbe()
  }

  // MARK: Time

  /// True for a live station with other sources that is heard.
  private var isAllowed: Bool {
    search.hasOtherRates && output.isHeard && search.hasPlayed && programme.source.isLive && !search.isLocal
  }

  func poll() {
    guard isAllowed else { return close() }
    let (now, reception) = (now, programme.source.reception)
    rule.record(reception.flatMap { $0.isActive ? $0.delivered : nil }, at: now)
    watchBuffer(reception)
    finishVariantChange()
    if let better, variantChange == nil, reception != nil, search.isCurrent(better.candidate) { finishReturn() }
    if let probe = connections.probe, isOpen {
      check(probe)
    } else if isOpen {
      fail(nil)
    } else if reception != nil {
      act()
    } else {
      (exclusive, measured) = (nil, nil)
    }
    if now >= nextCheck { nextCheck = now + Self.checkInterval }
  }

  /// Opens the next connection, if one is needed.
  private func act() {
    if let candidate = exclusive.take() { return replaceLead(by: candidate) }
    let now = now
    // The lead, the second connection and the probe are the most.
    guard !connections.hasSpares, now >= search.retries.earliestTry(after: now) else { return }
    if let measured, now >= measured.next {
      self.measured = nil
      open(measured.candidate, .replace)
    } else if isWanted {
      stepDown()
    } else if measured == nil, variantChange == nil, let next = rule.nextReturn, now >= max(next, nextCheck) {
      tryBetter()
    }
  }

  /// Time for the next `poll`.
  var due: MonotonicTime {
    guard isAllowed else { return .never }
    let isActive = isWanted || isOpen || measured != nil || exclusive != nil
    return max(nextCheck, isActive ? .zero : rule.nextReturn ?? .never)
  }

  private func watchBuffer(_ reception: Reception?) {
    let isEmpty = output.isRefilling
    if !isEmpty { isWanted = false }
    guard rule.recordBuffer(isEmpty: isEmpty, isConnected: reception != nil, at: now), let reception else { return }
    isWanted = true
    if let url = search.address?.url { search.rates.record(reception.bitRate ?? search.rates[url], of: url) }
    // The line has no room for two connections.
    measured = nil
    if isOpen, aim == .measure { fail(nil) }
  }

  // MARK: The lower bit rate

  private func stepDown() {
    let now = now
    guard variantChange == nil, let url = search.address?.url else { return }
    let rate = search.rates[url]
    let line = rate.flatMap { rate in rule.speed.map { Double(rate) * $0 } }
    guard let lower = search.rates.lower(than: rate, line: line, among: search.otherSources, at: now) else {
      return isWanted = false
    }
    change(to: lower)
  }

  private func change(to candidate: Candidates.Candidate) {
    guard let current = search.candidate else { return }
    if search.isVariant(candidate), programme.source.change(to: candidate) {
      return variantChange = (current, candidate)
    }
    connections.closeSecond()
    if search.allowsParallel(candidate) { open(candidate, .replace) } else { replaceLead(by: candidate) }
  }

  /// Records a requested variant once its list has arrived or failed.
  private func finishVariantChange() {
    guard let change = variantChange, !programme.source.isChanging else { return }
    variantChange = nil
    if search.isCurrent(change.new) { return recordChange(from: change.old, to: change.new) }
    aim = .replace
    fail(change.new)
  }

  private func open(_ candidate: Candidates.Candidate, _ aim: Aim) {
    self.aim = aim
    search.retries.recordSecondTry(at: now)
    connections.makeRoom(onHost: candidate.address.host)
    var http = search.plainRequest(to: candidate)
    http.wantsIcyMetadata = true
    isOpen = true
    do throws(NetworkError) {
      connections.beginProbe(try connections.open(http, FilePart(), to: candidate, for: self, at: now))
    } catch {
      fail(candidate)
    }
  }

  /// Closes the lead and connects to an address that cannot be tried in parallel.
  private func replaceLead(by candidate: Candidates.Candidate) {
    guard let current = search.candidate else { return }
    programme.source.interrupt()
    connections.close()
    search.observe { $0.recordLoss() }
    search.select(candidate)
    connections.plan(search.retries.earliestTry(after: now))
    recordChange(from: current, to: candidate)
  }

  private func recordChange(from old: Candidates.Candidate, to new: Candidates.Candidate) {
    isWanted = false
    if let better, better.candidate.address.url == new.address.url { return finishReturn() }
    if better == nil { better = Better(candidate: old, rate: search.rates[old.address.url]) }
    rule.recordChange(at: now)
    guard let better else { return }
    let rates = (search.rates[better.candidate.address.url], search.rates[new.address.url])
    let names = (name(of: better.candidate, rates.0), name(of: new, rates.1))
    let isNamed = rates.0 != nil && rates.1 != nil && names.0 != names.1
    let from = isNamed ? names.0 : search.faults(of: better.candidate).shownURL
    context.report.send(
      .lowerRate(LowerRate(from: from, to: isNamed ? names.1 : search.faults(of: new).shownURL)))
  }

  private func name(of candidate: Candidates.Candidate, _ rate: Int?) -> String {
    rate.map { BitRate(bitsPerSecond: $0).description } ?? search.faults(of: candidate).shownURL
  }

  private func fail(_ candidate: Candidates.Candidate?) {
    if let candidate, aim == .replace, candidate.address.url != better?.candidate.address.url {
      search.rates.recordFailure(of: candidate.address.url, at: now)
    } else if better != nil {
      rule.postponeReturn(at: now)
    }
    close()
  }

  // MARK: The better source

  /// Tries the better source: a variant if the line allows its bit rate, an address by a connection in parallel.
  private func tryBetter() {
    guard let better, !output.isPaused, !output.isRefilling else { return }
    if search.isVariant(better.candidate) {
      let rate = search.address.flatMap { search.rates[$0.url] }
      guard let speed = programme.source.segmentSpeed, let rate, let most = better.rate,
        speed * Double(rate) >= Self.minSegmentSpeed * Double(most)
      else { return }
      return change(to: better.candidate)
    }
    guard output.ahead >= Self.minAhead else { return }
    if search.allowsParallel(better.candidate) {
      open(better.candidate, .measure)
    } else {
      replaceLead(by: better.candidate)
    }
  }

  private func finishReturn() {
    better = nil
    (measured, isWanted) = (nil, false)
    rule.recordReturn()
    context.report.send(.lowerRate(nil))
  }

  /// Checks a connection in parallel to the lead.
  private func check(_ probe: StationConnection) {
    guard let first = probe.firstPacket else {
      if now - probe.began > Self.maxResponseTime { fail(probe.candidate) }
      return
    }
    guard aim == .measure else { return }
    let (time, delivered) = (now - first, probe.intake?.delivered ?? .zero)
    let isStarving = output.isRefilling || output.ahead + output.ahead < aheadBefore
    let isSlow = time >= Self.minMeasuringTime && delivered.seconds < time.seconds * 0.8
    if isStarving || isSlow { return fail(probe.candidate) }
    guard time >= Self.measuringTime || delivered >= Self.maxMeasuredAudio else { return }
    guard delivered.seconds >= time.seconds * 0.97 - 0.5 else { return fail(probe.candidate) }
    // A new connection brings a burst, which overlaps the buffered audio.
    measured = (probe.candidate, now + ReconnectPolicy.minInterval)
    close()
  }

  // MARK: Replacing the lead

  private func adopt(_ connection: StationConnection) {
    guard let current = search.candidate else { return }
    programme.source.interrupt()
    connections.leadByProbe()
    connection.client = programme.source
    stream.proceed(with: connection)
    isOpen = false
    search.observe { $0.recordLoss() }
    search.select(connection.candidate)
    context.report.record(connection.facts)
    output.join(byAudio: true)
    recordChange(from: current, to: connection.candidate)
  }
}

extension RateSwitch: ConnectionClient {
  func addRange(_ http: inout HttpRequest) -> Int? { nil }

  func handleHead(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict {
    connection.answered(head, at: now)
    let url = connection.candidate.address.url
    search.rates.record(head.icy.bitRate?.bitsPerSecond, of: url)
    guard head.status < 400, search.isLive(head) else { return .stop }
    if url != better?.candidate.address.url, let told = search.rates[url],
      let most = search.address.flatMap({ search.rates[$0.url] }), !SourceRates.isLower(told, than: most)
    {
      return .stop
    }
    stream.answered(connection, head, isLive: true, isKnown: true)
    return .go
  }

  func admission(of connection: StationConnection) -> Admission {
    connection.recordActivity(at: now)
    return connection.isSpent ? .end(context.faults.fault(.noAudio)) : .accept
  }

  func handleBytes(_ connection: StationConnection, byteCount: Int) {
    if connections.isLead(connection) {
      return programme.source.handleBytes(connection, byteCount: byteCount)
    }
    switch connection.intake?.phase {
    case .audio, .sniffing, nil: break
    case .playlist, .segments:
      exclusive = connection.candidate
      connection.end(context.faults.fault(.noAudio))
    default: connection.end(context.faults.fault(.noAudio))
    }
  }

  func handleEnd(_ connection: StationConnection, _ end: TransferEnd) {
    guard connection.id == connections.probe?.id else { return }
    if exclusive == nil { fail(connection.candidate) } else { close() }
  }

  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    if connections.isLead(connection) { return programme.source.accept(connection, info, bytes, title) }
    if connection.firstPacket == nil { aheadBefore = output.ahead }
    guard aim == .replace, connection.id == connections.probe?.id else { return connection.recordPacket() }
    adopt(connection)
    programme.source.accept(connection, info, bytes, title)
  }

  func number(of setup: CodecSetup) -> UInt8 { output.number(of: setup) }

  func place(before connection: StationConnection) -> OggPlace? { nil }
}
