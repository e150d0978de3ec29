import Blocks
import Framing
import Units

/// One connection to a station, from its request to its end. The net thread's.
final class Reception {
  private unowned let router: AnswerRouter
  /// Which connection it is.
  let id: LineID
  /// When it was asked for.
  let began: MonotonicTime
  /// Nil before the engine has taken it up.
  private(set) var transfer: Transfer?
  /// Where the redirects led; nil before the head.
  private(set) var source: WebAddress?
  /// Whether it brings an item of a media server, no part of which can be asked for.
  private(set) var isSentOnce = false
  /// What the server told; nil before the head of its answer.
  private(set) var facts: StationFacts?
  /// What takes its bytes; nil before the head.
  private(set) var intake: StreamIntake?
  /// What came of it, as far as that tells a file from a station; nil before the head, and of a part of a file.
  private(set) var trace: AnswerTrace?
  /// Why it was ended by us.
  private(set) var verdict: PlaybackFault?
  /// When bytes came last, or else when it began.
  private(set) var lastData: MonotonicTime
  /// The part of a file that it brings.
  private(set) var part: FilePart
  private var stage = Stage.silent
  /// Whether its last packets are being taken, which do not show that it is well.
  private(set) var isOver = false
  /// Which of its titles is told when.
  private var titles = TitleTurn()
  private var pace = DeliveryPace()
  /// Whether anything is recognised of what comes.
  private var sense = SenseClock()

  /// How far it has come.
  private enum Stage: Comparable {
    /// No packet came.
    case silent
    /// Its packets are being joined, or were, to what is held.
    case joined
    /// Its audio has been told of.
    case announced
  }

  /// A connection that is to bring `part`, asked for now; `router` takes what comes of it.
  init(_ router: AnswerRouter, _ line: LineID, _ part: FilePart, at now: MonotonicTime) {
    (self.router, id, self.part) = (router, line, part)
    (began, lastData) = (now, now)
  }

  /// What it is like now.
  var line: Line {
    var line = Line(id, at: began)
    (line.lastData, line.isHeld, line.isJoined, line.hasAsked) = (lastData, isPaused, isJoined, hasAsked)
    return line
  }

  /// Whether we let its server wait.
  var isPaused: Bool { transfer?.isPaused == true }

  /// Whether its packets are being joined, or were, to what is held.
  var isJoined: Bool { stage >= .joined }

  /// Whether its audio has been told of.
  var isAnnounced: Bool { stage == .announced }

  /// Whether what comes is a list or a feed.
  var bringsList: Bool {
    switch intake?.phase {
    case .playlist, .segments: true
    default: false
    }
  }

  /// Bytes of packets that did not come whole.
  var heldByteCount: Int { intake?.heldByteCount ?? 0 }

  /// Whether what comes is audio.
  var bringsAudio: Bool { intake?.phase == .audio }

  /// Whether it is taken for a station's; so is what has not answered yet.
  var isTakenForLive: Bool { facts?.isLive != false }

  /// Whether nothing was recognised of what came for so long that it is given up.
  var isSpent: Bool { sense.isSpent }

  /// Whether the server was reached, and has the request.
  private var hasAsked: Bool { transfer?.isAsked == true }

  // MARK: Its course

  /// The engine has taken it up.
  func begin(_ transfer: Transfer) { self.transfer = transfer }

  /// The head of its answer came.
  func answered(_ head: HttpHead, at now: MonotonicTime) {
    lastData = now
    isSentOnce = head.isItem && !head.acceptsRanges
    source = try? WebAddress(head.effectiveURL, allowsFile: true)
  }

  /// Its answer is a station's, or may be.
  func receive(by intake: StreamIntake, _ trace: AnswerTrace, _ facts: StationFacts) {
    (self.intake, self.trace, self.facts) = (intake, trace, facts)
  }

  /// Its answer is a part of a file, of which `skip` bytes came before.
  func receive(partBy intake: StreamIntake?, skip: Int, _ facts: StationFacts?) {
    (self.intake, part.skip, self.facts) = (intake, skip, facts)
  }

  /// Its head alone decided what follows.
  func turn(_ turn: FilePart.Turn) { part.turn = turn }

  /// Something is to be seen of it: its server is not silent.
  func wake(at now: MonotonicTime) { lastData = now }

  /// Its packets are being joined; false where that was so.
  func join() -> Bool {
    guard stage == .silent else { return false }
    stage = .joined
    return true
  }

  /// Its audio is told of.
  func announce() { stage = .announced }

  /// Lets the server go on that had to wait.
  func resume() { transfer?.resume() }

  /// Calls it off; who lets go of it hears nothing more.
  func cancel() { transfer?.cancel() }

  /// What is wrong with it, which is told as its end.
  func condemn(_ reason: PlaybackFault) { verdict = reason }

  /// Ends it for a reason of our own; it is told as its end.
  func end(_ reason: PlaybackFault) {
    condemn(reason)
    cancel()
  }

  /// Takes over what lies in the framer still.
  func flush() { if bringsAudio { finish() } }

  /// Takes over all that came; no more of it is expected.
  func finish() {
    isOver = true
    intake?.finish(self)
  }

  /// Takes bytes, but for those of a file that are there already, and gives back how many were not.
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

  // MARK: Its titles

  /// A title came; whether it is told now.
  func take(_ title: StationTitle) -> Bool { titles.take(title, isJoined: isJoined) }

  /// The title that waited for a packet.
  func takeWaitingTitle() -> StationTitle? { titles.takeWaiting() }

  // MARK: Its pace

  private var delivered: StreamTime { intake?.delivered ?? .zero }

  /// When its first packet came; nil before that.
  var firstPacket: MonotonicTime? { pace.firstPacket }

  /// How much more it delivered than real time had room for.
  func lead(at now: MonotonicTime) -> StreamTime { pace.lead(of: delivered, at: now) }

  /// A packet was taken.
  func mark() {
    pace.mark(delivered, at: lastData)
    titles.pass()
  }

  /// We let the server wait.
  func markPause() {
    sense.pause()
    pace.hold(delivered, at: lastData)
  }

  /// How long its server needed for what came behind the first packet while we did not let it wait.
  var flowingTime: Duration { pace.flowingTime(at: lastData) }

  /// Seconds by which its last packet came late because we had let the server wait.
  var lag: Double { pace.lag(of: delivered) }
}

extension Reception: TransferHandler {
  /// What becomes of the next bytes.
  enum Admission {
    case take
    /// They come again later.
    case pause
    /// They end the connection.
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

extension Reception: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if router.counts(self) { router.take(self, info, bytes) }
  }

  func take(metadata block: Span<UInt8>) { if router.counts(self) { router.take(self, metadata: block) } }

  func take(_ tags: StreamTags) { if router.counts(self) { router.take(self, tags) } }

  func number(of setup: CodecSetup) -> UInt8 { router.number(of: setup) }
}
