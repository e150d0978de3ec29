import Blocks
import Framing
import Http
import Units

/// A source of audio, such as a live station. A programme that has played keeps its kind. Net thread only.
///
/// The defaults fit a source without own requests, received from the start and as a whole.
protocol ProgrammeSource: ConnectionClient {
  var handler: ConnectionHandler { get }

  // MARK: Kind

  /// True for a live station.
  var isLive: Bool { get }

  /// True if the audio ends.
  var hasEnd: Bool { get }

  /// True if a broken connection can be replaced.
  var allowsReconnect: Bool { get }

  /// True if a new connection continues at the next byte. Another address of the programme would not.
  var continuesAtByte: Bool { get }

  /// True if an end without audio is a failure.
  var needsAudio: Bool { get }

  // MARK: State

  /// True if packets are in the ring, even before the programme counts as played.
  var hasStarted: Bool { get }

  /// True if enough is buffered and arriving that a check every 200 ms suffices.
  var isAtEase: Bool { get }

  /// Reason for the wait, from the source's own requests; nil while no request runs.
  var wait: NetWait? { get }

  /// Duration of a file after the received packets; nil if unknown.
  var left: StreamTime? { get }

  var allowsSeek: Bool { get }

  /// The audio that the current connection has delivered; nil before its first audio.
  var reception: Reception? { get }

  /// Speed of the last segment's download in multiples of its bit rate; nil for other sources than HLS.
  var segmentSpeed: Double? { get }

  // MARK: Commands

  /// Seeks to a time, after the buffered audio was dropped.
  func seek(to time: StreamTime)

  /// Continues with a newer list of an HLS station. Returns false for other sources.
  func reopen(_ list: SegmentListResponse) -> Bool

  /// True until the list of a requested variant arrives or fails.
  var isChanging: Bool { get }

  /// Continues with another variant of an HLS station. Returns false for other sources.
  func change(to variant: Candidates.Candidate) -> Bool

  /// Cancels the source's own requests, after its connections were closed.
  func interrupt()

  /// Handles a network change. Returns true if the source has handled it by itself.
  func networkChanged() -> Bool

  /// Gives up the source's own requests. Returns false if none run.
  func giveUp(_ fault: PlaybackFault) -> Bool

  // MARK: Time

  /// Time for the next `poll`.
  var due: MonotonicTime { get }

  func poll()
}

extension ProgrammeSource {
  var allowsReconnect: Bool { true }

  var continuesAtByte: Bool { false }

  var needsAudio: Bool { false }

  var hasStarted: Bool { false }

  var isAtEase: Bool { false }

  var wait: NetWait? { nil }

  var left: StreamTime? { nil }

  var allowsSeek: Bool { false }

  var reception: Reception? { handler.reception }

  var segmentSpeed: Double? { nil }

  func seek(to time: StreamTime) {}

  func reopen(_ list: SegmentListResponse) -> Bool { false }

  var isChanging: Bool { false }

  func change(to variant: Candidates.Candidate) -> Bool { false }

  func interrupt() {}

  func networkChanged() -> Bool { false }

  func giveUp(_ fault: PlaybackFault) -> Bool { false }

  var due: MonotonicTime { .never }

  func poll() {}

  /// True if audio of the programme is in the ring. A failure then leads to a reconnect, not to the next address.
  var isUnderWay: Bool { search.hasPlayed || hasStarted }
}

// MARK: - The programme

extension ProgrammeSource {
  var search: StationSearch { handler.context.search }

  var report: ProgrammeReport { handler.context.report }

  var output: ProgrammeOutput { handler.context.output }

  var now: MonotonicTime { handler.context.now }
}

// MARK: - Connections

extension ProgrammeSource {
  func addRange(_ http: inout HttpRequest) -> Int? { nil }

  func handleHead(_ connection: StationConnection, _ head: HttpHead) -> HeadVerdict {
    handler.recordHead(connection, head)
    return handler.checkFirstPart(connection, head) ?? handler.handleHead(connection, head, isLive: isLive)
  }

  func admission(of connection: StationConnection) -> Admission { handler.admission(of: connection, left: left) }

  func handleBytes(_ connection: StationConnection, byteCount: Int) { handler.handleBytes(connection) }

  func handleEnd(_ connection: StationConnection, _ end: TransferEnd) {
    guard let end = handler.confirm(end, of: connection, isUnderWay: isUnderWay) else { return }
    handler.handleEnd(connection, end, isLive: isLive)
  }

  func accept(
    _ connection: StationConnection, _ info: PacketInfo, _ bytes: UnsafeRawBufferPointer, _ title: StationTitle?
  ) {
    handler.stream.accept(connection, info, bytes, title)
  }

  func number(of setup: CodecSetup) -> UInt8 { output.number(of: setup) }

  func place(before connection: StationConnection) -> OggPlace? { handler.stream.place(before: connection) }
}
