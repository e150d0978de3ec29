import Blocks
import Framing
import Http
import Units

/// One connection to a station, from its request to its end. Net thread only.
final class StationConnection {
  /// Receives the events; nil after the connection was left.
  weak var client: (any ConnectionClient)?
  let id: ConnectionID
  /// Address of the request.
  let candidate: Candidates.Candidate
  let began: MonotonicTime
  private(set) var transfer: Transfer?
  /// Address after redirects. `source`, `facts` and `intake` are nil before the response head.
  private(set) var source: WebAddress?
  /// True for an item of a media server that does not support ranges.
  private(set) var isSentOnce = false
  private(set) var facts: StationFacts?
  private(set) var intake: StreamIntake?
  /// Evidence for a file or a station; nil before the response head and for a part of a file.
  private(set) var trace: ResponseTrace?
  private(set) var verdict: PlaybackFault?
  /// The packets, if all were received before on other connections; nil after a new packet.
  private(set) var repetition: FileReplay.Repetition?
  /// Time of the last bytes; at first the time of the request.
  private(set) var lastData: MonotonicTime
  private(set) var part: FilePart
  private var stage = Stage.silent
  /// True while the last packets are processed, which do not prove a good connection.
  private(set) var isOver = false
  /// The last title of repeated packets.
  private var repeatedTitle: StationTitle?
  private var pace = DeliveryPace()
  private var sense = RecognitionTimer()

  private enum Stage: Comparable {
    case silent
    case joined
    case announced
  }

  init(
    _ client: any ConnectionClient, _ id: ConnectionID, _ part: FilePart, to candidate: Candidates.Candidate,
    at now: MonotonicTime
  ) {
    self.client = client
    self.id = id
    self.candidate = candidate
    self.part = part
    began = now
    lastData = now
  }

  var line: ConnectionState {
    var line = ConnectionState(id, at: began)
    line.lastData = lastData
    line.isPaused = isPaused
    line.isJoined = isJoined
    line.isRepeating = isRepeating
    line.hasAsked = hasAsked
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

  var incompleteByteCount: Int { intake?.heldByteCount ?? 0 }

  var bringsAudio: Bool { intake?.phase == .audio }

  /// True while all packets were received before. Repeated packets need no room.
  var isRepeating: Bool { repetition != nil }

  /// True if treated as a station; also true before the response head.
  var isTakenForLive: Bool { facts?.isLive != false }

  /// True if nothing in the data was recognised for `RecognitionTimer.patience`.
  var isSpent: Bool { sense.isSpent }

  private var hasAsked: Bool { transfer?.hasSentRequest == true }

  // MARK: Life cycle

  func begin(_ transfer: Transfer) { self.transfer = transfer }

  func answered(_ head: HttpHead, at now: MonotonicTime) {
    lastData = now
    isSentOnce = head.isItem && !head.acceptsRanges
    source = try? WebAddress(head.effectiveURL, allowsFile: true)
  }

  func receive(by intake: StreamIntake, _ trace: ResponseTrace, _ facts: StationFacts) {
    (self.intake, self.trace, self.facts) = (intake, trace, facts)
  }

  func receive(partBy intake: StreamIntake?, skip: Int, _ facts: StationFacts?) {
    (self.intake, part.skip, self.facts) = (intake, skip, facts)
  }

  func recordTurn(_ turn: FilePart.Turn) { part.turn = turn }

  func recordActivity(at now: MonotonicTime) { lastData = now }

  func markJoined() -> Bool {
    guard stage == .silent else { return false }
    stage = .joined
    return true
  }

  /// Records a packet that was received before, with its title. `repetition`: the packets with this packet.
  func recordRepetition(_ repetition: FileReplay.Repetition, _ title: StationTitle?) {
    self.repetition = repetition
    repeatedTitle = title ?? repeatedTitle
  }

  /// Ends the repetition with a new packet. Returns the last title of the repeated packets.
  func endRepetition() -> StationTitle? {
    repetition = nil
    return repeatedTitle.take()
  }

  func markAnnounced() { stage = .announced }

  /// Makes a lead the second connection: its further packets are not heard.
  func leaveLead(to client: any ConnectionClient) {
    self.client = client
    stage = .silent
  }

  func resume() { transfer?.resume() }

  func cancel() { transfer?.cancel() }

  /// Cancels the request. The client receives no further event.
  func leave() {
    client = nil
    cancel()
  }

  /// Stores the fault that will be reported as the reason of the end.
  func setVerdict(_ reason: PlaybackFault) { verdict = reason }

  func end(_ reason: PlaybackFault) {
    setVerdict(reason)
    cancel()
  }

  func flush() { if bringsAudio { finish() } }

  /// Processes the bytes left in the parser; no further bytes are expected.
  func finish() {
    isOver = true
    intake?.finish(self)
  }

  /// Processes bytes, except those of a file that were received before. Returns the number of new bytes.
  private func process(_ bytes: Span<UInt8>) -> Int {
    pace.resume(at: lastData)
    trace?.append(bytes)
    let passed = min(part.skip, bytes.count)
    part.skip -= passed
    guard let intake, passed < bytes.count else {
      sense.restart()
      return 0
    }
    part.hasNewBytes = true
    intake.process(bytes.extracting(passed..<bytes.count), self)
    sense.record(packetByteCount: intake.packetByteCount, textByteCount: intake.textByteCount, at: lastData)
    return bytes.count - passed
  }

  // MARK: Pace

  private var delivered: StreamTime { intake?.delivered ?? .zero }

  var firstPacket: MonotonicTime? { pace.firstPacket }

  func deliveryLead(at now: MonotonicTime) -> StreamTime { pace.lead(of: delivered, at: now) }

  func recordPacket() { pace.mark(delivered, at: lastData) }

  func recordPause() {
    sense.pause()
    pace.pause(delivered, at: lastData)
  }

  var flowingTime: Duration { pace.flowingTime(at: lastData) }

  /// True if the connection delivered enough audio that its next try is not a repetition (`ReconnectPolicy`).
  func wasGood(at now: MonotonicTime) -> Bool {
    // One packet and a server that drips bytes prove nothing.
    let audio = Duration(seconds: delivered.seconds)
    return ReconnectPolicy.wasGood(for: min(audio, flowingTime), of: now - began)
  }

  /// Seconds by which the last packet arrived late because its server had been paused.
  var lag: Double { pace.lag(of: delivered) }
}

extension StationConnection: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict { client?.handleHead(self, head) ?? .stop }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    guard let client else { return .taken }
    switch client.admission(of: self) {
    case .pause: return .pause
    case .end(let reason): end(reason)
    case .accept: client.handleBytes(self, byteCount: process(bytes))
    }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { client?.handleEnd(self, end) }
}

extension StationConnection: StreamReceiver {
  func accept(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?) {
    client?.accept(self, info, bytes, title)
  }

  func number(of setup: CodecSetup) -> UInt8 { client?.number(of: setup) ?? 0 }

  var place: OggPlace? { client?.place(before: self) }
}
