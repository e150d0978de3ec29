import Framing
import Http
import Units

/// Handles the head, the bytes and the end of a connection in the way that all sources share. Net thread only.
final class ConnectionHandler {
  let context: ProgrammeContext
  let stream: ReceivedStream
  /// The files of the programme.
  private(set) var sequence = FileSequence()
  private var onOutcome: (SourceOutcome, StationConnection?) -> Void = { _, _ in }
  private let connections: Connections
  private let reconnector: Reconnector
  private let flow: FlowControl

  init(_ context: ProgrammeContext, _ connections: Connections, _ reconnector: Reconnector, _ flow: FlowControl) {
    self.context = context
    self.connections = connections
    self.reconnector = reconnector
    self.flow = flow
    stream = ReceivedStream(context, connections, reconnector)
  }

  private var now: MonotonicTime { context.now }

  private var faults: AddressFaults { context.faults }

  /// Starts a programme. `fileNumber`: number of files of the programme before this one.
  func begin(fileNumber: Int) {
    sequence = FileSequence(number: fileNumber)
    stream.begin()
  }

  /// Changes the state of the programme's files.
  func advance<Result>(_ step: (inout FileSequence) -> Result) -> Result { step(&sequence) }

  // MARK: Outcomes

  /// Sets the receiver of all outcomes.
  func sendOutcomes(to receiver: @escaping (SourceOutcome, StationConnection?) -> Void) { onOutcome = receiver }

  /// Carries out the outcome of an event. `connection`: nil for an event of the source's own requests.
  func perform(_ outcome: SourceOutcome, _ connection: StationConnection?) { onOutcome(outcome, connection) }

  var hasLead: Bool { connections.lead != nil }

  /// The audio that the lead has delivered; nil before its first audio.
  var reception: Reception? {
    guard let lead = connections.lead, lead.isJoined, let intake = lead.intake else { return nil }
    return Reception(delivered: intake.delivered, byteCount: intake.packetByteCount, isActive: !lead.isPaused)
  }

  func isLead(_ connection: StationConnection) -> Bool { connections.isLead(connection) }

  // MARK: Head

  func recordHead(_ connection: StationConnection, _ head: HttpHead) {
    connection.answered(head, at: now)
    context.output.answered(by: connection.transfer?.remoteAddress, hasTitles: head.icy.metaint != nil)
  }

  /// Checks the first response to a request for a part. Returns nil to continue with `handleHead`.
  ///
  /// Requests the whole body after status 416, a wrong part, or a full response that looks like a station.
  func checkFirstPart(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict? {
    guard connection.part.firstByte != nil else { return nil }
    let isWrong =
      head.isPartial ? head.contentRangeStart != 0 : head.status < 400 && context.search.isLive(head)
    guard head.status == 416 || isWrong else { return nil }
    context.search.ask(by: .whole)
    connection.recordTurn(.requestWhole)
    return .stop
  }

  /// `isLive`: kind of the source if the programme has played. An error page must not become a file.
  func handleHead(_ connection: StationConnection, _ head: HttpHead, isLive: Bool) -> HeadVerdict {
    let search = context.search
    if sequence.isFollowing, head.status >= 400 || search.isLive(head) || head.icy.metaint != nil { return .stop }
    guard head.status < 400 else {
      let seconds = head.retryAfter(at: context.engine.clock.wallSeconds()) ?? 0
      search.retries.recordRefusal(forSeconds: seconds, at: now)
      connection.setVerdict(search.faults(of: connection.candidate).refusal(head.status))
      return .stop
    }
    let isKnown = search.hasPlayed && !sequence.isFollowing
    stream.answered(connection, head, isLive: isKnown ? isLive : search.isLive(head), isKnown: isKnown)
    guard connections.isLead(connection) else { return .go }
    context.report.record(connection.facts)
    if !isKnown { perform(.decide(head), connection) }
    return .go
  }

  // MARK: Bytes

  /// Returns the limits for a connection. `left`: duration of a file after the received packets.
  func pace(left: StreamTime?) -> FlowControl.Programme {
    FlowControl.Programme(isStation: stream.isStation, leftBeforeNext: sequence.hasNext ? left : nil)
  }

  /// `needsRoom`: false for a few bytes without packets for the ring.
  func admission(of connection: StationConnection, left: StreamTime?, needsRoom: Bool = true) -> Admission {
    connection.recordActivity(at: now)
    guard connection.intake != nil else { return .pause(hasEnough: false) }
    if needsRoom {
      let pace = pace(left: left)
      let room = flow.room(for: connection, of: pace, toResume: false, at: now)
      guard room == .ample else {
        flow.pause(connection, room, of: pace)
        return .pause(hasEnough: room == .satisfied)
      }
    }
    flow.release()
    // The earlier bytes may be a complete, slow list. Only a further byte proves that the list was not complete.
    guard connection.isSpent else { return .accept }
    if connection.bringsList { return .end(faults.fault(.slowList)) }
    let isHeadless = connection.intake?.isHeadless == true
    return .end(faults.fault(isHeadless ? .notPlayed(.headlessOgg) : .noAudio))
  }

  func handleBytes(_ connection: StationConnection) {
    guard let intake = connection.intake else { return }
    perform(stream.received(connection, at: now), connection)
    // Repeated audio does not reset the retries.
    if !connection.isRepeating { recordDelivery(by: intake) }
  }

  /// Records the audio of a connection, and wakes a waiting reader.
  func recordDelivery(by intake: StreamIntake) {
    if intake.delivered > ReconnectPolicy.proof { context.search.succeed() }
    context.output.wakeReader()
  }

  // MARK: End

  /// Returns the end to handle; nil if the failed host is looked up first.
  func confirm(_ end: TransferEnd, of connection: StationConnection, isUnderWay: Bool) -> TransferEnd? {
    guard end == .failed(.hostNotFound) else { return end }
    // A host that has delivered audio exists, so its name is not looked up.
    guard isUnderWay || sequence.isFollowing || !connections.isLead(connection) else {
      perform(.unknownHost, connection)
      return nil
    }
    return .failed(.nameServer)
  }

  func handleEnd(_ connection: StationConnection, _ end: TransferEnd, isLive: Bool) {
    if connections.isLead(connection) {
      if case .requestWhole = connection.part.turn { return perform(.reopen, connection) }
    } else {
      let isRepetition = end == .complete && stream.hasRepeatedAll(connection)
      guard connection.bringsList || isRepetition else {
        let faults = context.search.faults(of: connection.candidate)
        let fault = connection.intake == nil ? faults.brokenConnection(end) : faults.closedConnection(end)
        return reconnector.spareFailed(connection, connection.verdict ?? fault)
      }
      // The station now sends a playlist, or a file to its end. The silent lead is of no further use.
      reconnector.replaceLead(by: connection)
    }
    perform(stream.ended(connection, end, isLive: isLive, at: now), connection)
  }
}
