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
  /// What the segments that came last have in common.
  private var map: SegmentMap?
  private var throttle = Throttle()
  /// When the connection began: what is older may be broken.
  private var joined: MonotonicTime
  private var isAnnounced = false
  /// Whether segments are fetched; else a new connection is awaited, or an order.
  private(set) var isRunning = true

  /// A silent request is given up after so long.
  private static let patience = Duration(milliseconds: 4_000)
  /// So much is held ahead of the sound, where what is live is further ahead or never comes.
  private static let mostAhead = StreamTime(seconds: 20)

  /// A station whose list came now from `base`; `perform` does what follows on what comes.
  init(
    _ list: SegmentList, at base: WebAddress, _ referral: Referral?, _ engine: HttpEngine, _ search: StationSearch,
    _ report: ProgrammeReport, _ output: ProgrammeOutput, perform: @escaping (SourceOutcome) -> Void
  ) {
    (self.engine, self.search, self.report, self.output) = (engine, search, report, output)
    (self.base, self.referral, self.perform) = (base, referral, perform)
    joined = engine.clock.now()
    schedule = SegmentSchedule(list, at: joined)
    lists = SegmentListRequests(search, engine)
    sink = SegmentOutput(list, output, report)
    sink.onPacket = { [unowned self] in announce() }
    if list.isEnded, search.request.start > .zero { begin(at: search.request.start) }
  }

  deinit { interrupt() }

  private var now: MonotonicTime { engine.clock.now() }

  private var faults: AddressFaults { search.faults }

  /// Whether it has no end.
  var isLive: Bool { !schedule.list.isEnded }

  // MARK: Orders

  /// The list came again by a new connection.
  func reopen(_ newer: SegmentList, at base: WebAddress, _ referral: Referral?) {
    interrupt()
    (self.base, self.referral, isRunning) = (base, referral, true)
    joined = now
    schedule.rejoin(at: joined)
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
    let isSilent = [lists.active, sound].compactMap { $0 }.contains {
      !$0.isPaused && now - $0.lastData > Lines.linkPatience
    }
    if isSilent { giveUp(faults.changedNetwork) }
  }

  /// Calls off what is asked for, until the list comes again.
  func interrupt() {
    isRunning = false
    lists.cancel()
    sound?.cancel()
    sound = nil
    sink.interrupt()
    throttle.release()
  }

  // MARK: Time

  /// Does what is due.
  func poll() {
    guard isRunning else { return }
    let now = now
    if let sound, sound.isPaused {
      let room = room(toResume: true)
      throttle.look(room, ahead: output.ahead)
      if room == .ample { sound.resume(at: now) }
      if throttle.tellsFull(room == .full && isLive, at: now) { report.tell(.full) }
    }
    let silent = [lists.active, sound].compactMap { $0 }.first { !$0.isPaused && now - $0.lastData > patience }
    if let silent { return fail(faults.silent(now - silent.lastData), mayPass: true) }
    if lists.giveUpLate(patience, at: now) { schedule.failedList(at: now) }
    if schedule.isStuck(at: now) { return fail(faults.silent(schedule.stillness(at: now)), mayPass: true) }
    if !lists.isAsking, schedule.wantsList(at: now) { askList() }
    if isRunning, schedule.isDoubtful(at: now) { lists.doubt(schedule.changed, for: self) }
    if isRunning, sound == nil, schedule.wantsSegment(at: now) { askSound() }
    finishIfOver()
  }

  /// How long all that came sounds.
  var delivered: StreamTime { sink.delivered }

  private var patience: Duration { min(Self.patience, search.request.dataTimeout) }

  /// When something is due.
  var due: MonotonicTime {
    guard isRunning else { return .never }
    let due = schedule.due(
      hasSegment: sound != nil, hasList: lists.isAsking, hasDoubted: lists.hasDoubted(schedule.changed))
    let late = min(lists.due(patience), sound.map { $0.isPaused ? .never : $0.lastData + patience } ?? .never)
    let look = sound?.isPaused == true ? now + throttle.interval : .never
    return min(due, look, late == .never ? .never : late + Duration(milliseconds: 1))
  }

  /// What the net thread waits for.
  var wait: NetWait {
    guard let sound, sound.isPaused else {
      return output.seeksPlace || output.canFree(BlockWriter.readRoom) || mayWrap ? .bytes : .room
    }
    if output.seeksPlace { return .bytes }
    return throttle.shortage == .full ? .room : .sound
  }

  /// Whether so much is held that looking every 200 ms is enough.
  var isAtEase: Bool { isAnnounced && output.isAtEase }

  // MARK: Requests

  private func askList() {
    do throws(NetworkError) {
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
    guard let (reference, range) = part, let address = try? base.resolve(reference) else { return passOver() }
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
    if let range {
      http.firstByte = range.offset
      http.byteCount = range.length
    }
    let fetch = SegmentFetch(kind, range, for: self, by: engine)
    do throws(NetworkError) {
      try fetch.start(http, by: engine)
      return fetch
    } catch {
      // One segment that leads where it may not is no reason to leave the station.
      passOver()
      return nil
    }
  }

  private func passOver() {
    var lost = StreamTime.zero
    repeat {
      lost += schedule.segment?.duration ?? .zero
      schedule.advance()
    } while schedule.segment?.isGap == true
    schedule.wait(at: now)
    sink.skip(lost)
  }

  // MARK: Lists

  private func take(_ newer: SegmentList, asked: MonotonicTime) {
    let older = schedule.list
    let refresh = schedule.refresh(newer, asked: asked, at: now)
    sink.follow(from: older, to: newer, isRestarted: refresh == .restarted)
    if case .passed(let lost) = refresh { sink.skip(lost) }
    tellWindow()
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
      if let source { base = source }
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
    // The list may have passed it meanwhile.
    guard let asked, asked.sequence == schedule.next else { return sink.end(isSegment: false) }
    if let status = fetch.refusal { return refused(faults.refusal(status)) }
    // One segment that leads nowhere is no reason to leave the station.
    if case .failed(let error) = end, !error.isWorthRetrying, !sink.isMidway { return refused(faults.error(error)) }
    guard end == .complete else { return fail(faults.broken(end), mayPass: true) }
    if !keys.end(fetch, { sink.take($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }) {
      // A segment that sounded is wrong at its end only.
      guard sink.silentCount < 0 else { return refused(faults.notPlayed(.encryptedHls)) }
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
    if let lost = schedule.refused(at: now) {
      sink.skip(lost)
      sink.refuse()
    }
    if sink.isSilent { return fail(fault, mayPass: true) }
    if !search.hasPlayed, schedule.segment == nil { fail(fault, mayPass: true) }
  }

  private func finishIfOver() {
    guard isRunning, schedule.isOver, sound == nil else { return }
    interrupt()
    sink.finish()
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

  // MARK: Room

  private var mayWrap: Bool { isLive && (search.request.isContinuous || output.isRecorded) }

  private func room(toResume: Bool) -> Room {
    let count = BlockWriter.readRoom + (toResume ? 2 : 0)
    guard output.makeRoom(count) || mayWrap && output.makeRoom(count, wraps: true) else { return .full }
    guard !isLive || schedule.isBehindLive, !output.seeksPlace else { return .ample }
    let most = toResume ? StreamTime(ticks: Self.mostAhead.ticks / 8 * 7) : Self.mostAhead
    return output.ahead >= most ? .satisfied : .ample
  }
}

extension SegmentSource: SegmentTaker {
  func admits(_ fetch: SegmentFetch) -> Bool {
    let room = room(toResume: false)
    guard room != .ample else {
      throttle.release()
      return true
    }
    throttle.hold(room, ahead: output.ahead)
    output.holdUp()
    return false
  }

  func received(_ fetch: SegmentFetch, _ bytes: Span<UInt8>) {
    keys.decrypt(bytes) { sink.take($0, isSegment: fetch.kind == .segment, at: fetch.lastData) }
    if let refusal = sink.refusal { return fail(faults.notPlayed(RefusedKind(refusal)), mayPass: false) }
    if sink.isBarren { return fail(faults.noAudio, mayPass: false) }
    if sink.isProven { search.succeed() }
    output.callReader()
  }

  func ended(_ fetch: SegmentFetch, _ end: TransferEnd) {
    schedule.count(fetch.requestCount, at: fetch.began)
    fetch.kind == .list ? endedList(fetch, end) : endedSound(fetch, end)
  }
}
