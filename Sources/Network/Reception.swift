import Blocks
import Framing
import Units

/// One connection to a station, from its request to its end. The net thread's.
final class Reception {
  private unowned let receiver: Receiver
  /// Which connection it is.
  let id: LineID
  /// Nil before the engine has taken it up.
  var transfer: Transfer?
  /// What the server told; nil before the head of its answer.
  var facts: StationFacts?
  var intake: StreamIntake?
  /// What came of it, as far as that tells a file from a station; nil before the head.
  var trace: AnswerTrace?
  /// Where the redirects led; nil before the head.
  var source: WebAddress?
  /// Why it was ended by us.
  var verdict: Trouble?

  let began: MonotonicTime
  /// When bytes came last, or else when it began.
  var lastData: MonotonicTime
  /// Whether anything is recognised of what comes.
  private var sense = SenseClock()
  /// The part of a file that it brings.
  var part = FilePart()

  /// Whether its audio has been told of.
  var isAnnounced = false
  /// Whether its packets are being joined, or were, to what is held.
  var isJoined = false
  /// A title that waits for the next packet: it came before the first one, or behind another title.
  var waitingTitle: StationTitle?
  /// Whether no title was told since the last packet.
  var mayTellTitle = true

  /// When its first packet came.
  private(set) var firstPacket: MonotonicTime?
  private var lastPacket = MonotonicTime.zero
  private var leadBeforePause: StreamTime?
  /// How long we let the server wait, and since when we do.
  private var held = Duration.zero
  private var heldSince: MonotonicTime?

  init(_ receiver: Receiver, _ line: LineID, at now: MonotonicTime) {
    (self.receiver, id) = (receiver, line)
    (began, lastData) = (now, now)
  }

  /// What it is like now.
  var line: Line {
    var line = Line(id, at: began)
    (line.lastData, line.isHeld, line.isJoined, line.hasAsked) = (lastData, isPaused, isJoined, hasAsked)
    return line
  }

  var isPaused: Bool { transfer?.isPaused == true }

  /// Whether what comes is a list or a feed.
  var bringsList: Bool { if case .playlist = intake?.phase { true } else { false } }

  /// Whether the server was reached, and has the request.
  private var hasAsked: Bool { transfer?.isAsked == true }

  /// Calls it off; who lets go of it hears nothing more.
  func cancel() { transfer?.cancel() }

  /// Ends it for a reason of our own; it is told as its end.
  func end(_ reason: Trouble) {
    verdict = reason
    cancel()
  }

  /// Takes over what lies in the framer still.
  func flush() { if intake?.phase == .audio { finish() } }

  /// Takes over all that came; no more of it is expected.
  func finish() {
    isOver = true
    intake?.finish(self)
  }

  /// Whether its last packets are being taken, which do not show that it is well.
  private(set) var isOver = false

  /// Whether nothing was recognised of what came for so long that it is given up.
  var isSpent: Bool { sense.isSpent }

  /// What becomes of the next bytes.
  enum Admission {
    case take
    /// They come again later.
    case pause
    /// They end the connection.
    case end(Trouble)
  }

  /// Takes bytes, but for those of a file that are there already, and gives back how many were not.
  private func take(_ bytes: Span<UInt8>) -> Int {
    markFlow(bytes)
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

  // MARK: Its pace

  /// How much more it delivered than real time had room for, since its first packet: the server's burst, and more and
  /// more where a server sends as fast as it can.
  func lead(at now: MonotonicTime) -> StreamTime {
    guard let firstPacket, let intake else { return .zero }
    return intake.delivered - StreamTime(seconds: (now - firstPacket).seconds)
  }

  /// Notes that a packet came.
  func mark(at now: MonotonicTime) {
    firstPacket = firstPacket ?? now
    lastPacket = now
    if lag <= 0.1 { leadBeforePause = nil }
  }

  /// Notes that we let the server wait.
  func markPause() {
    sense.pause()
    leadBeforePause = leadBeforePause ?? lead(at: lastPacket)
    heldSince = heldSince ?? lastData
  }

  /// Notes that bytes were taken.
  private func markFlow(_ bytes: Span<UInt8>) {
    if let heldSince { held = held + (lastData - heldSince) }
    heldSince = nil
    trace?.take(bytes)
  }

  /// How long its server needed for what came behind the first packet while we did not let it wait.
  var flowingTime: Duration { firstPacket.map { max(.zero, lastData - $0 - held) } ?? .zero }

  /// Seconds by which its last packet came late because we had let the server wait.
  var lag: Double { leadBeforePause.map { max(0, ($0 - lead(at: lastPacket)).seconds) } ?? 0 }
}

extension Reception: TransferHandler {
  func transferDidReceiveHead(_ head: HttpHead) -> HeadVerdict {
    receiver.counts(self) ? receiver.receivedHead(self, head) : .stop
  }

  func transferDidReceive(_ bytes: Span<UInt8>) -> Flow {
    guard receiver.counts(self) else { return .taken }
    switch receiver.admission(of: self) {
    case .pause: return .pause
    case .end(let reason): end(reason)
    case .take: receiver.received(self, byteCount: take(bytes))
    }
    return .taken
  }

  func transferDidEnd(_ end: TransferEnd) { if receiver.counts(self) { receiver.ended(self, end) } }
}

extension Reception: StreamTaker {
  func take(_ info: PacketInfo, _ bytes: UnsafeRawBufferPointer) {
    if receiver.counts(self) { receiver.take(self, info, bytes) }
  }

  func take(metadata block: Span<UInt8>) { if receiver.counts(self) { receiver.take(self, metadata: block) } }
}
