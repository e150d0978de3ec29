import Blocks
import Framing
import Listings
import Units

/// An HLS station that is on: its list, its segments one after the other, and what is told of them. The net thread's.
///
/// Its packets are one stream. Where a request breaks, the session connects anew, and gives the list that comes then to
/// `reopen`; what comes again of a segment is joined to what is held by its packets.
final class SegmentSource {
  private let engine: HttpEngine
  private let search: StationSearch
  private let report: ProgrammeReport
  private let output: ProgrammeOutput
  private let perform: (SourceOutcome) -> Void
  private var schedule: SegmentSchedule
  private var base: WebAddress
  private var referral: Referral?
  private let sink: SegmentOutput
  private let keys = SegmentKeys()
  private let lists: SegmentListRequests
  private var sound: SegmentFetch?
  /// The segment that `sound` is of.
  private var asked: MediaSegment?
  /// That segment, where the list has left it behind; else nil.
  private var overtaken: OvertakenSegment?
  /// What the segments that came last have in common.
  private var map: SegmentMap?
  private let flow: SegmentFlow
  /// When the connection began: what is older may be broken.
  private var joined: MonotonicTime
  private var isAnnounced = false
  /// Whether segments are fetched; else a new connection is awaited, or an order.
  private(set) var isRunning = true

  /// A silent request is given up after so long.
  private static let patience = Duration(milliseconds: 4_000)
  /// A station that brought no sound for so long is given up (R4.3).
  private static let barren = Duration(seconds: Defaults.firstPatience)
  /// With less than this ahead, what comes too slowly is no more waited for.
  private static let scarce = StreamTime(seconds: 1)
  private static let pause = Duration(milliseconds: 500)

  /// A station whose list came now from `base`, by so many requests; `perform` does what follows on what comes.
  init(
    _ list: SegmentList, at base: WebAddress, _ referral: Referral?, requests: Int, _ engine: HttpEngine,
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

  /// Whether it is a station. One whose list comes to an end may begin again, as its packager does: it has none.
  let isLive: Bool

  // MARK: Orders

  /// The list came again by a new connection.
  func reopen(_ newer: SegmentList, at base: WebAddress, _ referral: Referral?, requests: Int) {
    interrupt()
    schedule.count(requests, at: now)
    (self.base, self.referral, isRunning) = (base, referral, true)
    joined = now
    schedule.rejoin(at: joined)
    // Of another place nothing came yet: that sound comes is told then.
    if sink.isAtStart { isAnnounced = false }
    sink.renew(goesOn: isAnnounced)
    map = nil
    take(newer, asked: now)
  }

  /// It is to be connected anew, for that reason.
  func giveUp(_ fault: PlaybackFault) { fail(fault, mayPass: true) }

  /// Goes to another place of the programme, of which nothing is held any more.
  func seek(to place: StreamTime) {
    interrupt()
    (isRunning, map) = (true, nil)
    begin(at: place)
    poll()
  }

  private func begin(at place: StreamTime) {
    if let number = sink.seek(to: place, in: schedule.list) { schedule.go(to: number) }
  }

  /// The network is another one now: a request that is silent may be broken.
  func networkChanged() {
    let asked = [lists.active, sound].compactMap { $0 }
    if asked.contains(where: { $0.isSilent(for: Lines.linkPatience, at: now) }) { giveUp(faults.changedNetwork) }
  }

  /// Calls off what is asked for, until the list comes again.
  func interrupt() {
    isRunning = false
    lists.cancel()
    cancelSound()
    sink.interrupt()
    flow.release()
  }

  // MARK: Time

  /// Does what is due.
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

  /// What takes longer comes at less than a third of its pace.
  private var slowness: Duration { Duration(seconds: max(8, 3 * (asked?.duration.seconds ?? 0))) }

  /// When something is due.
  var due: MonotonicTime {
    guard isRunning else { return .never }
    let due = schedule.due(
      hasSegment: sound != nil, hasList: lists.isAsking, hasDoubted: lists.hasDoubted(schedule.changed))
    let late = min(lists.due(patience), sound.map { $0.isPaused ? .never : $0.lastData + patience } ?? .never)
    let look = sound?.isPaused == true ? now + flow.interval : .never
    let end = min(late, slow, search.hasPlayed ? .never : joined + Self.barren)
    return min(due, look, end == .never ? .never : end + Duration(milliseconds: 1))
  }

  /// Whether nothing comes of the sound, and little is ahead.
  private var isLate: Bool { sound?.isSilent(for: Self.pause, at: now) == true && output.ahead < Self.scarce }

  /// When what comes slowly is looked at.
  private var slow: MonotonicTime {
    guard let sound, !sound.isPaused else { return .never }
    let left = overtaken == nil ? slowness - sound.time(at: now) : .zero
    return now + (left > .zero ? left : Self.pause)
  }

  /// What the net thread waits for.
  var wait: NetWait { flow.wait(for: sound, at: now) }

  /// Whether so much is held that looking every 200 ms is enough.
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
    // Sound that is packed once more is not asked for.
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

  /// A segment leads where none may, which is no reason to leave the station while others come.
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

  /// The list has left behind so much, from a segment on. Where that one still comes, it is heard, if it comes in time.
  private func overtake(_ lost: StreamTime, from next: UInt64) {
    guard let sound, sound.kind == .segment, let asked, overtaken != nil || asked.sequence == next else {
      return sink.skip(lost)
    }
    if overtaken == nil { overtaken = OvertakenSegment(asked, lost: lost) } else { overtaken?.lose(lost) }
    if isLate { cancelSound() }
  }

  /// The list counts anew. A segment that still comes is heard to its end.
  private func restart() {
    if sound?.kind == .segment, sink.isMidway, !isLate { return overtaken = OvertakenSegment(restarted: overtaken) }
    sink.breakOff()
    cancelSound()
    sink.interrupt()
  }

  /// Calls off what comes of the sound; what is missing of what the list has left behind is told.
  private func cancelSound() {
    sound?.cancel()
    sound = nil
    endOvertaken(isWhole: false)
  }

  private func endOvertaken(isWhole: Bool) {
    guard let overtaken = overtaken.take(), let asked else { return }
    overtaken.end(asked, in: schedule.list, isWhole: isWhole, sink)
  }

  /// Tells what can be had of it.
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

  // MARK: Sound

  private func endedSound(_ fetch: SegmentFetch, _ end: TransferEnd) {
    sound = nil
    guard let asked else { return }
    if overtaken != nil {
      let isWhole = fetch.refusal == nil && end == .complete
      return endOvertaken(isWhole: isWhole && keys.end(fetch) { sink.take($0, isSegment: true, at: fetch.lastData) })
    }
    // The list may have left behind what a key or a header was for.
    guard asked.sequence == schedule.next else { return sink.end(isSegment: false) }
    if let status = fetch.refusal {
      return refused(fetch.source.map { faults.refusal(status, of: $0.url) } ?? faults.refusal(status))
    }
    // One segment that leads nowhere is no reason to leave the station.
    if case .failed(let error) = end, !error.isWorthRetrying, !sink.isMidway { return refused(faults.error(error)) }
    guard end == .complete else { return broke(faults.broken(end)) }
    if !keys.end(fetch, { sink.take($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }) {
      // A segment that sounded is wrong at its end only.
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

  /// What a list names is gone, not there yet, or of no use.
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

  /// What is asked for broke off, or comes too slowly. A segment that does so again and again is left.
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
