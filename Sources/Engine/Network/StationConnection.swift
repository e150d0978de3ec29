import Blocks
import Framing
import Units

/// One connection to a station, from its request to its end. Net thread only.
final class StationConnection {
  private unowned let router: AnswerRouter
  let id: ConnectionID
  let began: MonotonicTime
  private(set) var transfer: Transfer?
  /// Address after redirects. `source`, `facts` and `intake` are nil before the response head.
  private(set) var source: WebAddress?
  /// True for an item of a media server that does not support ranges.
  private(set) var isSentOnce = false
  private(set) var facts: StationFacts?
  private(set) var intake: StreamIntake?
  /// Evidence for a file or a station; nil before the response head and for a part of a file.
  private(set) var trace: AnswerTrace?
  private(set) var verdict: PlaybackFault?
  /// Time of the last bytes; at first the time of the request.
  private(set) var lastData: MonotonicTime
  private(set) var part: FilePart
  private var stage = Stage.silent
  /// True while the last packets are processed, which do not prove a good connection.
  private(set) var isOver = false
  private var titles = TitleTurn()
  private var pace = DeliveryPace()
  private var sense = SenseClock()

  private enum Stage: Comparable {
    case silent
    case joined
    case announced
  }

  init(_ router: AnswerRouter, _ line: ConnectionID, _ part: FilePart, at now: MonotonicTime) {
    (self.router, id, self.part) = (router, line, part)
    (began, lastData) = (now, now)
  }

  var line: ConnectionState {
    var line = ConnectionState(id, at: began)
    (line.lastData, line.isHeld, line.isJoined, line.hasAsked) = (lastData, isPaused, isJoined, hasAsked)
    return line
  }

  var isPaused: Bool { transfer?.isPaused == true }

  var isJoined: Bool { stage >= .joined }

  var isAnnounced: Bool { stage == .announced }

  var bringsList: Bool {
    switch intake?.phase {
    case .playlist, .segments: true
    default: false
    }
  }

  /// Bytes of incomplete packets.
  var heldByteCount: Int { intake?.heldByteCount ?? 0 }

  var bringsAudio: Bool { intake?.phase == .audio }

  /// True if treated as a station; also true before the response head.
  var isTakenForLive: Bool { facts?.isLive != false }

  /// True if nothing in the data was recognised for `SenseClock.patience`.
  var isSpent: Bool { sense.isSpent }

  private var hasAsked: Bool { transfer?.isAsked == true }

  // MARK: Life cycle

  func begin(_ transfer: Transfer) { self.transfer = transfer }

  func answered(_ head: HttpHead, at now: MonotonicTime) {
    lastData = now
    isSentOnce = head.isItem && !head.acceptsRanges
    source = try? WebAddress(head.effectiveURL, allowsFile: true)
  }

  func receive(by intake: StreamIntake, _ trace: AnswerTrace, _ facts: StationFacts) {
    (self.intake, self.trace, self.facts) = (intake, trace, facts)
  }

  /// Accepts a response with a part of a file. `skip`: number of its bytes that were received before.
  func receive(partBy intake: StreamIntake?, skip: Int, _ facts: StationFacts?) {
    (self.intake, part.skip, self.facts) = (intake, skip, facts)
  }

  func turn(_ turn: FilePart.Turn) { part.turn = turn }

  func wake(at now: MonotonicTime) { lastData = now }

  func join() -> Bool {
    guard stage == .silent else { return false }
    stage = .joined
    return true
  }

  func announce() { stage = .announced }

  func resume() { transfer?.resume() }

  func cancel() { transfer?.cancel() }

  /// Stores the fault that will be reported as the reason of the end.
  func condemn(_ reason: PlaybackFault) { verdict = reason }

  func end(_ reason: PlaybackFault) {
    condemn(reason)
    cancel()
  }

  func flush() { if bringsAudio { finish() } }

  /// Processes the bytes left in the parser; no further bytes are expected.
  func finish() {
    isOver = true
    intake?.finish(self)
  }

  /// Processes bytes, except those of a file that were received before. Returns the number of new bytes.
  private func take(_ bytes: Span<UInt8>) -> Int {
    pace.flow(at: lastData)
    trace?.take(bytes)
    let passed = min(part.skip, bytes.count)
    part.skip -= passed
    guard let intake, passed < bytes.count else {
      sense.restart()
      return 0
    }
    part.hasBroughtNew = true
    intake.take(bytes.extracting(passed..<bytes.count), self)
    sense.note(packetByteCount: intake.packetByteCount, textByteCount: intake.textByteCount, at: lastData)
    return bytes.count - passed
  }

  // MARK: Titles

  /// Returns true if the title must be reported now.
  func take(_ title: StationTitle) -> Bool { titles.take(title, isJoined: isJoined) }

  func takeWaitingTitle() -> StationTitle? { titles.takeWaiting() }

  // MARK: Pace

  private var delivered: StreamTime { intake?.delivered ?? .zero }

  var firstPacket: MonotonicTime? { pace.firstPacket }

  func lead(at now: MonotonicTime) -> StreamTime { pace.lead(of: delivered, at: now) }

  func mark() {
    pace.mark(delivered, at: lastData)
    titles.pass()
  }

  func markPause() {
    sense.pause()
    pace.hold(delivered, at: lastData)
  }

  /// Time from the first packet to the last data, without pauses of the server.
  var flowingTime: Duration { pace.flowingTime(at: lastData) }

  /// Seconds by which the last packet arrived late because its server had been paused.
  var lag: Double { pace.lag(of: delivered) }
}

extension StationConnection: TransferHandler {
  enum Admission {
    case take
    /// The same bytes are delivered again later.
    case pause
    case end(PlaybackFault)
  }

  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    router.counts(self) ? router.receivedHead(self, head) : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    guard router.counts(self) else { return .taken }
    switch router.admission(of: self) {
    case .pause: return .pause
    case .end(let reason): end(reason)
    case .take: router.received(self, byteCount: take(bytes))
    }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { if router.counts(self) { router.ended(self, end) } }
}

extension StationConnection: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if router.counts(self) { router.take(self, info, bytes) }
  }

  func take(metadata block: Span<UInt8>) { if router.counts(self) { router.take(self, metadata: block) } }

  func take(_ tags: StreamTags) { if router.counts(self) { router.take(self, tags) } }

  func number(of setup: CodecSetup) -> UInt8 { router.number(of: setup) }
}
