import Blocks
import Framing
import Listings
import Units

/// Plays an HLS station: requests its list and its segments in order, and reports both. Net thread only.
///
/// The packets form one stream. If a request fails, the session reconnects and passes the new list to `reopen`.
final class SegmentSource {
  private let engine: HttpEngine
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  private let perform: (SourceOutcome) -> Void
  private var schedule: SegmentSchedule
  private var base: WebAddress
  private var referral: AddressOrigin?
  private let sink: SegmentOutput
  private let keys = SegmentKeys()
  private let lists: SegmentListRequests
  private var sound: SegmentFetch?
  private var asked: MediaSegment?
  private var overtaken: OvertakenSegment?
  /// Last received common header of segments (EXT-X-MAP).
  private var map: SegmentMap?
  private let flow: SegmentFlow
  private var joined: MonotonicTime
  private var isAnnounced = false
  /// True while segments are requested; false while a reconnect or a command is awaited.
  private(set) var isRunning = true

  private static let patience = Duration(milliseconds: 4_000)
  /// Maximum time to the first audio of a station (R4.3).
  private static let barren = Duration(seconds: Defaults.firstPatience)
  private static let scarce = StreamTime(seconds: 1)
  private static let pause = Duration(milliseconds: 500)

  /// `requests`: number of requests that the list took. `perform`: handles each outcome.
  init(
    _ list: SegmentList, at base: WebAddress, _ referral: AddressOrigin?, requests: Int, _ engine: HttpEngine,
    _ search: StationSearch, _ report: ProgrammeReport, _ output: ProgrammeOutput,
    perform: @escaping (SourceOutcome) -> Void
  ) {
    (self.engine, self.search, self.report, self.output) = (engine, search, report, output)
    (self.base, self.referral, self.perform) = (base, referral, perform)
    joined = engine.clock.now()
    isLive = !list.isEnded || search.request.mode == .live
    schedule = SegmentSchedule(list, at: joined)
    schedule.count(requests, at: joined)
    lists = SegmentListRequests(search, engine, cost: requests)
    sink = SegmentOutput(list, output, report)
    flow = SegmentFlow(output, search, sink, isLive: isLive)
    sink.onPacket = { [unowned self] in announce() }
    if !isLive, search.request.start > .zero { begin(at: search.request.start) }
  }

  deinit { interrupt() }

  private var now: MonotonicTime { engine.clock.now() }
  private var faults: AddressFaults { search.faults }

  /// True for a station, even if its list ends: the packager may restart the list.
  let isLive: Bool

  // MARK: Commands

  func reopen(_ newer: SegmentList, at base: WebAddress, _ referral: AddressOrigin?, requests: Int) {
    interrupt()
    schedule.count(requests, at: now)
    (self.base, self.referral, isRunning) = (base, referral, true)
    joined = now
    schedule.rejoin(at: joined)
    // After a seek without audio, the next packet announces the connection.
    if sink.isAtStart { isAnnounced = false }
    sink.renew(goesOn: isAnnounced)
    map = nil
    take(newer, asked: now)
  }

  /// Ends the connection with a fault; a reconnect may follow.
  func giveUp(_ fault: PlaybackFault) { fail(fault, mayPass: true) }

  func seek(to place: StreamTime) {
    interrupt()
    (isRunning, map) = (true, nil)
    begin(at: place)
    poll()
  }

  private func begin(at place: StreamTime) {
    if let number = sink.seek(to: place, in: schedule.list) { schedule.go(to: number) }
  }

  /// Gives up the connection if a request is silent: the network change may have broken the request.
  func networkChanged() {
    let asked = [lists.active, sound].compactMap { $0 }
    if asked.contains(where: { $0.isSilent(for: ConnectionPlan.linkPatience, at: now) }) {
      giveUp(faults.changedNetwork)
    }
  }

  /// Cancels all requests until `reopen` or `seek`.
  func interrupt() {
    isRunning = false
    lists.cancel()
    cancelSound()
    sink.interrupt()
    flow.release()
  }

  // MARK: Time

  func poll() {
    guard isRunning else { return }
    let now = now
    if let sound, sound.isPaused, flow.poll(sound, isBehindLive: schedule.isBehindLive, at: now) { report.tell(.full) }
    if let list = lists.active, list.isSilent(for: patience, at: now) {
      return fail(faults.silent(now - list.lastData), mayPass: true)
    }
    if let sound, sound.isSilent(for: patience, at: now) { return broke(faults.silent(now - sound.lastData)) }
    let isSlow = sound.map { output.ahead < Self.scarce && $0.time(at: now) > slowness } ?? false
    if overtaken != nil, isSlow || isLate { cancelSound() } else if isSlow { return broke(faults.tooSlow) }
    if !search.hasPlayed, now - joined > Self.barren { return fail(faults.noAudio, mayPass: true) }
    if lists.giveUpLate(patience, at: now) { schedule.failedList(at: now) }
    if schedule.isStuck(at: now) { return fail(faults.still(schedule.stillness(at: now)), mayPass: true) }
    if !lists.isAsking, schedule.wantsList(at: now) { askList() }
    if isRunning, schedule.isDoubtful(at: now), lists.doubt(schedule.changed, for: self) {
      schedule.count(lists.cost, at: now)
    }
    if isRunning, sound == nil, schedule.wantsSegment(at: now) { askSound() }
    finishIfOver()
  }

  private var patience: Duration { min(Self.patience, search.request.dataTimeout) }

  /// Maximum time for a segment: three times its duration, at least 8 s.
  private var slowness: Duration { Duration(seconds: max(8, 3 * (asked?.duration.seconds ?? 0))) }

  var due: MonotonicTime {
    guard isRunning else { return .never }
    let due = schedule.due(
      hasSegment: sound != nil, hasList: lists.isAsking, hasDoubted: lists.hasDoubted(schedule.changed))
    let late = min(lists.due(patience), sound.map { $0.isPaused ? .never : $0.lastData + patience } ?? .never)
    let look = sound?.isPaused == true ? now + flow.interval : .never
    let end = min(late, slow, search.hasPlayed ? .never : joined + Self.barren)
    return min(due, look, end == .never ? .never : end + Duration(milliseconds: 1))
  }

  private var isLate: Bool { sound?.isSilent(for: Self.pause, at: now) == true && output.ahead < Self.scarce }

  private var slow: MonotonicTime {
    guard let sound, !sound.isPaused else { return .never }
    let left = overtaken == nil ? slowness - sound.time(at: now) : .zero
    return now + (left > .zero ? left : Self.pause)
  }

  var wait: NetWait { flow.wait(for: sound, at: now) }

  /// True if enough is buffered that a check every 200 ms suffices.
  var isAtEase: Bool { isAnnounced && output.isAtEase }

  // MARK: Requests

  private func askList() {
    do throws(NetworkError) {
      schedule.count(lists.cost, at: now)
      try lists.ask(now - joined, for: self)
    } catch {
      fail(faults.error(error, of: search.address?.url ?? search.request.url), mayPass: error.isWorthRetrying)
    }
  }

  private func askSound() {
    guard let segment = schedule.segment else { return }
    if segment.isGap { return passOver() }
    asked = segment
    let isMap = segment.map != nil && segment.map != map
    switch keys.begin(segment, isMap: isMap, from: base) {
    case .nothing: break
    case .key(let address):
      sound = start(.key, address, nil)
      return
    case .other: return fail(faults.notPlayed(.encryptedHls), mayPass: false)
    }
    let part = isMap ? segment.map.map { ($0.address, $0.range) } : (segment.address, segment.range)
    guard let (reference, range) = part else { return passOver() }
    let address: WebAddress
    do throws(NetworkError) { address = try base.resolve(reference) } catch { return passOver(error) }
    if isMap {
      map = nil
      sink.beginMap()
    } else {
      sink.begin(segment, in: schedule.list)
    }
    sound = start(isMap ? .map : .segment, address, range)
  }

  private func start(_ kind: SegmentFetch.Kind, _ address: WebAddress, _ range: SegmentRange?) -> SegmentFetch? {
    var http = search.request.http(for: address, namedBy: referral)
    http.sharedConnectionAge = now - joined
    // Audio is compressed already.
    http.acceptsGzip = false
    if let range {
      http.firstByte = range.offset
      http.byteCount = range.length
    }
    let fetch = SegmentFetch(kind, range, for: self, by: engine)
    do throws(NetworkError) {
      try fetch.start(http, by: engine)
      return fetch
    } catch {
      sink.discard()
      passOver(error)
      return nil
    }
  }

  /// Skips a segment with an invalid or forbidden address. The station fails only after several such segments.
  private func passOver(_ error: NetworkError) {
    passOver()
    sink.refuse()
    if sink.isSilent { fail(faults.error(error), mayPass: error.isWorthRetrying) }
  }

  private func passOver() { sink.skip(schedule.passOver(at: now)) }

  // MARK: Lists

  private func take(_ newer: SegmentList, asked: MonotonicTime) {
    let (older, next) = (schedule.list, schedule.next)
    let refresh = schedule.refresh(newer, asked: asked, at: now)
    if refresh == .restarted { restart() }
    sink.follow(from: older, to: newer, isRestarted: refresh == .restarted)
    if case .passed(let lost) = refresh { overtake(lost, from: next) }
    tellWindow()
  }

  /// Handles segments dropped from the list, `next` first. A segment that is still being received is played if in time.
  private func overtake(_ lost: StreamTime, from next: UInt64) {
    guard let sound, sound.kind == .segment, let asked, overtaken != nil || asked.sequence == next else {
      return sink.skip(lost)
    }
    if overtaken == nil { overtaken = OvertakenSegment(asked, lost: lost) } else { overtaken?.lose(lost) }
    if isLate { cancelSound() }
  }

  private func restart() {
    if sound?.kind == .segment, sink.isMidway, !isLate { return overtaken = OvertakenSegment(restarted: overtaken) }
    sink.breakOff()
    cancelSound()
    sink.interrupt()
  }

  /// Cancels the audio request. The missing rest of a dropped segment counts as lost.
  private func cancelSound() {
    sound?.cancel()
    sound = nil
    endOvertaken(isWhole: false)
  }

  private func endOvertaken(isWhole: Bool) {
    guard let overtaken = overtaken.take(), let asked else { return }
    overtaken.end(asked, in: schedule.list, isWhole: isWhole, sink)
  }

  private func tellWindow() {
    guard isAnnounced, isLive, let window = sink.window(of: schedule.list, live: schedule.liveStart) else { return }
    report.tell(window)
  }

  private func endedList(_ fetch: SegmentFetch, _ end: TransferEnd) {
    switch lists.ended(fetch, end, news: { schedule.isNews($0) }) {
    case .nothing: return
    case .unchanged: take(schedule.list, asked: fetch.began)
    case .list(let newer, let source):
      if let source, let asked = search.address { base = source.reached(from: asked) }
      take(newer, asked: fetch.began)
    case .failed(let status):
      if schedule.isStuck(at: now) || schedule.segment == nil && status == nil {
        return fail(status.map { faults.refusal($0) } ?? faults.closed(end), mayPass: true)
      }
      return schedule.failedList(at: now)
    }
    finishIfOver()
  }

  // MARK: Audio

  private func endedSound(_ fetch: SegmentFetch, _ end: TransferEnd) {
    sound = nil
    guard let asked else { return }
    if overtaken != nil {
      let isWhole = fetch.refusal == nil && end == .complete
      return endOvertaken(isWhole: isWhole && keys.end(fetch) { sink.take($0, isSegment: true, at: fetch.lastData) })
    }
    // The list may have dropped the segment for which a key or a header was requested.
    guard asked.sequence == schedule.next else { return sink.end(isSegment: false) }
    if let status = fetch.refusal {
      return refused(fetch.source.map { faults.refusal(status, of: $0.url) } ?? faults.refusal(status))
    }
    // A single unreachable segment must not end the connection.
    if case .failed(let error) = end, !error.isWorthRetrying, !sink.isMidway { return refused(faults.error(error)) }
    guard end == .complete else { return broke(faults.broken(end)) }
    if !keys.end(fetch, { sink.take($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }) {
      // A segment that brought packets is damaged only at its end.
      guard fetch.kind == .segment, sink.silentCount < 0 else { return refused(faults.undecodable) }
      sink.skip(.zero)
    }
    switch fetch.kind {
    case .key, .list: break
    case .map: map = asked.map
    case .segment: schedule.advance()
    }
    sink.end(isSegment: fetch.kind == .segment)
    if sink.isSilent { return fail(faults.noAudio, mayPass: true) }
    if sink.silentCount > 0 { schedule.wait(at: now) }
    poll()
  }

  private func refused(_ fault: PlaybackFault) {
    sink.discard()
    if let segment = schedule.segment, schedule.failed(at: now) {
      schedule.advance()
      sink.skip(segment.duration)
      sink.refuse()
    }
    if sink.isSilent { return fail(fault, mayPass: true) }
    if !search.hasPlayed, schedule.segment == nil { fail(fault, mayPass: true) }
  }

  /// Handles a broken or slow request. A segment that fails repeatedly is skipped.
  private func broke(_ fault: PlaybackFault) {
    sink.breakOff()
    if overtaken == nil, let asked, asked.sequence == schedule.next, schedule.failed(hasMore: sink.hasMore, at: now) {
      sink.leave(asked, in: schedule.list)
      schedule.advance()
    }
    fail(fault, mayPass: true)
  }

  private func finishIfOver() {
    guard isRunning, schedule.isOver, sound == nil else { return }
    sink.finish()
    if isLive { return fail(faults.ended, mayPass: true) }
    interrupt()
    perform(.whole)
  }

  private func announce() {
    guard !isAnnounced || report.isInDoubt, report.facts != nil else { return }
    isAnnounced = true
    search.playHere()
    report.note(sink.container)
    report.connected()
    tellWindow()
  }

  private func fail(_ fault: PlaybackFault, mayPass: Bool) {
    sink.breakOff()
    interrupt()
    perform(.failed(fault, mayPass: mayPass))
  }
}

extension SegmentSource: SegmentTaker {
  func admits(_ fetch: SegmentFetch) -> Bool { flow.admits(isBehindLive: schedule.isBehindLive, at: now) }

  func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>) {
    keys.decrypt(bytes) { sink.take($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }
    if let refusal = sink.refusal { return fail(faults.notPlayed(RefusedKind(refusal)), mayPass: false) }
    if sink.isBarren { return fail(faults.noAudio, mayPass: false) }
    if sink.isProven { search.succeed() }
    output.callReader()
  }

  func ended(_ fetch: SegmentFetch, _ end: TransferEnd) {
    guard fetch.kind == .list else {
      schedule.count(fetch.requestCount, at: fetch.began)
      return endedSound(fetch, end)
    }
    schedule.count(lists.count(fetch), at: fetch.began)
    endedList(fetch, end)
  }
}
