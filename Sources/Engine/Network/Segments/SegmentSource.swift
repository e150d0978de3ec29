import Blocks
import Framing
import Http
import Listings
import Units

/// Plays an HLS station: requests its list and its segments in order, and reports both. Net thread only. If a request
/// fails, the session reconnects and passes the new list to `reopen`.
final class SegmentSource: ProgrammeSource {
  let handler: ConnectionHandler
  private var schedule: SegmentSchedule
  private var base: WebAddress
  private var referral: AddressOrigin?
  private let sink: SegmentOutput
  private let lists: SegmentListRequests
  private let audio: SegmentRequests
  private var overtaken: OvertakenSegment?
  private let flow: SegmentFlow
  private var connectionStart: MonotonicTime
  private var isAnnounced = false
  private var variantChange = VariantChange()
  /// True while segments are requested; false while a reconnect or a command is awaited.
  private var isRunning = true

  /// Maximum time to the first audio of a station (R4.3).
  private static let maxTimeToAudio = Duration(seconds: Defaults.firstPatience)
  /// Maximum refusals of audio before the first audio: by the first variant, and by all.
  private static let maxRefusalsOfVariant = 4
  private static let maxRefusals = 6

  /// `continues`: the programme has played from an address without a list.
  init(_ response: SegmentListResponse, _ handler: ConnectionHandler, continues: Bool = false) {
    self.handler = handler
    let context = handler.context
    let list = response.list
    base = response.base
    referral = response.referral
    connectionStart = context.now
    isLive = !list.isEnded || context.search.request.mode == .live
    schedule = SegmentSchedule(list, at: connectionStart)
    schedule.count(response.requestCount, at: connectionStart)
    lists = SegmentListRequests(context.search, context.engine, cost: response.requestCount)
    audio = SegmentRequests(context.engine)
    sink = SegmentOutput(list, context)
    flow = SegmentFlow(context.output, context.search, sink, isLive: isLive)
    sink.onPacket = { [unowned self] in announce() }
    if continues, isLive { sink.continueProgramme() }
    recordFacts(of: list)
    if !isLive, search.request.start > .zero { begin(at: search.request.start) }
  }

  deinit { interrupt() }

  private var audioRequest: SegmentFetch? { audio.active }

  private var requestedSegment: MediaSegment? { audio.segment }

  private var faults: AddressFaults { search.faults }

  /// True for a station, even if its list ends: the packager may restart the list.
  let isLive: Bool

  var hasEnd: Bool { !isLive }

  var needsAudio: Bool { true }

  // MARK: Commands

  func reopen(_ response: SegmentListResponse) -> Bool {
    recordFacts(of: response.list)
    interrupt()
    schedule.count(response.requestCount, at: now)
    base = response.base
    referral = response.referral
    (isRunning, variantChange) = (true, VariantChange())
    connectionStart = now
    schedule.recordReconnect(at: connectionStart)
    // After a seek without audio, the next packet announces the connection.
    if sink.isAtStart { isAnnounced = false }
    sink.beginConnection(goesOn: isAnnounced)
    audio.forgetMap()
    apply(response.list, asked: now)
    return true
  }

  private func recordFacts(of list: SegmentList) {
    report.record(search.facts(of: list), length: isLive ? nil : list.length)
  }

  func giveUp(_ fault: PlaybackFault) -> Bool {
    guard isRunning else { return false }
    fail(fault, mayPass: true)
    return true
  }

  var allowsSeek: Bool { true }

  func seek(to place: StreamTime) {
    interrupt()
    isRunning = true
    audio.forgetMap()
    begin(at: place)
    poll()
  }

  var reception: Reception? {
    isRunning ? Reception(delivered: sink.delivered, isActive: audio.isReceivingSegment) : handler.reception
  }

  var segmentSpeed: Double? { audio.speed }

  /// Requests the list of another variant. The next segment follows from that list; a running segment is received.
  func change(to variant: Candidates.Candidate) -> Bool {
    guard isRunning, !schedule.list.isEnded, variantChange.begin(variant, in: search, at: now) else { return false }
    renewList()
    return true
  }

  var isChanging: Bool { isRunning && variantChange.isPending }

  private func renewList() {
    lists.cancel()
    schedule.hastenList(at: now)
  }

  private func completeChange(by list: SegmentList) {
    guard variantChange.complete(in: search) else { return }
    audio.forgetMap()
    sink.changeVariant()
    recordFacts(of: list)
    report.reportConnected()
  }

  private func begin(at place: StreamTime) {
    if let number = sink.seek(to: place, in: schedule.list) { schedule.move(to: number) }
  }

  /// Gives up the connection if a request is silent: the network change may have broken the request.
  func networkChanged() -> Bool {
    guard isRunning else { return false }
    let asked = [lists.active, audioRequest].compactMap { $0 }
    if asked.contains(where: { $0.isSilent(for: ConnectionPlan.linkPatience, at: now) }) {
      fail(faults.fault(.networkChanged), mayPass: true)
    }
    return true
  }

  /// Cancels all requests until `reopen` or `seek`.
  func interrupt() {
    isRunning = false
    lists.cancel()
    cancelAudio()
    sink.interrupt()
    flow.release()
  }

  // MARK: Time

  func poll() {
    guard isRunning else { return }
    let now = now
    if let audioRequest, audioRequest.isPaused,
      flow.resumeIfRoom(audioRequest, at: schedule.place, now)
    {
      report.send(.full)
    }
    if let list = lists.active, list.isSilent(for: patience(with: list), at: now) {
      return fail(faults.silence(now - list.lastData), mayPass: true)
    }
    if let audioRequest, audioRequest.isSilent(for: patience(with: audioRequest), at: now) {
      return handleBreak(faults.silence(now - audioRequest.lastData))
    }
    let isSlow = output.ahead < SegmentPatience.ease && audio.isSlow(search, at: now)
    if overtaken != nil, isSlow || isLate {
      cancelAudio()
    } else if isSlow {
      return handleBreak(faults.fault(.slowList))
    }
    if !search.hasPlayed, schedule.isEmpty, now - connectionStart > SegmentPatience.empty {
      return fail(faults.listStalled(now - connectionStart), mayPass: false)
    }
    if !search.hasPlayed, now - connectionStart > Self.maxTimeToAudio {
      return fail(faults.fault(.noAudio), mayPass: true)
    }
    if lists.cancelLate(patience(with: lists.active), at: now) { schedule.recordListFailure(at: now) }
    if now >= variantChange.due, variantChange.cancel(in: search, at: now) { renewList() }
    if schedule.isStuck(at: now) { return fail(faults.listStalled(schedule.timeUnchanged(at: now)), mayPass: true) }
    // First, since the regular request may spend the rest of the budget.
    if mayDoubtList, schedule.isDoubtful(at: now), lists.requestUncached(schedule.changed, for: self) {
      schedule.count(lists.cost, at: now)
    }
    if !lists.isRequesting, mayRequestList, schedule.wantsList(at: now) { requestList() }
    if isRunning, audioRequest == nil, !variantChange.isPending, schedule.wantsSegment(at: now) { requestAudio() }
    finishIfOver()
  }

  var due: MonotonicTime {
    guard isRunning else { return .never }
    let due = schedule.due(
      hasSegment: audioRequest != nil || variantChange.isPending, hasList: lists.isRequesting || !mayRequestList,
      hasDoubted: !mayDoubtList || lists.hasRequestedUncached(schedule.changed))
    let late = min(lists.due(patience(with: lists.active)), audio.due(patience(with: audioRequest)))
    let slowCheck = audio.slowCheck(isOvertaken: overtaken != nil, search, at: now)
    let look = audioRequest?.isPaused == true ? now + flow.interval : .never
    let turn = mayRequestList ? .never : listTurn
    let end = min(late, slowCheck, turn, variantChange.due, search.hasPlayed ? .never : connectionStart + startPatience)
    return min(due, look, end == .never ? .never : end + Duration(milliseconds: 1))
  }

  /// True if the next segment can still be requested before the buffered audio ends.
  private var mayRequestList: Bool {
    variantChange.isPending
      || schedule.leavesTime(for: lists.cost, ahead: output.ahead, isReceiving: audioRequest != nil, at: now)
  }

  /// Time at which the list may be requested, although the buffered audio may run out.
  private var listTurn: MonotonicTime {
    schedule.turn(after: lists.cost, isReceiving: audioRequest != nil, at: now)
  }

  /// True if an extra request for the list leaves time for a segment that the running request may announce.
  private var mayDoubtList: Bool { !lists.isRequesting || mayRequestList }

  private var startPatience: Duration { schedule.isEmpty ? SegmentPatience.empty : Self.maxTimeToAudio }

  private var isLate: Bool {
    output.ahead < SegmentPatience.ease && audioRequest?.isSilent(for: SegmentRequests.pause, at: now) == true
  }

  var wait: NetWait? { isRunning ? flow.wait(for: audioRequest, at: schedule.place, now) : nil }

  /// False during a request for a list with redirects: each redirect would wait for a check. The station may send its
  /// audio directly while it reconnects.
  var isAtEase: Bool {
    isRunning ? isAnnounced && !lists.isRedirecting && output.isAtEase : isLive && handler.stream.isAtEase
  }

  // MARK: Requests

  private func requestList() {
    do throws(NetworkError) {
      schedule.count(lists.cost, at: now)
      schedule.recordListRequest(at: now)
      try lists.requestList(now - connectionStart, for: self)
    } catch {
      fail(faults.error(error, of: search.address?.url ?? search.request.url), mayPass: error.isWorthRetrying)
    }
  }

  private func requestAudio() {
    guard let segment = schedule.segment else { return }
    if segment.isGap { return skipSegment() }
    switch audio.need(for: segment, from: base) {
    case .key(let address): start(.key, address, nil)
    case .map(let address, let range):
      sink.beginMap()
      start(.map, address, range)
    case .segment(let address, let range):
      sink.begin(segment, in: schedule.list)
      start(.segment, address, range)
    case .unsupported: giveUp(after: faults.fault(.notPlayed(.encryptedHls)))
    case .unusable(let error): skipSegment(error)
    }
  }

  private func start(_ kind: SegmentFetch.Kind, _ address: WebAddress, _ range: SegmentRange?) {
    var http = search.plainRequest(for: address, namedBy: referral)
    http.sharedConnectionAge = now - connectionStart
    do throws(NetworkError) {
      try audio.start(kind, http, range, for: self)
    } catch {
      sink.discard()
      skipSegment(error)
    }
  }

  /// Skips a segment with an invalid or forbidden address. The station fails only after several such segments.
  private func skipSegment(_ error: NetworkError) {
    skipSegment()
    sink.countRefusal()
    if sink.isSilent { fail(faults.error(error), mayPass: error.isWorthRetrying) }
  }

  private func skipSegment() { sink.skip(schedule.skip(at: now)) }

  // MARK: Lists

  private func apply(_ listed: SegmentList, asked: MonotonicTime) {
    let (older, next) = (schedule.list, schedule.next)
    let refresh = schedule.refresh(listed, asked: asked, at: now)
    let newer = schedule.list
    if refresh == .restarted { handleRestart() }
    sink.follow(from: older, to: newer, isRestarted: refresh == .restarted)
    if case .dropped(let lost) = refresh { handleDroppedSegments(lost, from: next) }
    reportWindow()
  }

  /// Handles segments dropped from the list, `next` first. A segment that is still being received is played if in time.
  private func handleDroppedSegments(_ lost: StreamTime, from next: UInt64) {
    guard let audioRequest, audioRequest.kind == .segment, let requestedSegment,
      overtaken != nil || requestedSegment.sequence == next
    else {
      return sink.skip(lost)
    }
    if overtaken == nil { overtaken = OvertakenSegment(requestedSegment, lost: lost) } else { overtaken?.addLost(lost) }
    if isLate { cancelAudio() }
  }

  private func handleRestart() {
    if audioRequest?.kind == .segment, sink.hasBytes, !isLate {
      return overtaken = OvertakenSegment(restarted: overtaken)
    }
    sink.flushPacket()
    cancelAudio()
    sink.interrupt()
  }

  private func cancelAudio() {
    audio.cancel()
    endOvertaken(isWhole: false)
  }

  private func endOvertaken(isWhole: Bool) {
    guard let overtaken = overtaken.take(), let requestedSegment else { return }
    overtaken.end(requestedSegment, in: schedule.list, isWhole: isWhole, sink)
  }

  private func reportWindow() {
    guard isAnnounced, isLive, let window = sink.window(of: schedule.list, live: schedule.liveStart) else { return }
    report.send(window)
  }

  private func finishList(_ fetch: SegmentFetch, _ end: TransferEnd) {
    switch lists.finish(fetch, end, news: { schedule.isChanged($0) }) {
    case .nothing: return
    case .unchanged: apply(schedule.list, asked: fetch.began)
    case .expired: return schedule.hastenList(at: now)
    case .list(let newer, let source):
      if let source, let asked = search.address { base = source.withCredentials(from: asked) }
      completeChange(by: newer)
      apply(newer, asked: fetch.began)
    case .failed where variantChange.cancel(in: search, at: now): return renewList()
    case .failed(let status):
      if let status, endsSession(status, isList: true) { return fail(faults.refusal(status), mayPass: true) }
      let isHopeless = status == nil || search.prefersAlternative(with: output.ahead)
      if schedule.isStuck(at: now) || schedule.segment == nil && isHopeless {
        return fail(status.map { faults.refusal($0) } ?? faults.closedConnection(end), mayPass: true)
      }
      return schedule.recordListFailure(at: now)
    }
    finishIfOver()
  }

  // MARK: Audio

  private func finishAudio(_ fetch: SegmentFetch, _ end: TransferEnd) {
    audio.end(isWhole: end == .complete)
    guard let requestedSegment else { return }
    if overtaken != nil {
      let isWhole = fetch.refusal == nil && end == .complete
      return endOvertaken(
        isWhole: isWhole && audio.keys.finish(fetch) { sink.process($0, isSegment: true, at: fetch.lastData) })
    }
    // The list may have dropped the segment for which a key or a header was requested.
    guard requestedSegment.sequence == schedule.next else { return sink.end(isSegment: false) }
    if let status = fetch.refusal {
      let fault = fetch.source.map { faults.refusal(status, of: $0.url) } ?? faults.refusal(status)
      return handleRefusal(fault, status, isKeyGone: fetch.kind == .key && schedule.needsOnlyKey(of: requestedSegment))
    }
    // A single unreachable segment must not end the connection.
    if case .failed(let error) = end, !error.isWorthRetrying, !sink.hasBytes {
      return handleRefusal(faults.error(error))
    }
    guard end == .complete else { return handleBreak(faults.brokenConnection(end)) }
    if !audio.keys.finish(fetch, { sink.process($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }) {
      // A segment that brought packets is damaged only at its end.
      guard fetch.kind == .segment, sink.silentCount < 0 else { return handleRefusal(faults.fault(.undecodable)) }
      sink.skip(.zero)
    }
    switch fetch.kind {
    case .key, .list: break
    case .map: audio.recordMap()
    case .segment: schedule.advance()
    }
    sink.end(isSegment: fetch.kind == .segment)
    if sink.isSilent { return endSilence(faults.fault(.noAudio)) }
    if sink.silentCount > 0 { schedule.delayNext(at: now) }
    poll()
  }

  /// A finished list without audio will not get any.
  private func endSilence(_ fault: PlaybackFault) { hasEnd ? giveUp(after: fault) : fail(fault, mayPass: true) }

  /// Fails, or ends a programme that has played, since a retry would fail at the same segment.
  private func giveUp(after fault: PlaybackFault) {
    guard search.hasPlayed else { return fail(fault, mayPass: false) }
    // An undecodable segment may end with a false packet.
    if fault.detail != .undecodable { sink.finish() }
    interrupt()
    handler.perform(.giveUp(fault), nil)
  }

  private func endsSession(_ status: Int, isList: Bool) -> Bool {
    ListSession.isGone(status, isList: isList, hasFailed: schedule.hasFailed) && search.endSession(at: now)
  }

  /// `status`: the HTTP status of a refused key, header or segment; nil for other faults. `isKeyGone`: true for a
  /// refused key without which no later segment can be played.
  private func handleRefusal(_ fault: PlaybackFault, _ status: Int? = nil, isKeyGone: Bool = false) {
    sink.discard()
    if let status, endsSession(status, isList: false) { return fail(fault, mayPass: true) }
    if status != nil || fault.detail == .undecodable {
      let count = search.countRefusal()
      if count >= Self.maxRefusals {
        interrupt()
        return handler.perform(.giveUp(fault), nil)
      }
      if count == Self.maxRefusalsOfVariant { return fail(fault, mayPass: false) }
    }
    let segment = schedule.segment
    let mustSkip = segment != nil && schedule.recordFailure(at: now)
    if isLive, !mustSkip, search.prefersAlternative(with: output.ahead) { return fail(fault, mayPass: true) }
    // Time does not help against a wrong or a gone key.
    let isFutile = fault.detail == .undecodable || isKeyGone && status.map { ListSession.isRefusal($0) } == true
    if hasEnd, search.hasPlayed, isFutile, schedule.hasFailedOften { return giveUp(after: fault) }
    if mustSkip, let segment {
      schedule.advance()
      sink.skip(segment.duration)
      sink.countRefusal()
    }
    if sink.isSilent { return endSilence(fault) }
    if !search.hasPlayed, schedule.segment == nil { fail(fault, mayPass: true) }
  }

  private func handleBreak(_ fault: PlaybackFault) {
    sink.flushPacket()
    if overtaken == nil, let requestedSegment, requestedSegment.sequence == schedule.next,
      schedule.recordFailure(hasMore: sink.hasNewAudio, at: now)
    {
      sink.abandon(requestedSegment, in: schedule.list)
      schedule.advance()
    }
    fail(fault, mayPass: true)
  }

  private func finishIfOver() {
    guard isRunning, schedule.isOver, audioRequest == nil else { return }
    sink.finish()
    if isLive { return fail(faults.fault(.closed), mayPass: true) }
    interrupt()
    if search.hasPlayed, !handler.sequence.isFollowing, report.facts?.isLive == true {
      // After the end of its list, a station counts as a file. The control thread needs this fact to set the next file.
      report.recordSegments(length: output.time)
      report.reportConnected()
    }
    handler.perform(.whole, nil)
  }

  private func announce() {
    guard !isAnnounced || report.isInDoubt, report.facts != nil else { return }
    isAnnounced = true
    search.recordPlayingAddress()
    report.record(sink.container)
    report.reportConnected()
    reportWindow()
  }

  private func fail(_ fault: PlaybackFault, mayPass: Bool) {
    _ = variantChange.cancel(in: search, at: now)
    sink.flushPacket()
    interrupt()
    handler.perform(.failed(fault, mayPass: mayPass), nil)
  }
}

extension SegmentSource: SegmentReceiver {
  func admits(_ fetch: SegmentFetch) -> Bool { flow.admits(at: schedule.place, now) }

  func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>) {
    audio.keys.decrypt(bytes) { sink.process($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }
    if let refusal = sink.refusal { return fail(faults.fault(.notPlayed(RefusedKind(refusal))), mayPass: false) }
    if sink.isBarren { return fail(faults.fault(.noAudio), mayPass: false) }
    if sink.isProven { search.succeed() }
    output.wakeReader()
  }

  func ended(_ fetch: SegmentFetch, _ end: TransferEnd) {
    guard fetch.kind == .list else {
      schedule.count(fetch.requestCount, at: fetch.began)
      return finishAudio(fetch, end)
    }
    schedule.count(lists.countExtraRequests(fetch), at: fetch.began)
    schedule.recordListSize(fetch.listByteCount, asked: fetch.began)
    finishList(fetch, end)
  }
}
